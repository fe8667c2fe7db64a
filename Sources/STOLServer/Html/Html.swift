/// A piece of HTML or SVG in which every text is escaped.
///
/// There is one way to put text into it, and that one escapes; names of elements and attributes are
/// literals of this program. So nothing that a database or a visitor says can become markup.
struct Html: Sendable {
  /// UTF-8.
  private(set) var bytes: [UInt8] = []

  /// Nothing.
  init() {}

  /// A text, escaped.
  init(_ text: String) { Self.append(text, to: &bytes) }

  /// The pieces that `content` lists, one after the other.
  init(@HtmlBuilder _ content: () -> Html) { self = content() }

  /// An element with its content, which may be empty.
  init(element name: StaticString, _ attributes: [Attribute], _ content: Html) {
    open(name, attributes)
    bytes += content.bytes
    bytes += "</\(name)>".utf8
  }

  /// An element that never has content, as in HTML's `input`.
  init(void name: StaticString, _ attributes: [Attribute]) { open(name, attributes) }

  /// Adds a piece at the end.
  static func += (html: inout Html, piece: Html) { html.bytes += piece.bytes }

  /// A whole document.
  static func document(_ root: Html) -> [UInt8] { Array("<!doctype html>\n".utf8) + root.bytes }

  private mutating func open(_ name: StaticString, _ attributes: [Attribute]) {
    bytes.append(UInt8(ascii: "<"))
    bytes += name.description.utf8
    for attribute in attributes {
      guard let value = attribute.value else { continue }
      bytes.append(UInt8(ascii: " "))
      bytes += attribute.name.description.utf8
      bytes += "=\"".utf8
      Self.append(value, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: ">"))
  }

  /// Appends `text` with what HTML and XML give a meaning to as entities; characters that neither
  /// allows become U+FFFD.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes += text.utf8
    let isPlain = bytes[start...].allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""),
        UInt8(ascii: "'"), 0x7F, 0..<0x20, 0xEF:
        false
      default: true
      }
    }
    if isPlain { return }
    bytes.removeSubrange(start...)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": bytes += "&lt;".utf8
      case ">": bytes += "&gt;".utf8
      case "&": bytes += "&amp;".utf8
      case "\"": bytes += "&quot;".utf8
      case "'": bytes += "&#39;".utf8
      case "\n", "\t": bytes += scalar.utf8
      case "\0"..<" ", "\u{7F}", "\u{FFFE}", "\u{FFFF}": bytes += "\u{FFFD}".utf8
      default: bytes += scalar.utf8
      }
    }
  }
}

/// An attribute of an element; one without a value is left out.
struct Attribute: Sendable {
  let name: StaticString
  let value: String?

  init(_ name: StaticString, _ value: String?) {
    self.name = name
    self.value = value
  }

  /// One that is there or not, as in HTML's `checked`.
  init(_ name: StaticString, isSet: Bool) {
    self.init(name, isSet ? "" : nil)
  }
}

/// Lists pieces of HTML; a string among them is a text and is escaped.
@resultBuilder
enum HtmlBuilder {
  static func buildExpression(_ text: String) -> Html { Html(text) }
  static func buildExpression(_ html: Html) -> Html { html }
  static func buildExpression(_ html: Html?) -> Html { html ?? Html() }
  static func buildExpression(_ pieces: [Html]) -> Html { buildArray(pieces) }
  static func buildBlock(_ pieces: Html...) -> Html { buildArray(pieces) }
  static func buildOptional(_ html: Html?) -> Html { html ?? Html() }
  static func buildEither(first html: Html) -> Html { html }
  static func buildEither(second html: Html) -> Html { html }
  static func buildArray(_ pieces: [Html]) -> Html {
    var all = Html()
    for piece in pieces { all += piece }
    return all
  }
}

/// An element: `tag("p", .class("fact")) { "It is a mammal." }`.
func tag(
  _ name: StaticString, _ attributes: Attribute..., @HtmlBuilder content: () -> Html = { Html() }
) -> Html {
  Html(element: name, attributes, content())
}

/// An element of HTML that never has content: `void("input", .name("q"))`.
func void(_ name: StaticString, _ attributes: Attribute...) -> Html {
  Html(void: name, attributes)
}

/// A part of a page with its heading.
func section(
  _ title: String, class name: String? = nil, id: String? = nil, @HtmlBuilder content: () -> Html
) -> Html {
  tag("section", .class(name), Attribute("id", id)) {
    tag("h2") { title }
    content()
  }
}

/// A list with an item for each element.
func itemList<Element>(
  _ name: StaticString = "ul", class listClass: String? = nil, item itemClass: String? = nil,
  of elements: some Sequence<Element>, @HtmlBuilder content: (Element) -> Html
) -> Html {
  tag(name, .class(listClass)) {
    elements.map { element in tag("li", .class(itemClass)) { content(element) } }
  }
}

/// Nested lists of a tree whose nodes come in preorder, each with its parent's position.
func nestedLists(
  _ parents: [Int?], below parent: Int? = nil, @HtmlBuilder content: (Int) -> Html
) -> Html {
  let children = parents.indices.filter { parents[$0] == parent }
  guard !children.isEmpty else { return Html() }
  return itemList(class: "clades", of: children) { index in
    content(index)
    nestedLists(parents, below: index, content: content)
  }
}

extension Attribute {
  static func `class`(_ value: String?) -> Attribute { Attribute("class", value) }
  static func id(_ value: String) -> Attribute { Attribute("id", value) }
  static func lang(_ value: String?) -> Attribute { Attribute("lang", value) }
  static func name(_ value: String) -> Attribute { Attribute("name", value) }
  static func type(_ value: String) -> Attribute { Attribute("type", value) }
  static func value(_ value: String) -> Attribute { Attribute("value", value) }
  static func role(_ value: String) -> Attribute { Attribute("role", value) }
  static func label(_ value: String) -> Attribute { Attribute("aria-label", value) }
  static func href(_ address: Address) -> Attribute { Attribute("href", address.text) }
  static func `for`(_ id: String) -> Attribute { Attribute("for", id) }
  static let hidden = Attribute("aria-hidden", "true")
}
