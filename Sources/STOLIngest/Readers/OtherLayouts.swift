import STOLFormats

/// What other readers know of the files that the one of a source leaves: two layouts of one data set often
/// lie in one folder.
struct OtherLayouts {
  private let files: SourceFiles
  private let kind: SourceKind
  private var reasons: [String: String] = [:]

  /// How many tables are opened to tell what they are.
  private static let tableLimit = 64

  /// Why each of some files was not read, where another reader knows it.
  ///
  /// - Parameters:
  ///   - unread: the files that nobody has said anything of.
  ///   - files: the source.
  ///   - kind: as what it is read.
  /// - Returns: the reasons by file.
  /// - Complexity: the first lines of at most `tableLimit` tables are read.
  static func reasons(
    for unread: [String], in files: SourceFiles, readAs kind: SourceKind
  ) -> [String: String] {
    var layouts = OtherLayouts(files: files, kind: kind)
    layouts.findPackages(among: unread)
    let tables = unread.filter { name in
      layouts.reasons[name] == nil
        && [".csv", ".tsv", ".txt", ".tab", ".dat"].contains(where: name.lowercased().hasSuffix)
    }
    for name in tables.prefix(tableLimit) { layouts.tell(name) }
    return layouts.reasons
  }

  private init(files: SourceFiles, kind: SourceKind) {
    self.files = files
    self.kind = kind
  }

  /// Layouts of several files, told by their names.
  private mutating func findPackages(among unread: [String]) {
    if files.find("nodes.dmp") != nil, files.find("names.dmp") != nil {
      add(unread.filter { $0.lowercased().hasSuffix(".dmp") }, .ncbi, "NCBI Taxonomy's dump")
    }
    let acef = Set(ACEFReader.packageFiles(of: files))
    add(unread.filter(acef.contains), .acef, "ACEF")
    // What cannot be read is known to nobody.
    if (try? OpenTreeReader.isPresent(in: files)) ?? false {
      let names = Set(OpenTreeReader.fileNames.compactMap(files.find))
      add(unread.filter(names.contains), .ott, "Open Tree's taxonomy")
    }
  }

  private mutating func add(_ names: [String], _ other: SourceKind, _ title: String) {
    guard other != kind else { return }
    for name in names {
      reasons[name] = "another layout, \(title): stol ingest \(other.rawValue) reads it"
    }
  }

  /// A table that is told by its columns.
  private mutating func tell(_ name: String) {
    guard let found = try? SourceRecognition.table(name, in: files), found.kind != kind,
      Set([found.kind, kind]) != [.gbif, .dwca]
    else { return }
    let how =
      found.mapping.map { "stol ingest csv --mapping \($0) --table \(name) reads it" }
      ?? "alone, stol ingest \(found.kind.rawValue) reads it"
    reasons[name] = "another layout, \(found.title): \(how)"
  }
}
