import STOLSystem

extension SourceFiles {
  /// The files in an archive, all of whose names have been checked.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - format: what it is.
  ///   - limits: what it may not exceed.
  /// - Returns: the files, in the order of the archive.
  /// - Throws: `FormatError.unsafeArchive` at the first entry that no archive of a source needs.
  static func places(
    inArchive path: String, _ format: ArchiveReader.Format, _ limits: SourceLimits
  ) throws(FormatError) -> [Place] {
    let reader = try ArchiveReader(path: path, format: format)
    var places: [Place] = []
    var names: Set<String> = []
    var byteCount = 0
    var ordinal = 0
    while let entry = try reader.nextEntry() {
      defer { ordinal += 1 }
      guard ordinal < limits.entryLimit else {
        throw .tooLarge(
          path: path, what: "it has \(ordinal + 1) files or more", limit: limits.entryLimit)
      }
      let parts: [Substring]
      do { parts = try checkedParts(of: entry, ordinal) } catch {
        throw .unsafeArchive(
          path: path, entry: shown(entry.name ?? "entry \(ordinal + 1)"), reason: error.reason)
      }
      guard entry.kind == .file else { continue }
      let name = parts.joined(separator: "/")
      if entry.isEncrypted {
        throw .unreadable(
          path: path, reason: "\(name) is encrypted; unpack it and give the folder instead")
      }
      guard names.insert(name).inserted else {
        throw .unsafeArchive(
          path: path, entry: name, reason: "the archive has two files of this name")
      }
      // Before a tar entry is skipped, which decompresses it.
      byteCount = byteCount.addingReportingOverflow(max(0, entry.byteCount ?? 0)).partialValue
      guard 0...limits.byteLimit ~= byteCount else {
        throw .tooLarge(
          path: path, what: "its files have \(byteCount) bytes or more", limit: limits.byteLimit)
      }
      if parts.contains(where: { $0.hasPrefix(".") || $0 == "__MACOSX" }) { continue }
      places.append(Place(originalName: name, ordinal: ordinal))
    }
    return places
  }

  /// What is wrong with an entry.
  private struct Refusal: Error { var reason: String }

  /// The parts of an entry's name, without those that say nothing.
  private static func checkedParts(
    of entry: ArchiveReader.Entry, _ ordinal: Int
  ) throws(Refusal) -> [Substring] {
    switch entry.kind {
    case .link: throw Refusal(reason: "it is a link")
    case .other: throw Refusal(reason: "it is neither a file nor a folder")
    case .file, .folder: break
    }
    // A name that cannot be told, as in a system that has no UTF-8, is no reason to read nothing.
    let name = entry.name ?? "entry \(ordinal + 1)"
    guard !name.isEmpty else { throw Refusal(reason: "it has no name") }
    guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
      throw Refusal(reason: "there is a control character in its name")
    }
    let parts = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
    let isDrive = parts[0].utf8.count == 2 && parts[0].hasSuffix(":") && parts.count > 1
    guard !parts[0].isEmpty, !isDrive else { throw Refusal(reason: "its path is absolute") }
    guard !parts.contains("..") else { throw Refusal(reason: "its path leads upwards") }
    let significant = parts.filter { !$0.isEmpty && $0 != "." }
    guard !significant.isEmpty || entry.kind == .folder else {
      throw Refusal(reason: "it has no name")
    }
    return significant
  }

  /// A name that is fit to be shown.
  private static func shown(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.prefix(200)
          .map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }

  /// The regular files in a folder and the folders in it; links are not followed.
  static func places(
    inFolder path: String, _ limits: SourceLimits
  ) throws(FormatError) -> [Place] {
    var places: [Place] = []
    var waiting = [("", 0)]
    var count = 0
    while let (folder, depth) = waiting.popLast() {
      for name in fileNames(inFolder: path + "/" + folder) where !name.hasPrefix(".") {
        count += 1
        guard count <= limits.entryLimit else {
          throw .tooLarge(
            path: path, what: "it has \(count) files or more", limit: limits.entryLimit)
        }
        switch kind(of: path + "/" + folder + name) {
        case .file: places.append(Place(originalName: folder + name))
        case .folder where depth < limits.depthLimit:
          waiting.append((folder + name + "/", depth + 1))
        case .folder, .link, .other: break
        }
      }
    }
    return places
  }

  /// What lies at a path, without following a link and without waiting for a pipe.
  private static func kind(of path: String) -> FileKind {
    do {
      _ = try RegularFile(path: path, followsLinks: false)
      return .file
    } catch {
      // What may not be read is listed, so that opening it says so.
      return switch error.code {
      case .isFolder: .folder
      case .permissionDenied: .file
      default: .other
      }
    }
  }
}

extension SourceFiles.Form {
  /// Looks at the first bytes of what lies at `path`.
  init(path: String) throws(FormatError) {
    let head: [UInt8]
    do {
      let file = try RegularFile(path: path, followsLinks: true)
      head = try file.bytes(at: 0, limit: Self.tarHeaderByteCount)
    } catch {
      guard error.code == .isFolder else { throw .system(error) }
      self = .folder
      return
    }
    if head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6]) {
      self = .zip
    } else if head.starts(with: [0x1F, 0x8B]) {
      let compressed = try SourceStream(
        name: SourceFiles.lastPart(of: path), path: path, followsLinks: true)
      let stream = try SourceStream(
        inflating: compressed, path: path,
        budget: SourceBudget(path: path, limits: SourceLimits()))
      self = Self.isTar(try stream.head(Self.tarHeaderByteCount)) ? .tar : .gzip
    } else if Self.compressedMarks.contains(where: { head.starts(with: $0) }) {
      let reader = try ArchiveReader(path: path, format: .compressed)
      var first: [UInt8] = []
      if try reader.nextEntry() != nil {
        let name = SourceFiles.lastPart(of: path)
        while first.count < Self.tarHeaderByteCount {
          let bytes = try reader.read(name, limit: Self.tarHeaderByteCount - first.count)
          if bytes.isEmpty { break }
          first += bytes
        }
      }
      self = Self.isTar(first) ? .tar : .compressed
    } else {
      self = Self.isTar(head) ? .tar : .file
    }
  }

  /// How files of xz, bzip2 and zstd begin.
  private static let compressedMarks: [[UInt8]] = [
    [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], [0x42, 0x5A, 0x68], [0x28, 0xB5, 0x2F, 0xFD],
  ]
  private static let tarHeaderByteCount = 512

  /// Whether the bytes begin with the header of a tar archive, of any age: its checksum says so.
  private static func isTar(_ head: [UInt8]) -> Bool {
    guard head.count >= tarHeaderByteCount, head[0] != 0 else { return false }
    let digits = head[148..<156].drop { $0 == 0x20 }.prefix { 0x30...0x37 ~= $0 }
    guard !digits.isEmpty else { return false }
    let stated = digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }
    let sum = head.prefix(tarHeaderByteCount).enumerated().reduce(0) {
      $0 + (148..<156 ~= $1.offset ? 0x20 : Int($1.element))
    }
    return sum == stated
  }
}
