import GRDB
import STOLStore
import STOLSystem
import STOLTrust

/// The UUIDs under which others have records that are obscured, and all photos.
///
/// A UUID of version 7 says by the millisecond when a record was made, and one that was made of the cells of a table
/// can be found by trying what may have stood there. So others get one that nobody can make without the key of the
/// journal, always the same, so that who has the record already knows it again.
struct SharedNames {
  private let key: [UInt8]
  /// The setting that the key is kept in, as 64 hexadecimal digits.
  static let setting = "share_key"
  private static let keyByteCount = 32

  /// The key that a setting holds.
  init?(setting text: String?) {
    guard let text, text.utf8.count == 2 * Self.keyByteCount, let high = JournalID(half: text, 0),
      let low = JournalID(half: text, 1)
    else { return nil }
    key = high.bytes + low.bytes
  }

  /// A new key, as the setting holds it.
  static func newSetting() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<keyByteCount / 8).map { _ in generator.next().digits(16, radix: 16) }.joined()
  }

  /// The UUID, of version 8, under which others have a record.
  func name(of id: JournalID) -> JournalID {
    JournalID(digest: SHA256.digest(of: key + Array("stol share".utf8) + id.bytes).bytes)
  }
}

extension JournalID {
  fileprivate init?(half text: String, _ index: Int) {
    self.init(String(text.dropFirst(32 * index).prefix(32)))
  }
}

extension JournalFile {
  /// The names under which others have records, the same as ever; the first time a key is made.
  func sharedNames() throws -> SharedNames {
    if let known = SharedNames(setting: try setting(SharedNames.setting)) { return known }
    // Somebody else may make one at the same time.
    try file.withDatabase(isChange: true) { database in
      try database.inTransaction(.immediate) {
        try database.execute(
          sql: "INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING",
          arguments: [SharedNames.setting, SharedNames.newSetting()])
        return .commit
      }
    }
    guard let kept = SharedNames(setting: try setting(SharedNames.setting)) else {
      throw JournalError.invalid(
        field: SharedNames.setting, value: "", remedy: "64 hexadecimal digits, in the settings")
    }
    return kept
  }
}

extension SharedNames {
  /// The UUIDs under which others have records of a journal, or may have had; none where it gave nothing away.
  ///
  /// - Complexity: O(number of records)
  static func givenAway(_ database: Database) throws -> Set<JournalID> {
    let text = try String.fetchOne(
      database, sql: "SELECT value FROM setting WHERE key = ?", arguments: [setting])
    guard let names = SharedNames(setting: text) else { return [] }
    var given: Set<JournalID> = []
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT uuid FROM record
        WHERE kind IN ('event', 'organism', 'occurrence', 'identification', 'photo')
        """)
    while let row = try rows.next() { given.insert(names.name(of: try row.uuid("uuid"))) }
    return given
  }
}
