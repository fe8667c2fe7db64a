import STOLAnswers

/// The messages of the explorer in one language.
///
/// A catalogue is a text file inside the program, with a line `key = text` for each message and a line for
/// each form of one that goes with a number, as in `species.one = one species`; `species.any` is for all
/// numbers. What stands in braces is a place for what the page has to say: `Page {number} of {count}`.
struct Catalogue: Sendable {
  /// A text with places in it.
  struct Template: Equatable, Sendable {
    enum Piece: Equatable, Sendable {
      case text(String)
      case place(String)
    }

    let pieces: [Piece]
    /// All of it as it was written.
    let source: String

    init(_ source: String) {
      self.source = source
      var pieces: [Piece] = []
      var rest = source[...]
      while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
        if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
        pieces.append(.place(String(rest[rest.index(after: open)..<close])))
        rest = rest[rest.index(after: close)...]
      }
      if !rest.isEmpty { pieces.append(.text(String(rest))) }
      self.pieces = pieces
    }

    /// The names of its places.
    var places: Set<String> {
      Set(pieces.compactMap { if case .place(let name) = $0 { name } else { nil } })
    }
  }

  /// A message: one text, or one for each form.
  struct Entry: Sendable {
    fileprivate(set) var any: Template?
    fileprivate(set) var forms: [PluralForm: Template] = [:]
  }

  let language: PageLanguage
  /// By the numbers of the messages.
  private var entries: [Entry]
  /// Ranks by what sources call them; those without a usual word are left out.
  private(set) var ranks: [String: String] = [:]
  /// Words of tables by their English.
  private(set) var terms: [String: String] = [:]
  /// Keys that are none of a message.
  private(set) var unknownKeys: [String] = []

  /// The catalogue of a language, read once.
  static func of(_ language: PageLanguage) -> Catalogue {
    switch language {
    case .en: en
    case .de: de
    case .fr: fr
    case .es: es
    case .pt: pt
    case .zh: zh
    case .ja: ja
    case .ar: ar
    }
  }

  private static let en = Catalogue(.en)
  private static let de = Catalogue(.de)
  private static let fr = Catalogue(.fr)
  private static let es = Catalogue(.es)
  private static let pt = Catalogue(.pt)
  private static let zh = Catalogue(.zh)
  private static let ja = Catalogue(.ja)
  private static let ar = Catalogue(.ar)

  private init(_ language: PageLanguage) {
    let bytes = Asset.all["words/\(language.rawValue).txt"]?.bytes ?? []
    self.init(language, parsing: String(decoding: bytes, as: UTF8.self))
  }

  /// Reads a catalogue; lines that begin with # are for people.
  init(_ language: PageLanguage, parsing text: String) {
    self.language = language
    entries = [Entry](repeating: Entry(), count: Message.allCases.count)
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let sides = line.split(separator: " = ", maxSplits: 1)
      guard sides.count == 2 else { continue }
      let (key, value) = (sides[0], String(sides[1]))
      if key.hasPrefix("rank ") {
        ranks[String(key.dropFirst(5))] = value
        continue
      }
      if key.hasPrefix("term ") {
        terms[String(key.dropFirst(5))] = value
        continue
      }
      let parts = key.split(separator: ".", maxSplits: 1)
      guard let message = Message.named[String(parts[0])] else {
        unknownKeys.append(String(key))
        continue
      }
      if parts.count == 2, parts[1] != "any" {
        guard let form = PluralForm(rawValue: String(parts[1])) else {
          unknownKeys.append(String(key))
          continue
        }
        entries[message.rawValue].forms[form] = Template(value)
      } else {
        entries[message.rawValue].any = Template(value)
      }
    }
  }

  /// A message as the catalogue has it.
  subscript(message: Message) -> Entry { entries[message.rawValue] }

  /// The text of a message; where it is missing, which a test forbids, that of English.
  func template(_ message: Message, _ form: PluralForm? = nil) -> Template {
    let entry = entries[message.rawValue]
    if let text = form.flatMap({ entry.forms[$0] }) ?? entry.any ?? entry.forms[.other] {
      return text
    }
    return language == .en ? Template("\(message)") : Self.en.template(message, form)
  }

  /// The messages that scripts say, as a module of a script.
  var script: [UInt8] {
    let object = RowWriter.object { json in
      for message in Message.ofScripts {
        let entry = entries[message.rawValue]
        if entry.forms.isEmpty {
          json.text("\(message)", template(message).source)
        } else {
          json.object("\(message)") { json in
            for form in PluralForm.allCases {
              if let text = entry.forms[form] { json.text(form.rawValue, text.source) }
            }
          }
        }
      }
      json.text("comma", language.comma)
      json.object("ranks") { json in
        for (rank, word) in ranks.sorted(by: { $0.key < $1.key }) { json.text(rank, word) }
      }
    }
    return Array("export default ".utf8) + object + Array(";\n".utf8)
  }
}
