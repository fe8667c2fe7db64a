import STOLIngest
import TestSupport
import Testing

/// A small source that is in order, of one kind and form.
struct ValidSource: Sendable, CustomTestStringConvertible {
  let name: String
  let kind: SourceKind
  /// Its files, the mapping among them if it needs one.
  let files: [String: String]
  /// Whether it is one only in a zip archive.
  var isZipped = false

  var testDescription: String { name }
  static let mappingName = "columns.map"

  private static func dump(_ lines: [String]) -> String {
    lines.map { $0.replacing("\t", with: "\t|\t") + "\t|\n" }.joined()
  }

  static let ncbi = ValidSource(
    name: "ncbi", kind: .ncbi,
    files: [
      "nodes.dmp": dump(SmallDump.nodes), "names.dmp": dump(SmallDump.names),
      "merged.dmp": dump(SmallDump.merged), "delnodes.dmp": dump(SmallDump.deleted),
    ])

  private static func simpleRow(_ values: [Int: String]) -> String {
    (0..<30).map { values[$0] ?? "\\N" }.joined(separator: "\t") + "\n"
  }

  static let gbif = ValidSource(
    name: "gbif", kind: .gbif,
    files: [
      "simple.txt": simpleRow([0: "1", 3: "f", 4: "ACCEPTED", 5: "KINGDOM", 18: "Ania", 19: "Ania"])
        + simpleRow([
          0: "2", 1: "1", 3: "f", 4: "DOUBTFUL", 5: "SPECIES",
          18: "Aus bus (L., 1758) Müller, 1800",
          19: "Aus bus", 24: "Müller", 25: "1800", 26: "L.", 27: "1758", 28: "Syst. nat. 10",
        ])
        + simpleRow([0: "3", 1: "2", 3: "t", 4: "SYNONYM", 5: "SPECIES", 19: "Bus bus", 24: "L."])
        + simpleRow([0: "4", 1: "1", 3: "f", 4: "ACCEPTED", 5: "SPECIES", 18: "Abies alba × nigra"])
        + simpleRow([
          0: "5", 1: "1", 3: "f", 4: "ACCEPTED", 5: "SUBFAMILY", 19: "Ainae", 25: "1900",
        ])
    ])

  static let openTree = ValidSource(
    name: "ott", kind: .ott,
    files: [
      "taxonomy.tsv": """
      uid\t|\tparent_uid\t|\tname\t|\trank\t|\tsourceinfo\t|\tuniqname\t|\tflags\t|\t
      1\t|\t\t|\tAsterales\t|\torder\t|\tncbi:4209\t|\t\t|\t\t|\t
      ott2\t|\t1\t|\tAsteraceae\t|\tfamily\t|\t\t|\t\t|\tsibling_higher\t|\t
      3\t|\t2\t|\tunclassified\t|\tno rank\t|\t\t|\t\t|\twas_container\t|\t
      5\t|\t3\t|\tSenecio\t|\tgenus\t|\t\t|\t\t|\tincertae_sedis\t|\t
      6\t|\t5\t|\tSenecio hypsobates\t|\tspecies\t|\t\t|\t\t|\textinct,hidden\t|\t

      """,
      "synonyms.tsv": """
      name\t|\tuid\t|\ttype\t|\tuniqname\t|\tsourceinfo\t|\t
      Senecio hypsobates Wedd.\t|\t6\t|\tsynonym\t|\t\t|\t\t|\t
      Cineraria hypsobates (Wedd.) L.\t|\t6\t|\t\t|\t\t|\t\t|\t
      groundsel\t|\t5\t|\tcommon name\t|\t\t|\t\t|\t

      """,
      "forwards.tsv": "id\treplacement\n20\t21\n21\t6\n22\t98\n", "version.txt": "3.7draft2\n",
    ])

