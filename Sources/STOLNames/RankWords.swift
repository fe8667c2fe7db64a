import STOLPack

/// The words for ranks that sources use.
enum RankWords {
  /// Every known word in lower case, single spaces within, no final full stop.
  static let byWord: [String: SourceRank] = {
    var table: [String: SourceRank] = [:]
    for name in KnownRanks.ordered.joined() { add(Substring(name), to: &table) }
    for line in aliases.split(separator: "\n") { add(line, to: &table) }
    for line in withoutOrder.split(separator: "\n") { add(line, to: &table) }
    return table
  }()

  /// The word in the form that `byWord` has.
  static func key(_ text: String) -> String {
    var words = text.lowercased()
      .split { $0.isWhitespace || $0 == "_" || $0 == "-" }.joined(separator: " ")
    while words.hasSuffix(".") { words.removeLast() }
    return words
  }

  private static func add(_ line: Substring, to table: inout [String: SourceRank]) {
    let parts = line.split(separator: ":", maxSplits: 1)
    let name = String(parts[0])
    let rank = SourceRank(
      canonicalName: name, level: KnownRanks.place(of: name), kept: KnownRanks.mainRank(of: name))
    table[name] = rank
    for word in parts.dropFirst().joined().split(separator: ",") {
      table[trimmingSpaces(String(word))] = rank
    }
  }

  /// "name: further words for it": Darwin Core, ColDP, GBIF, ITIS, NCBI, Open Tree, Latin, Portuguese,
  /// Spanish, French and German.
  private static let aliases = """
    domain: dom, superreg, supreg, empire, imperium, domaine, domäne, dominio, domínio, superreino
    kingdom: regn, reg, regnum, reino, règne, regne, reich, regno
    subkingdom: subregn, subreg, subregnum, subreino, sous règne, unterreich
    infrakingdom: infraregnum, infrareg, infrareino
    superphylum: superphyl, superdivision, superdiv, superfilo, überstamm
    phylum: phyl, division, div, divisio, filo, divisão, divisao, división, embranchement, stamm, abteilung, phylum (division), tipo
    subphylum: subphyl, subdivision, subdiv, subdivisio, subfilo, sous embranchement, unterstamm, subphylum (subdivision)
    infraphylum: infraphyl, infradivision, infradiv, infrafilo
    parvphylum: parvphyl
    superclass: supercl, superclassis, superclasse, superclase, überklasse
    class: cl, classis, classe, clase, klasse
    subclass: subcl, subclassis, subclasse, subclase, sous classe, unterklasse
    infraclass: infracl, infraclassis, infraclasse, infraclase, teilklasse
    parvclass: parvcl
    cohort: cohors, coorte, cohorte
    superorder: superord, superordo, superordem, superorden, superordre, überordnung
    order: ord, ordo, ordem, orden, ordre, ordnung
    nanorder: nanord
    suborder: subord, subordo, subordem, suborden, sous ordre, unterordnung
    infraorder: infraord, infraordo, infraordem, infraorden, infra ordre, teilordnung
    parvorder: parvord
    superfamily: superfam, superfamilia, superfamília, super famille, superfamille, überfamilie
    family: fam, familia, família, famille, familie
    subfamily: subfam, subfamilia, subfamília, sous famille, unterfamilie
    infrafamily: infrafam
    supertribe: supertrib, supertribus, supertribo
    tribe: trib, tribus, tribo, tribu
    subtribe: subtrib, subtribus, subtribo, sous tribu
    infratribe: infratrib
    genus: gen, g, gênero, genero, género, genre, gattung
    nothogenus: nothogen
    subgenus: subgen, subg, subgênero, subgenero, subgénero, sous genre, untergattung
    infragenus: infragen
    supersection: supersect
    section: sect, sectio, section botany, seção, secao, sección, seccion, sektion
    subsection: subsect, subsectio, subsection botany, subseção, subsecao, subsección
    superseries: superser
    series: ser, série, serie
    subseries: subser, subsérie
    species group: species aggregate, aggregate, agg, aggr, species complex, superspecies, species pro group, superspecie, artengruppe
    species: sp, spec, espécie, especie, espèce, espece, art, species hypothesis
    nothospecies: nothosp
    infraspecific name: infraspecies, infrasp, infraspecific, infraespecie, infraespécie, infraspecific taxon
    grex: gx
    subspecies: subsp, ssp, subspec, subespécie, subespecie, sous espèce, sous espece, unterart
    nothosubspecies: nothosubsp, nothossp
    convariety: convar, convarietas, convariedade
    variety: var, variedade, variedad, variété, variete, varietät, v
    nothovariety: nothovar
    subvariety: subvar, subvarietas, subvariedade, subvariedad, sous variété
    form: f, fo, forme
    nothoform: nothof
    subform: subf, subforma, subfo
    forma specialis: f sp, f. sp, fsp, special form
    mutation: mut, mutatio
    aberration: ab, aberr, aberratio
    natio: nat
    morph: morpha
    race: rasse, raça
    pathovar: pv
    biovar: bv
    biotype: local biotype
    cultivar group: cultivargroup
    cultivar: cv, sorte
    strain: str
    """

  /// Words for what has no place in the order.
  private static let withoutOrder = """
    no rank: norank, none, not ranked, sans rang, ohne rang, sem ranking, n/a
    no rank - terminal: no rank terminal
    unranked
    unknown
    uninomial
    other
    clade: klade, clado
    cellular root
    taxon
    supragenericname: suprageneric name
    infragenericname: infrageneric name, infrageneric
    incertae sedis: insertae sedis
    hybrid
    hybrid formula
    group (monotypic)
    group (polytypic)
    issf
    domestic
    intergrade
    slash
    spuh
    """
}
