import STOLFormats

/// Chooses who reads a source.
enum Readers {
  /// Reads all of `source`.
  ///
  /// - Throws: `IngestError`
  static func read(_ source: IngestSource, into intake: Intake) throws {
    switch source.kind {
    case .ncbi:
      let files = try SourceFiles(path: source.path)
      if files.find(NCBIPackageReader.treeFile) != nil {
        try NCBIPackageReader(files: files, intake: intake).read()
      } else {
        try NCBIReader(files: files, intake: intake).read()
      }
    case .gbif, .dwca:
      let files = try SourceFiles(path: source.path)
      if source.kind == .gbif, files.find("meta.xml") == nil {
        return try GBIFReader(files: files, intake: intake).read()
      }
      var reader = DarwinCoreReader(files, intake)
      try reader.read()
    case .coldp:
      var reader = try ColDPReader(try SourceFiles(path: source.path), intake)
      try reader.read()
    case .itis: try ITISReader(path: source.path, intake).read()
    case .ott:
      let files = try SourceFiles(path: source.path)
      if files.find(OpenTreeReader.taxonomyFile) == nil, OpenTreeAnswers.isPresent(in: files) {
        try OpenTreeAnswers(files, intake).read()
      } else {
        try OpenTreeReader(files: files, intake: intake).read()
      }
    case .csv: try MappedTableReader(source, intake).read()
    }
  }
}