  static let openTreeAnswers = ValidSource(
    name: "ott answers", kind: .ott,
    files: [
      "info.json": """
      {"ott_id": 5, "name": "Senecio", "rank": "genus", "flags": [], "synonyms": ["Jacobaea"],
       "lineage": [{"ott_id": 2, "name": "Asteraceae", "rank": "family"},
                   {"ott_id": 1, "name": "Asterales", "rank": "order"}],
       "children": [{"ott_id": 6, "name": "Senecio vulgaris", "rank": "species",
                     "flags": ["extinct"], "synonyms": []}]}
      """,
      "tree.nwk": """
      ((Bellis_perennis_ott9:1,'Bellis annua (species in Asteraceae) ott10')mrcaott9ott10,\
      Aster_alpinus_ott12)Asteraceae_ott2;
      """,
    ])

  static let nameUsages = ValidSource(
    name: "coldp usages", kind: .coldp,
    files: [
      "NameUsage.tsv": """
      col:ID\tcol:parentID\tcol:status\tcol:rank\tcol:scientificName\tcol:authorship\tcol:extinct\tcol:environment\tcol:nameReferenceID\tcol:family
      g\t\taccepted\tgenus\tAus\tL.\t\t\t\tAidae
      1\tg\tprovisionally accepted\tspecies\tAus bus\tL.\t1\tmarine; Freshwater\tr1,r2\t
      2\t1\tsynonym\tspecies\tCus dus\tMill., 1800\t\t\tr1\t
      4\t\tbare name\tspecies\tXus yus\t\t\t\t\t
      5\tg\taccepted\tspecies\tAus cus\t(Smith, 1900) Jones, 1910\t\t\tr9\t

      """,
      "Reference.csv": """
      ID,citation,author,issued,title,containerTitle,volume,issue,page,doi,link
      r1,A citation,,,,,,,,10.1/x,
      r2,,"Greene, E. L.",1895,Crepis,Erythea,3,5,73,,https://example.org/2

      """,
      "VernacularName.csv": "taxonID,name,language,preferred\n1,Bus,eng,true\n2,Autobús,spa,\n",
      "Distribution.csv": "taxonID,area,threatStatus,referenceID\n1,Everywhere,Vulnerable,r1\n",
      "TaxonProperty.csv": "taxonID,property,value,referenceID,page\n1,bodyLength,10 mm,r2,4\n",
      "metadata.yaml": "title: Made up\nlicense: CC0\nversion: 7\nurl: https://example.org\n",
    ])

  static let namesAndTaxa = ValidSource(
    name: "coldp names", kind: .coldp,
    files: [
      "Name.csv": """
      ID,uninomial,genus,specificEpithet,infraspecificEpithet,authorship,rank,code,referenceID
      n0,Aus,,,,"Bloggs, 1800",genus,zoological,
      n1,,Aus,bus,,"Bloggs, 1800",species,zoological,r1
      n3,,Dus,eus,,"Roe, 1850",species,zoological,
      n4,,Dus,fus,gus,L.,variety,botanical,

      """,
      "Taxon.csv": """
      ID,parentID,nameID,provisional,extinct,family,genus
      t0,,n0,false,,Idae,Aus
      t1,t0,n1,true,,,

      """,
      "Synonym.csv":
        "ID,taxonID,nameID,status,namePhrase\n,t1,n3,ambiguous synonym,\ns4,t1,n4,synonym,\n",
      "Reference.csv": "ID,citation\nr1,First\nr2,Second\n",
      "NameReference.csv": "nameID,referenceID\nn1,r1\nn3,r2\n",
    ])

  static let acef = ValidSource(name: "acef", kind: .acef, files: FurtherFormatsTests.acef)

  static let textTree = ValidSource(
    name: "txtree", kind: .txtree,
    files: [
      "a.txtree": """
      Pinales [order] {ID=1}
        Abies Mill. [genus] {ID=2 VERN=de:Tanne,en:fir}
          †Abies alba Mill. [species] {ID=17 ENV=terrestrial,, wet}  # a comment
            ≡$Pinus picea L. [species]
            =Abies pectinata (Lam.) DC.
          ?Abies sp.
      """
    ])

  /// A spreadsheet; in a folder it is none.
  static let workbook = {
    var book = WorkbookBuilder()
    book.add(
      "Checklist",
      [
        [.shared("taxonID"), .shared("scientificName"), .shared("taxonRank"), .inline("family")],
        [
          .number("12"), .shared("Panthera leo (Linnaeus, 1758)"), .formula("species"),
          .inline("Felidae"),
        ],
        [.number("13"), .none, .truth(true), .error],
      ])
    return ValidSource(name: "xlsx", kind: .dwca, files: book.files, isZipped: true)
  }()

