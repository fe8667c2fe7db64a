extension DatasetMetadata {
  /// What the ids are ids of: what the metadata state, else what is known of a dataset of that title.
  package var knownIDSpace: String? {
    if let idSpace { return Ingestion.isIDSpace(idSpace) ? idSpace : nil }
    guard let title else { return nil }
    let words = title.lowercased().split { !$0.isLetter }.joined(separator: " ")
    return Self.titles[words]
  }

  private static let titles = [
    "catalogue of life checklist": "col", "gbif backbone taxonomy": "gbif",
    "world flora online": "wfo", "the world flora online": "wfo",
    "world flora online plant list": "wfo", "the world flora online plant list": "wfo",
    "wfo plant list": "wfo", "the wfo plant list": "wfo",
  ]
}
