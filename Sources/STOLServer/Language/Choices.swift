import STOLData
import STOLSystem

/// What a person chose of how the explorer looks and speaks.
struct Choices: Equatable, Sendable {
  /// Light or dark.
  enum Theme: String, CaseIterable, Sendable {
    case system, light, dark
  }

  /// Nil for what the browser prefers.
  var language: PageLanguage?
  var theme = Theme.system

  init() {}

  /// The choices that fields name; what they do not name is as usual.
  init(_ fields: Fields) {
    language = fields["language"].flatMap(PageLanguage.init(rawValue:))
    theme = fields["theme"].flatMap(Theme.init(rawValue:)) ?? .system
  }

  var fields: Fields {
    var fields = Fields()
    fields.append("language", language?.rawValue)
    fields.append("theme", theme == .system ? nil : theme.rawValue)
    return fields
  }
}

/// The choices, kept in the data directory as all that the explorer keeps.
///
/// Browsers send cookies of this machine to every program that listens on it, whatever its port; a file is for
/// the explorer alone, and no cookie need be asked about.
final class KeptChoices: Sendable {
  private let path: String
  private let folder: String
  private let choices: Locked<Choices>

  private static let greatestByteCount = 4096

  /// The choices in a data directory; as usual where there are none or they cannot be read.
  init(in directory: DataDirectory) {
    folder = directory.path
    path = directory.choices
    let bytes = try? RegularFile(path: path, followsLinks: false)
      .bytes(at: 0, limit: Self.greatestByteCount)
    let fields = bytes.flatMap { Fields(parsing: String(decoding: $0, as: UTF8.self)) }
    choices = Locked(fields.map(Choices.init) ?? Choices())
  }

  /// What counts now.
  var current: Choices { choices.withLock { $0 } }

  /// Keeps other choices.
  ///
  /// - Throws: `SystemError` if they cannot be written; then all is as it was.
  func keep(_ new: Choices) throws(SystemError) {
    guard new != current else { return }
    try createFolder(folder)
    let bytes = Array((new.fields.text + "\n").utf8)
    var file = try ReplacementFile(path: path, isOwnersOnly: true)
    try file.write(bytes, at: 0)
    try file.finish()
    choices.withLock { $0 = new }
  }
}
