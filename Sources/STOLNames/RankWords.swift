import STOLPack

/// The words for ranks that sources use.
enum RankWords {
  /// Every known word in lower case, single spaces within, no final full stop.
  static let byWord: [String: SourceRank] = {
    var table: [String: SourceRank] = [:]
    for (level, line) in ordered.split(separator: "\n").enumerated() {
      add(line, level: level, to: &table)
    }
    for line in withoutOrder.split(separator: "\n") { add(line, level: nil, to: &table) }
    return table
  }()

  /// The word in the form that `byWord` has.
  static func key(_ text: String) -> String {
    var words = text.lowercased()
      .split { $0.isWhitespace || $0 == "_" || $0 == "-" }.joined(separator: " ")
    while words.hasSuffix(".") { words.removeLast() }
    return words
  }

  private static func add(_ line: Substring, level: Int?, to table: inout [String: SourceRank]) {
    let parts = line.split(separator: ":", maxSplits: 1)
    let name = String(parts[0])
    let kept = MainRank(rank: TaxonRank(rawValue: name))
    let rank = SourceRank(canonicalName: name, level: level, kept: kept)
    table[name] = rank
    for word in parts.dropFirst().joined().split(separator: ",") {
      table[trimmingSpaces(String(word))] = rank
    }
  }

  /// Highest first, "name: further words for it": Darwin Core, ColDP, GBIF, ITIS, NCBI, Open Tree,
  /// Latin, Portuguese, Spanish, French and German.
  private static let ordered = """
    superdomain
    domain: dom, superkingdom, superreg, supreg, empire, imperium, acellular root, domaine, domäne, dominio, domínio, superreino
    subdomain
    realm
    subrealm
    kingdom: regn, reg, regnum, reino, règne, regne, reich, regno
    subkingdom: subregn, subreg, subregnum, subreino, sous règne, unterreich
    infrakingdom: infraregnum, infrareg, infrareino
    parvkingdom
    superphylum: superphyl, superdivision, superdiv, superfilo, überstamm
    phylum: phyl, division, div, divisio, filo, divisão, divisao, división, embranchement, stamm, abteilung, phylum (division), tipo
    subphylum: subphyl, subdivision, subdiv, subdivisio, subfilo, sous embranchement, unterstamm, subphylum (subdivision)
    infraphylum: infraphyl, infradivision, infradiv, infrafilo
    parvphylum: parvphyl
    microphylum
    nanophylum
    gigaclass
    megaclass
    superclass: supercl, superclassis, superclasse, superclase, überklasse
    class: cl, classis, classe, clase, klasse
    subclass: subcl, subclassis, subclasse, subclase, sous classe, unterklasse
    infraclass: infracl, infraclassis, infraclasse, infraclase, teilklasse
    subterclass
    parvclass: parvcl
    supercohort
    cohort: cohors, coorte, cohorte
    subcohort
    infracohort
    gigaorder
    magnorder
    grandorder
    mirorder
    superorder: superord, superordo, superordem, superorden, superordre, überordnung
    order: ord, ordo, ordem, orden, ordre, ordnung
    nanorder: nanord
    hypoorder
    minorder
    suborder: subord, subordo, subordem, suborden, sous ordre, unterordnung
    infraorder: infraord, infraordo, infraordem, infraorden, infra ordre, teilordnung
    parvorder: parvord
    section zoology
    subsection zoology
    falanx
    gigafamily
    megafamily
    grandfamily
    superfamily: superfam, superfamilia, superfamília, super famille, superfamille, überfamilie
    epifamily
    family: fam, familia, família, famille, familie
    subfamily: subfam, subfamilia, subfamília, sous famille, unterfamilie
    infrafamily: infrafam
    supertribe: supertrib, supertribus, supertribo
    tribe: trib, tribus, tribo, tribu
    subtribe: subtrib, subtribus, subtribo, sous tribu
    infratribe: infratrib
    genus: gen, g, gênero, genero, género, genre, gattung, nothogenus, nothogen
    subgenus: subgen, subg, subgênero, subgenero, subgénero, sous genre, untergattung
    infragenus: infragen
    supersection: supersect
    section: sect, sectio, section botany, seção, secao, sección, seccion, sektion
    subsection: subsect, subsectio, subsection botany, subseção, subsecao, subsección
    superseries: superser
    series: ser, série, serie
    subseries: subser, subsérie
    species group: species aggregate, aggregate, agg, aggr, species complex, superspecies, species pro group, superspecie, artengruppe
    species subgroup
    species: sp, spec, espécie, especie, espèce, espece, art, nothospecies, nothosp, species hypothesis
    infraspecific name: infraspecies, infrasp, infraspecific, infraespecie, infraespécie, infraspecific taxon
    proles
    grex: gx
    subspecies: subsp, ssp, subspec, subespécie, subespecie, sous espèce, sous espece, unterart, nothosubspecies, nothosubsp, nothossp
    infrasubspecific name
    convariety: convar, convarietas, convariedade
    variety: var, varietas, variedade, variedad, variété, variete, varietät, v, nothovariety, nothovar
    subvariety: subvar, subvarietas, subvariedade, subvariedad, sous variété
    form: f, fo, forma, forme, nothoform, nothof
    subform: subf, subforma, subfo
    forma specialis: f sp, f. sp, fsp, special form
    mutation: mut, mutatio
    lusus
    aberration: ab, aberr, aberratio
    natio: nat
    morph: morpha
    race: rasse, raça
    pathogroup
    pathovar: pv
    biovar: bv
    chemovar
    chemoform
    morphovar
    phagovar
    serogroup
    serovar: serotype
    biotype: local biotype
    genotype
    cultivar group: cultivargroup
    cultivar: cv, sorte
    strain: str
    isolate
    """

  /// Words for what has no place in the order.
  private static let withoutOrder = """
    unranked: no rank, norank, none, no rank terminal, not ranked, sans rang, ohne rang, sem ranking, unknown, uninomial, n/a, other
    clade: klade, clado
    cellular root
    taxon
    supragenericname: suprageneric name
    infragenericname: infrageneric name, infrageneric
    incertae sedis: insertae sedis
    hybrid formula: hybrid
    """
}
