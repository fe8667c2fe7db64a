import STOLTrust
import STOLAnswers
import STOLMedia

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
    for part in container.header.parts {
      let show = progress.share(of: "decompressing the \(part.kind)")
      var facts: [(String, String)] = []
      let byteCount = try about(path) {
        guard part.kind == .media else {
          let start = part.kind == .database ? "SQLite 3" : "a pack"
          facts = [(part.kind.rawValue, "ok, begins as \(start)")]
          return try container.decompress(part, progress: show).byteCount
        }
        let manifest = try MediaImport.check(container, progress: show)
        facts = [
          ("manifest", "ok, \(manifest.imageCount) images"),
          ("images", "ok, type, length and SHA-256 of each"),
        ]
        return part.contentByteCount ?? 0
      }
      rows.append(("gzip", "ok, \(part.kind), one member"))
      let isSigned = part.contentByteCount != nil
      rows.append(("length", "ok, \(byteCount) bytes\(isSigned ? ", as signed" : "")"))
      rows += facts
    }
    rows += releaseRows(container.header)
    progress.finish()
    guard !quiet else { return }
    try writeFacts(rows, width: 11)
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
      case .current, .next: return ", of the keyring"
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
