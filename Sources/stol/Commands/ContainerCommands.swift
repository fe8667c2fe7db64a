import STOLTrust
import STOLAnswers
import STOLImport
import STOLMedia
import STOLSystem

/// What `stol verify` and `stol inspect` do with a container.
enum ContainerCommands {
  /// Whether the file at `path` is a container, or is named like one.
  static func isContainer(_ path: String) -> Bool {
    path.hasSuffix(".stol") || path.hasSuffix(".stol-media") || Container.hasMagic(path)
  }

  /// Checks everything that can be checked without installing, and says what was checked.
  static func verify(_ path: String, by keyring: Keyring, quiet: Bool) throws {
    let progress = Progress(quiet: quiet)
    defer { progress.finish() }
    var rows: [(String, String)] = []
    let container = try about(path) {
      let opened = try Container(path: path)
      rows = [("container", path), ("magic", "ok, container version \(opened.header.format)")]
      return try opened.verified(by: keyring, progress: progress.share(of: "checksum"))
    }
    rows.append(("key", "ok, \(container.signer.id)\(label(of: container.signer, in: keyring))"))
    rows.append(("signature", "ok, Ed25519"))
    for part in container.header.parts {
      rows.append(("checksum", "ok, \(part.kind), \(part.storedByteCount) bytes, SHA-256"))
    }
    if container.header.part(.media) == nil {
      rows += try rehearsal(path, container.header, keyring, progress)
    } else {
      for part in container.header.parts {
        let show = progress.share(of: "decompressing the \(part.kind)")
        let manifest = try about(path) { try MediaImport.check(container, progress: show) }
        rows += unpacked(part, byteCount: part.contentByteCount ?? 0)
        rows.append(("manifest", "ok, \(manifest.imageCount) images"))
        rows.append(("images", "ok, type, length and SHA-256 of each"))
      }
    }
    rows += releaseRows(container.header)
    progress.finish()
    guard !quiet else { return }
    try writeFacts(rows, width: 11)
  }

  /// Does what an import does, in a folder that is removed; returns what was checked.
  private static func rehearsal(
    _ path: String, _ header: ContainerHeader, _ keyring: Keyring, _ progress: Progress
  ) throws -> [(String, String)] {
    TemporaryFiles.removeWhenInterrupted()
    let folder = try PrivateFolder()
    let found = try about(path) {
      try ReferenceImport.rehearse(path, trusting: keyring, in: folder.path) { step in
        progress.show("\(Int(step.fractionCompleted * 100)) % \(step.stage.rawValue) ...")
      }
    }
    var rows: [(String, String)] = []
    for part in header.parts {
      rows += unpacked(part, byteCount: part.contentByteCount ?? found.databaseByteCount)
      rows.append(
        part.kind == .database
          ? ("database", "ok, schema, every page, and it compiles")
          : found.isPackOfOlderFormat
            ? ("pack", "of an older format, left aside; the database compiles")
            : ("pack", "ok, what the database compiles to"))
    }
    return rows
  }

  private static func unpacked(_ part: ContainerPart, byteCount: Int) -> [(String, String)] {
    let isSigned = part.contentByteCount != nil
    return [
      ("gzip", "ok, \(part.kind), one member"),
      ("length", "ok, \(byteCount) bytes\(isSigned ? ", as signed" : "")"),
    ]
  }

  /// Shows what a container says of itself, unverified.
  static func inspect(_ path: String, json: Bool) throws {
    let container = try about(path) { try Container(path: path) }
    if json {
      try writeJSON(container.header, byteCount: container.byteCount)
      return
    }
    var rows = [("container", path), ("version", container.header.format.description)]
    rows += releaseRows(container.header)
    rows.append(("key", container.header.keyID?.description ?? "not stated"))
    for part in container.header.parts {
      let content = part.contentByteCount.map { ", \($0) decompressed" } ?? ""
      rows.append((part.kind.rawValue, "\(part.storedByteCount) bytes\(content)"))
    }
    rows.append(("bytes", "\(container.byteCount)"))
    rows.append(("verified", "no; check it with: stol verify \(path)"))
    try writeFacts(rows, width: 11)
  }

  private static func releaseRows(_ header: ContainerHeader) -> [(String, String)] {
    let schema = header.part(.media) == nil ? [("schema", "version \(header.schemaVersion)")] : []
    return [
      ("dataset", header.release?.dataset.text ?? "not stated"),
      ("release", header.release.map { "\($0.number)" } ?? "not stated, counts as 0"),
      ("built", header.release?.buildTime.description ?? "not stated"),
    ] + schema
  }

  private static func label(of key: VerifyingKey, in keyring: Keyring) -> String {
    for entry in keyring.entries where entry.key == key {
      switch entry.origin {
      case .builtIn: return ", built in"
      case .added(let label): return label.isEmpty ? "" : ", added as \(label)"
      case .keyring: return ", of the keyring"
      }
    }
    return ""
  }

  private static func writeJSON(_ header: ContainerHeader, byteCount: Int) throws {
    try RowWriter.writeDocument { writer in
      writer.text("container", header.format.rawValue)
      writer.number("schemaVersion", Int(header.schemaVersion))
      writer.text("dataset", header.release?.dataset.text)
      writer.number("release", Int(header.releaseNumber))
      writer.text("buildTime", header.release?.buildTime.description)
      writer.text("keyID", header.keyID?.description)
      writer.number("bytes", byteCount)
      writer.objects("parts", header.parts) { writer, part in
        writer.text("kind", part.kind.rawValue)
        writer.number("bytes", part.storedByteCount)
        writer.text("sha256", part.storedDigest.description)
        if let count = part.contentByteCount {
          writer.number("decompressedBytes", count)
        }
        if let digest = part.contentDigest {
          writer.text("decompressedSHA256", digest.description)
        }
      }
    }
  }
}
