public import STOLData
public import STOLSystem

/// A log that outlasts the process, for a command line, whose processes live for milliseconds.
///
/// It is there only while it is switched on; every process then adds the lines of its own
/// `DiagnosticLog` when it ends. Switching it off deletes it.
public struct DiagnosticFile: Sendable {
  /// The longest file; beyond it the older half is dropped.
  public static let greatestByteCount = 256 << 10

  private let folder: String
  private var path: String { folder + "/log.txt" }

  /// The log in `directory`.
  public init(in directory: DataDirectory) { folder = directory.diagnostics }

  /// Whether lines are kept.
  ///
  /// - Complexity: O(1), one system call.
  public var isEnabled: Bool { fileExists(path) }

  /// Switches it on; where it is on already nothing happens.
  ///
  /// - Throws: `SystemError` if the file cannot be made.
  public func enable() throws(SystemError) {
    try createFolder(folder)
    let lock = try FolderLock(path: folder)
    defer { _ = lock }
    if !isEnabled { try createFile(path, [], isOwnersOnly: true) }
  }

  /// Switches it off and deletes all lines.
  ///
  /// - Throws: `SystemError` if the file cannot be deleted.
  public func disable() throws(SystemError) {
    guard fileExists(folder) else { return }
    let lock = try FolderLock(path: folder)
    defer { _ = lock }
    try removeDurably(path)
    removeFolder(folder)
  }

  /// Deletes all lines; it stays on if it is on.
  ///
  /// - Throws: `SystemError`
  public func clear() throws(SystemError) {
    guard isEnabled else { return }
    try replace { _ in [] }
  }

  /// The lines, oldest first; none where it is off.
  ///
  /// - Throws: `SystemError` if the file is there and cannot be read.
  public func lines() throws(SystemError) -> [String] {
    guard isEnabled else { return [] }
    let file = try RegularFile(path: path, followsLinks: false)
    let bytes = try file.bytes(at: 0, limit: 2 * Self.greatestByteCount)
    return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Adds lines, if it is on.
  ///
  /// - Throws: `SystemError`
  public func append(_ lines: [String]) throws(SystemError) {
    guard !lines.isEmpty, isEnabled else { return }
    let added = lines.map { $0 + "\n" }.joined().utf8
    try replace { bytes in
      let all = bytes + added
      guard all.count > Self.greatestByteCount else { return all }
      // From the next line on.
      let half = all.suffix(Self.greatestByteCount / 2)
      return Array(half.drop { $0 != UInt8(ascii: "\n") }.dropFirst())
    }
  }

  private func replace(_ change: ([UInt8]) -> [UInt8]) throws(SystemError) {
    let lock = try FolderLock(path: folder)
    defer { _ = lock }
    guard isEnabled else { return }
    let bytes = try RegularFile(path: path, followsLinks: false)
      .bytes(at: 0, limit: 2 * Self.greatestByteCount)
    try replaceFile(path, with: change(bytes))
  }
}