  static let archive = ValidSource(
    name: "dwca", kind: .dwca,
    files: [
      "meta.xml": """
      <archive xmlns="http://rs.tdwg.org/dwc/text/" metadata="eml.xml">
        <core fieldsTerminatedBy="\\t" linesTerminatedBy="\\n" ignoreHeaderLines="1"
          rowType="http://rs.tdwg.org/dwc/terms/Taxon">
          <files><location>core.tsv</location></files>
          <id index="0"/>
          <field index="1" term="http://rs.tdwg.org/dwc/terms/scientificName"/>
          <field index="2" term="http://rs.tdwg.org/dwc/terms/taxonRank"/>
          <field index="3" term="http://rs.tdwg.org/dwc/terms/parentNameUsageID"/>
          <field index="4" term="http://rs.tdwg.org/dwc/terms/acceptedNameUsageID"/>
          <field index="5" term="http://rs.tdwg.org/dwc/terms/family"/>
          <field index="6" term="http://rs.tdwg.org/dwc/terms/namePublishedInYear"/>
          <field default="Animalia" term="http://rs.tdwg.org/dwc/terms/kingdom"/>
        </core>
        <extension fieldsTerminatedBy="," fieldsEnclosedBy='"'
          rowType="http://rs.gbif.org/terms/1.0/VernacularName">
          <files><location>names.csv</location></files>
          <coreid index="0"/>
          <field index="1" term="http://rs.tdwg.org/dwc/terms/vernacularName"/>
          <field index="2" term="http://purl.org/dc/terms/language"/>
        </extension>
        <extension fieldsTerminatedBy="," rowType="http://rs.gbif.org/terms/1.0/SpeciesProfile">
          <files><location>profile.csv</location></files>
          <coreid index="0"/>
          <field index="1" term="http://rs.gbif.org/terms/1.0/isMarine"/>
          <field index="2" term="http://rs.gbif.org/terms/1.0/massInGrams"/>
        </extension>
      </archive>
      """,
      "eml.xml":
        "<eml><dataset><title>Some &lt;taxa&gt;</title><pubDate>2020</pubDate></dataset></eml>",
      "core.tsv": """
      id\tname\trank\tparent\taccepted\tfamily\tyear
      a\tAus L.\tgenus\t\t\tAidae\t1753
      b\tAus bus L., 1758\tspecies\ta\t\t\t1758
      c\tAus cus Müller\tspecies\t\tb|d\t\t
      d\tAus dus\tspecies\tz\t\tBidae\t

      """,
      "names.csv": "b,\"lion, big\",English\nz,tiger,en\nc,Löwe,de\n",
      "profile.csv": "b,true,12.5\nd,false,0\n",
    ])

  static let mappedTable = ValidSource(
    name: "csv", kind: .csv,
    files: [
      "birds.csv": """
      Rank,Order,Family,Name,Authority,English,Wing,Red,Year,Status
      order,Struthioniformes,,Struthioniformes,"Latham, 1790",,,,1790,
      genus,Struthioniformes,Struthionidae,Struthio,"Linnaeus, 1758",,,,1758,accepted
      species,Struthioniformes,Struthionidae,Struthio camelus,"Linnaeus, 1758",Ostrich,900,LC,1758,
      species,Rheiformes,Rheidae,Rhea americana,"(Linnaeus, 1758)",Greater Rhea,,NT,,doubtful

      """,
      mappingName: """
      title: Birds
      class = constant:Aves
      order = Order
      family = Family
      rank = Rank
      name = Name
      authorship = Authority
      year = Year
      status = Status
      iucn = Red
      name.en = English
      trait.wing_length = Wing [mm]

      """,
    ])

  static let all = [
    ncbi, gbif, openTree, openTreeAnswers, nameUsages, namesAndTaxa, archive, mappedTable, acef,
    textTree, workbook,
  ]
}
