import STOLIngest
import STOLFormats
import TestSupport
import Testing

@Suite("ColDP")
struct ColDPReaderTests {
  @Test func readsNameUsage() throws {
    let made = try MadeDatabase(
      .coldp,
      files: [
        "name-usage.tsv": """
        \u{FEFF}col:ID\tcol:parentID\tcol:status\tcol:rank\tcol:scientificName\tcol:authorship\tcol:extinct\tcol:environment\tcol:nameReferenceID
        g\t\taccepted\tgenus\tAus\tL.\t\t\t
        1\tg\tprovisionally accepted\tspecies\tAus bus\tL.\t1\tmarine; Freshwater\tr1,r2
        2\t1\tsynonym\tspecies\tCus dus\tMill.\t\t\tr1
        3\t1\tmisapplied\tspecies\tCus eus\tauct. nec Mill.\t\t\t
        4\t\tbare name\tspecies\tXus yus\t\t\t\t
        5\tg\taccepted\tspecies\tAus cus\t(Smith, 1900) Jones, 1910\t\t\tr9
        6\tg\taccepted\tspecies\t\t\t\t\t

        """,
        "REFERENCE.csv": """
        ID;citation;author;issued;title;containerTitle;volume;issue;page;doi;link
        r1;A citation;;;;;;;;10.1/x;
        r2;;Greene, E. L.;1895;Crepis;Erythea;3;5;73;;https://example.org/2
        r3;Nobody's;;;;;;;;;
        """,
        "vernacular_name.csv": """
        taxonID,name,language,preferred
        1,Bus,eng,true
        2,Autobús,spa,
        77,Nothing,eng,
        """,
        "Distribution.csv": """
        taxonID,area,threatStatus,referenceID
        1,Everywhere,Vulnerable,r1
        5,Nowhere,,r1
        5,Here,,r1
        """,
        "TaxonProperty.txt": """
        taxonID\tproperty\tvalue\treferenceID\tpage
        1\tbodyLength\t10 mm\tr2\t4
        5\t\tx\t\t
        """,
        "metadata.yaml": "title: Made up\nlicense: CC0\nversion: 7\nurl: https://example.org\n",
      ])
    #expect(
      try made.taxa == [
        "genus Aus L.", "species Aus bus L. ? < Aus",
        "species Aus cus (Smith, 1900) Jones, 1910 < Aus",
      ])
    #expect(try made.synonyms == ["Cus dus Mill. = Aus bus", "Cus eus = Aus bus"])
    #expect(
      try made.rows(
        """
        SELECT source_id, name, rank, status, status_text, sensu FROM names
        WHERE name_type = 'synonym' ORDER BY 1
        """) == [
          "2|Cus dus|species|synonym|-|-", "3|Cus eus|species|misapplied|-|auct. nec Mill.",
        ])
    #expect(
      try made.rows("SELECT source_id, status, status_text FROM taxa WHERE status <> 'accepted'")
        == ["1|provisional|provisionally accepted"])
    #expect(
      try made.traits == [
        "Aus bus body_length=10 mm", "Aus bus extinct=true", "Aus bus habitat=freshwater",
        "Aus bus habitat=marine",
      ])
    #expect(
      try made.rows(
        "SELECT lang, name, is_preferred FROM names WHERE name_type <> 'synonym' ORDER BY 1")
        == ["en|Bus|1", "es|Autobús|0"])
    #expect(
      try made.rows(
        """
        SELECT refs.taxon_id, citation, url, ref_type, name FROM refs
        LEFT JOIN names ON names.id = name_id ORDER BY refs.taxon_id, citation, name
        """)
        == [
          "1|A citation|https://doi.org/10.1/x|taxonomy|-",
          "1|A citation|https://doi.org/10.1/x|taxonomy|Cus dus",
          "1|Greene, E. L. 1895. Crepis. Erythea 3(5): 73.|https://example.org/2|taxonomy|-",
          "1|Greene, E. L. 1895. Crepis. Erythea 3(5): 73. P. 4.|-|other|-",
          "5|A citation|https://doi.org/10.1/x|ecology|-",
        ])
    #expect(try made.rows("SELECT conservation FROM taxa WHERE id = 1") == ["VU"])
    #expect(made.report.sources[0].name == "Made up")
    #expect(made.report.sources[0].release == "7")
    #expect(
      made.outcomes("name-usage.tsv") == [
        "taxon": 3, "synonym": 2, "bareName": 1, "emptyName": 1,
      ])
    #expect(made.outcomes("REFERENCE.csv") == ["reference": 2, "ignored": 1])
    #expect(made.outcomes("vernacular_name.csv") == ["vernacular": 2, "unknownTaxon": 1])
    #expect(made.outcomes("Distribution.csv") == ["conservation": 1, "reference": 1, "ignored": 1])
    #expect(made.outcomes("TaxonProperty.txt") == ["trait": 1, "ignored": 1])
    #expect(made.count("unknownReference") == 1)
    #expect(made.unaccounted == [])
  }

  /// The reference of a taxon, that of its name, and where the name was published are three columns.
  @Test func keepsTheReferencesOfAllColumns() throws {
    let references = "ID\tcitation\nr1\tPublished here\nr2\tOther\nr3\tOf the name\n"
    let usages = try MadeDatabase(
      .coldp,
      files: [
        "NameUsage.tsv": """
        ID\tparentID\tscientificName\tauthorship\trank\tstatus\treferenceID\tnameReferenceID\tpublishedInID
        1\t\tAus\tL.\tgenus\taccepted\tr2\t\tr1
        2\t1\tAus bus\tL.\tspecies\taccepted\t\tr3\tr1
        3\t1\tAus cus\tL.\tspecies\taccepted\tr1,r2\tr9\tr9

        """, "Reference.tsv": references,
      ])
    let query = "SELECT taxon_id, citation FROM refs ORDER BY 1, 2"
    #expect(
      try usages.rows(query) == [
        "1|Other", "1|Published here", "2|Of the name", "2|Published here", "3|Other",
        "3|Published here",
      ])
    #expect(usages.count("unknownReference") == 1)
    let names = try MadeDatabase(
      .coldp,
      files: [
        "Name.tsv": """
        ID\tscientificName\tauthorship\trank\tpublishedInID\treferenceID
        n1\tAus\tL.\tgenus\tr1\tr2
        n2\tBus\tL.\tgenus\t\tr3

        """, "Taxon.tsv": "ID\tparentID\tnameID\treferenceID\n1\t\tn1\tr3\n",
        "Synonym.tsv": "taxonID\tnameID\treferenceID\n1\tn2\tr1\n",
        "Reference.tsv": references,
      ])
    #expect(
      try names.rows(
        "SELECT refs.taxon_id, citation, name FROM refs LEFT JOIN names ON names.id = name_id ORDER BY 3, 2"
      ) == [
        "1|Of the name|-", "1|Other|-", "1|Published here|-", "1|Of the name|Bus",
        "1|Published here|Bus",
      ])
    for made in [usages, names] {
      #expect(made.report.sources[0].files.allSatisfy { $0.unreadColumns.isEmpty })
      #expect(made.unaccounted == [])
    }
  }

  @Test func aDistributionOfASynonymSaysWhyItIsIgnored() throws {
    let made = try MadeDatabase(
      .coldp,
      files: [
        "NameUsage.tsv": """
        ID\tparentID\tscientificName\trank\tstatus
        1\t\tAus bus\tspecies\taccepted
        2\t1\tAus cus\tspecies\tsynonym

        """,
        "Distribution.tsv": "taxonID\tarea\tthreatStatus\n1\tx\t\n2\tx\tEN\n1\tx\tfine\n",
      ])
    let file = try #require(made.report.sources[0].files.first { $0.name == "Distribution.tsv" })
    #expect(
      file.reasons == [
        "an area without an IUCN category": 2, "about a synonym, which has no traits or codes": 1,
      ])
    #expect(file.unreadColumns == ["area": "areas are not kept"])
    #expect(made.count("unknownConservationCode") == 1)
  }

  @Test func joinsNameTaxonAndSynonym() throws {
    let made = try MadeDatabase(
      .coldp,
      files: [
        "Name.csv": """
        ID,basionymId,uninomial,genus,specificEpithet,infraspecificEpithet,authorship,rank,code,referenceID
        n0,,Aus,,,,"Bloggs, 1800",genus,zoological,
        n1,,,Aus,bus,,"Bloggs, 1800",species,zoological,r1
        n2,,,Aus,cus,,,species,zoological,
        n3,,,Dus,eus,,"Roe, 1850",species,zoological,
        n4,,,Dus,fus,gus,L.,variety,botanical,
        n5,,,Unus,usus,,,species,zoological,
        t1,,,Dus,hus,,,species,zoological,
        n1,,,Aus,again,,,species,zoological,
        """,
        "taxon.csv": """
        ID,parentID,nameID,provisional,extinct,family,genus
        t0,,n0,false,,Idae,Aus
        t1,t0,n1,true,,,
        t2,t0,n2,false,true,,
        t9,t0,n99,,,,
        """,
        "Synonym.csv": """
        ID,taxonID,nameID,status,namePhrase
        ,t1,n3,ambiguous synonym,
        ,t2,n3,ambiguous synonym,
        s4,t2,n4,synonym,
        ,t1,n1,synonym,
        ,t2,t1,synonym,
        s6,t9,n4,misapplied,sensu Roe
        ,t1,n98,synonym,
        """,
        "reference.csv": "ID,citation\nr1,First\nr2,Second",
        "NameReference.csv": "nameID,referenceID\nn1,r1\nn3,r2\nn5,r2\n",
        "NameRelation.csv": "nameID,relatedNameID,type\nn1,n2,basionym\n",
      ])
    #expect(
      try made.taxa == [
        "family Idae", "genus Aus Bloggs, 1800 < Idae", "species Aus bus Bloggs, 1800 ? < Aus",
        "species Aus cus < Aus",
      ])
    #expect(
      try made.synonyms == [
        "Dus eus Roe, 1850 = Aus bus", "Dus eus Roe, 1850 = Aus cus",
        "Dus fus var. gus L. = Aus cus", "Dus hus = Aus cus",
      ])
    #expect(
      try made.rows(
        """
        SELECT source_id FROM taxa UNION
        SELECT source_id FROM names WHERE source_id IS NOT NULL ORDER BY 1
        """)
        == ["family=Idae", "s4", "t0", "t1", "t2"])
    #expect(
      try made.rows(
        """
        SELECT scientific_name, citation, name FROM refs JOIN taxa ON taxa.id = refs.taxon_id
        LEFT JOIN names ON names.id = name_id ORDER BY 2
        """) == ["Aus bus|First|-", "Aus bus|Second|Dus eus"])
    #expect(
      try made.rows("SELECT source_id, status, status_text, code FROM names ORDER BY 1, name") == [
        // The ids of their names are ids of no usage.
        "-|ambiguous|ambiguous synonym|zoological", "-|ambiguous|ambiguous synonym|zoological",
        "-|synonym|-|zoological", "s4|synonym|-|botanical",
      ])
    #expect(made.outcomes("Name.csv") == ["joined": 6, "bareName": 1, "duplicate": 1])
    #expect(made.outcomes("taxon.csv") == ["taxon": 3, "emptyName": 1])
    #expect(
      made.outcomes("Synonym.csv") == [
        "synonym": 3, "joined": 1, "ignored": 1, "bareName": 1, "emptyName": 1,
      ])
    #expect(made.outcomes("NameReference.csv") == ["joined": 1, "reference": 1, "unknownTaxon": 1])
    #expect(made.outcomes("NameRelation.csv") == ["ignored": 1])
    #expect(made.unaccounted == [])
  }

  /// Whatever a bare name looks like, and whatever lies below it; a name that is only uncertain is a taxon.
  @Test func bareNamesMakeNoTaxa() throws {
    let usages = try MadeDatabase(
      .coldp,
      files: [
        "NameUsage.tsv": """
        ID\tparentID\tstatus\trank\tscientificName\tgenus
        1\t\taccepted\tgenus\tAus\t
        2\t1\tbare name\tcultivar\tAus bus 'Red Star'\tAus
        3\t\tBARE_NAME\tcultivar\t'Blue Moon'\t
        4\t\tbare name\tgenus\tgus\t
        5\t\tBare Name\tspecies\tcus dus\tCus
        6\t\tuncertain\tspecies\tDus eus\t
        7\t4\taccepted\tspecies\tGus hus\t
        """
      ])
    #expect(try usages.taxa == ["genus Aus", "species Dus eus ?", "species Gus hus"])
    #expect(usages.outcomes("NameUsage.tsv") == ["taxon": 3, "bareName": 4])
    #expect(usages.count("bareName") == 4)
    #expect(usages.unaccounted == [])
    let names = try MadeDatabase(
      .coldp,
      files: [
        "Name.tsv": """
        ID\tstatus\trank\tscientificName
        1\t\tgenus\tAus
        2\t\tcultivar\tAus bus 'Red Star'
        3\t\tgenus\tgus
        4\tuncertain\tspecies\tDus eus
        """,
        "Taxon.tsv": "ID\tnameID\nt1\t1\n",
      ])
    #expect(try names.taxa == ["genus Aus"])
    #expect(names.outcomes("Name.tsv") == ["joined": 1, "bareName": 3])
  }

  @Test func columnsWithHigherTaxaCountOnlyWithoutAParent() throws {
    let made = try MadeDatabase(
      .coldp,
      files: [
        "NameUsage.csv": """
        ID,parentID,rank,scientificName,kingdom,family,genus,species
        1,,species,Aus bus,Animalia,Idae,[Aus],bus
        2,1,subspecies,Aus bus cus,Plantae,Aceae,Xus,
        3,9,species,Bus cus,Plantae,Aceae,Bus,cus
        4,,subspecies,Cus dus eus,Animalia,Idae,Cus,dus
        """
      ])
    #expect(
      try made.taxa == [
        "family Idae < Animalia", "genus Aus < Idae", "genus Cus < Idae", "kingdom Animalia",
        "species Aus bus < Aus", "species Bus cus", "species Cus dus < Cus",
        "subspecies Aus bus cus < Aus bus", "subspecies Cus dus eus < Cus dus",
      ])
    #expect(made.count("missingParent") == 1)
  }

  @Test func saysWhatIsMissing() throws {
    #expect(throws: FormatError.self) {
      try MadeDatabase(.coldp, files: ["README.md": "nothing", "other.csv": "ID\n1\n"])
    }
    let folder = try TemporaryFolder()
    try folder.write(Array("ID\tcitation\nr1\tSomething\n".utf8), to: "reference.tsv")
    #expect(throws: IngestError.noTaxa(path: folder.path)) {
      try MadeDatabase(.coldp, folder.path)
    }
  }
}
