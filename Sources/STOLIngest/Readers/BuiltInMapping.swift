/// Mappings for tables that many people have, by the name that `--mapping` takes.
package enum BuiltInMapping: String, CaseIterable, Sendable {
  /// The Genome Taxonomy Database: `bac120_taxonomy.tsv`, `ar53_taxonomy.tsv`.
  case gtdb
  /// SILVA: `tax_slv_ssu_138.2.txt`.
  case silva
  /// UNITE: the taxonomy table beside its sequences.
  case unite
  /// The eBird/Clements checklist of birds of the world.
  case clements
  /// The eBird taxonomy.
  case ebird
  /// The Mammal Diversity Database.
  case mdd
  /// World Flora Online: `classification.csv`.
  case wfo
  /// Lineages as QIIME 2 has them, of any reference: columns "Feature ID" and "Taxon".
  case qiime

  /// The names of all, for help.
  package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// What people call it.
  package var title: String {
    switch self {
    case .gtdb: "GTDB"
    case .silva: "SILVA"
    case .unite: "UNITE"
    case .clements: "the Clements checklist"
    case .ebird: "the eBird taxonomy"
    case .mdd: "the Mammal Diversity Database"
    case .wfo: "World Flora Online"
    case .qiime: "lineages as QIIME 2 has them"
    }
  }

  /// The mapping, as Format/MAPPING.md says; lines about columns that a table lacks do not count.
  var text: String {
    switch self {
    case .gtdb:
      """
      title: Genome Taxonomy Database
      id_space: gtdb
      url: https://gtdb.ecogenomic.org
      columns: genome, lineage
      lineage = lineage [;]
      """
    case .silva:
      """
      title: SILVA
      id_space: silva
      url: https://www.arb-silva.de
      columns: path, taxid, rank, remark, release
      lineage = path [;]
      id = taxid
      rank = rank
      """
    case .unite:
      """
      title: UNITE
      url: https://unite.ut.ee
      columns: hypothesis, lineage
      lineage = lineage [;]
      """
    case .clements:
      """
      title: eBird/Clements Checklist of Birds of the World
      url: https://www.birds.cornell.edu/clementschecklist
      id = species_code
      name = scientific name
      authorship = authority
      rank = category
      order = order
      family = family
      name.en = English name
      trait.range = range
      extinct = extinct
      class = constant:Aves
      """
    case .ebird:
      """
      title: eBird Taxonomy
      url: https://ebird.org
      id_space: ebird
      id = SPECIES_CODE
      name = SCI_NAME
      rank = CATEGORY
      parent = REPORT_AS
      extinct = EXTINCT
      order = ORDER
      family = FAMILY
      name.en = PRIMARY_COM_NAME
      class = constant:Aves
      """
    case .mdd:
      """
      title: Mammal Diversity Database
      url: https://www.mammaldiversity.org
      id_space: mdd
      id = id
      name = sciName
      authorship = authoritySpeciesAuthor
      year = authoritySpeciesYear
      parentheses = authorityParentheses
      rank = constant:species
      subclass = subclass
      infraclass = infraclass
      magnorder = magnorder
      superorder = superorder
      order = order
      suborder = suborder
      infraorder = infraorder
      parvorder = parvorder
      superfamily = superfamily
      family = family
      subfamily = subfamily
      tribe = tribe
      genus = genus
      subgenus = subgenus
      iucn = iucnStatus
      extinct = extinct
      name.en = mainCommonName
      name.en = otherCommonNames [|]
      class = constant:Mammalia
      kingdom = constant:Animalia
      phylum = constant:Chordata
      """
    case .wfo:
      """
      title: World Flora Online
      id_space: wfo
      url: https://www.worldfloraonline.org
      id = taxonID
      name = scientificName
      authorship = scientificNameAuthorship
      rank = taxonRank
      parent = parentNameUsageID
      accepted = acceptedNameUsageID
      status = taxonomicStatus
      family = family
      subfamily = subfamily
      tribe = tribe
      subtribe = subtribe
      genus = genus
      subgenus = subgenus
      reference = namePublishedIn
      """
    case .qiime: "lineage = Taxon [;]"
    }
  }
}
