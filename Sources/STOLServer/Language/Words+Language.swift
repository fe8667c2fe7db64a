import STOLPack

/// The language of the answer that is being made, and sentences in it.
extension Words {
  /// The language in which pages speak to whoever asks; programs are answered in English.
  ///
  /// Sentences are made in many places that have no page at hand, as pictures and lists; a value of the task
  /// spares each of them a parameter, and no answer can see the language of another.
  @TaskLocal static var language = PageLanguage.en

  /// A message with what stands in its places.
  static subscript(
    _ message: Message, _ values: KeyValuePairs<String, String> = [:]
  ) -> String {
    fill(Catalogue.of(language).template(message), values)
  }

  /// A message in the form that goes with a number, which stands at `{count}`.
  static subscript(
    _ message: Message, count count: Int, _ values: KeyValuePairs<String, String> = [:]
  ) -> String {
    let language = language
    return fill(
      Catalogue.of(language).template(message, language.pluralForm(of: count)), values,
      count: language.grouped(count))
  }

  /// The same for a number that need not be whole, as it is to be written.
  static subscript(_ message: Message, amount number: Double, as text: String) -> String {
    let language = language
    return fill(
      Catalogue.of(language).template(message, language.pluralForm(of: number)), [:], count: text)
  }

  private static func fill(
    _ template: Catalogue.Template, _ values: KeyValuePairs<String, String>, count: String? = nil
  ) -> String {
    if template.pieces.count == 1, case .text(let text) = template.pieces[0] { return text }
    let isolates = language.isRightToLeft
    var text = ""
    for piece in template.pieces {
      switch piece {
      case .text(let part): text += part
      case .place("count") where count != nil: text += count ?? ""
      case .place(let name):
        guard let value = values.first(where: { $0.key == name })?.value else {
          text += "{\(name)}"
          continue
        }
        // Names run in their own direction, and leave that of what is around them alone.
        text += isolates ? "\u{2068}\(value)\u{2069}" : value
      }
    }
    return text
  }

  // MARK: - Rows

  /// Texts as a row in a sentence, as in "a, b and c".
  static func row(_ texts: [String]) -> String {
    guard let last = texts.last, texts.count > 1 else { return texts.joined() }
    let first = texts.dropLast().dropFirst().reduce(texts[0]) {
      Self[.rowOfMore, ["first": $0, "next": $1]]
    }
    // Spanish says "e" before the sound of i.
    let sounds = last.lowercased()
    let isBeforeI = sounds.hasPrefix("i") || sounds.hasPrefix("í") || sounds.hasPrefix("hi")
    return Self[isBeforeI ? .rowOfPairBeforeI : .rowOfPair, ["first": first, "last": last]]
  }

  /// What stands between the parts of an enumeration.
  static var comma: String { language.comma }

  // MARK: - Tables

  /// A rank in the language, or in English where that has no usual word for it.
  static func rank(_ rank: String) -> String {
    let language = language
    return language == .en ? rank : Catalogue.of(language).ranks[rank] ?? rank
  }

  /// A word of a table that is written in English, as those of traits.
  static func term(_ english: String) -> String {
    let language = language
    return language == .en ? english : Catalogue.of(language).terms[english] ?? english
  }
}

extension Html {
  /// A message with pieces of HTML in its places: the text of the message itself is escaped.
  init(_ message: Message, _ values: KeyValuePairs<String, Html>) {
    self.init()
    for piece in Catalogue.of(Words.language).template(message).pieces {
      switch piece {
      case .text(let text): self += Html(text)
      case .place(let name): self += values.first { $0.key == name }?.value ?? Html("{\(name)}")
      }
    }
  }
}

extension [String] {
  /// The texts as a row in a sentence.
  var formatted: String { Words.row(self) }
}
