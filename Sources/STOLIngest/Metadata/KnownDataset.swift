import STOLFormats

/// Datasets in Darwin Core that many people have, and what is known of those that do not describe
/// themselves.
enum KnownDataset {
  case worldFloraOnline, iNaturalist, gbifBackbone

  /// Tells a dataset by its title, by columns that only it has, and by the form of its ids.
  init?(title: String, columns: ColumnMap, firstID: String) {
    let names = Set(columns.names.map(ColumnMap.key))
    if firstID.hasPrefix("wfo-") || names.isSuperset(of: ["scientificnameid", "localid"])
      || names.isSuperset(of: ["taxonid", "majorgroup"])
    {
      self = .worldFloraOnline
    } else if firstID.contains("inaturalist.org/taxa/") {
      self = .iNaturalist
    } else if title == "GBIF Backbone Taxonomy" {
      self = .gbifBackbone
    } else {
      return nil
    }
  }

  /// What people call it.
  var title: String {
    switch self {
    case .worldFloraOnline: BuiltInMapping.wfo.title
    case .iNaturalist: "iNaturalist's taxonomy"
    case .gbifBackbone: "the GBIF backbone"
    }
  }

  /// What reads it.
  var kind: SourceKind { self == .gbifBackbone ? .gbif : .dwca }

  /// What is known of it.
  var metadata: DatasetMetadata {
    var metadata = DatasetMetadata()
    switch self {
    case .worldFloraOnline:
      let mapping = try? TableMapping(
        BuiltInMapping.wfo.text, file: "wfo", columns: ColumnMap(["scientificName"]),
        ignoresMissing: true)
      metadata = mapping?.metadata ?? metadata
    case .iNaturalist:
      metadata.title = "iNaturalist Taxonomy"
      metadata.url = "https://www.inaturalist.org"
      metadata.idSpace = "inaturalist"
    // Its title says what its ids are.
    case .gbifBackbone: break
    }
    return metadata
  }
}
