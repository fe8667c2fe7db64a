import STOLFormats

/// Chooses who reads a source.
enum Readers {
  /// Reads all of `source`.
  ///
  /// - Throws: `IngestError`
  static func read(_ source: IngestSource, into intake: Intake) throws {
    guard let files = try files(of: source, readInto: intake) else { return }
    let reasons = OtherLayouts.reasons(
      for: intake.account.unknownFiles, in: files, readAs: source.kind)
    for (file, reason) in reasons { intake.account.explain(file, reason) }
  }

  /// Reads all of `source`.
  ///
  /// - Returns: its files; nil where it is a database.
  private static func files(
    of source: IngestSource, readInto intake: Intake
  ) throws -> SourceFiles? {
    var opened: SourceFiles?
    func sourceFiles() throws -> SourceFiles {
      let files = try SourceFiles(path: source.path)
      opened = files
      intake.account.noteFiles(files.names)
      if source.kind != .coldp {
        for file in ColDPReader.packageFiles(of: files) {
          intake.account.explain(file, "another layout, ColDP: stol ingest coldp reads it")
        }
      }
      return files
    }
    switch source.kind {
    case .ncbi:
      let files = try sourceFiles()
      if files.find(NCBIPackageReader.treeFile) != nil {
        try NCBIPackageReader(files: files, intake: intake).read()
      } else {
        try NCBIReader(files: files, intake: intake).read()
      }
    case .gbif, .dwca:
      let files = try sourceFiles()
      if source.kind == .gbif, files.find("meta.xml") == nil {
        try GBIFReader(files: files, intake: intake).read()
        return files
      }
      var reader = DarwinCoreReader(files, intake)
      try reader.read()
    case .coldp:
      var reader = try ColDPReader(try sourceFiles(), intake)
      try reader.read()
    case .acef:
      var reader = try ACEFReader(try sourceFiles(), intake)
      try reader.read()
    case .sfga:
      let database = try SourceDatabase(path: source.path)
      guard SpeciesFileArchive.isOne(Set(database.tables)) else {
        throw FormatError.unreadable(
          path: source.path, reason: "it lacks the tables name, taxon and synonym; is it an SFGA?")
      }
      let archive = SpeciesFileArchive(database)
      var reader = try ColDPReader(SourceFiles(path: source.path, maker: archive), intake)
      try reader.read()
      intake.metadata = try archive.metadata()
    case .txtree: try TextTreeReader(try sourceFiles(), intake).read()
    case .itis: try ITISReader(path: source.path, intake).read()
    case .ott:
      let files = try sourceFiles()
      if files.find(OpenTreeReader.taxonomyFile) == nil,
        files.names.contains(where: OpenTreeAnswers.isAnswer)
      {
        try OpenTreeAnswers(files, intake).read()
      } else {
        try OpenTreeReader(files: files, intake: intake).read()
      }
    case .csv:
      let reader = try MappedTableReader(source, intake)
      opened = reader.files
      try reader.read()
    }
    return opened
  }
}
