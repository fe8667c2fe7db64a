/// An element of an XML document with all that is in it.
package final class XMLElement {
  /// Its name without a prefix.
  package let name: String
  /// By name without a prefix.
  package let attributes: [String: String]
  package fileprivate(set) var children: [XMLElement] = []
  /// Its own text, without that of its children.
  package fileprivate(set) var text = ""

  init(name: String, attributes: [String: String]) {
    self.name = name
    self.attributes = attributes
  }

  /// The first child of this name.
  package func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The first element of this name below this one, in the order of the document.
  package func descendant(_ name: String) -> XMLElement? {
    for child in children {
      if child.name == name { return child }
      if let found = child.descendant(name) { return found }
    }
    return nil
  }

  /// All text in it, with one space wherever there is white space.
  package var wholeText: String {
    var parts: [Substring] = []
    collect(&parts)
    return parts.joined(separator: " ")
  }

  private func collect(_ parts: inout [Substring]) {
    parts += text.split(whereSeparator: \.isWhitespace)
    for child in children { child.collect(&parts) }
  }
}

/// Why a document cannot be read.
package enum XMLFailure: Error, Equatable {
  /// It breaks a rule of XML.
  case malformed(line: Int, reason: String)
  /// It declares entities, which may grow without bound or reach for other files.
  case declaresEntities
  /// More bytes, elements or levels than a description can need.
  case tooLarge(String)
}

extension XMLFailure: CustomStringConvertible {
  /// What is wrong, without the file.
  package var description: String {
    switch self {
    case .malformed(let line, let reason): "not valid XML (line \(line): \(reason))"
    case .declaresEntities:
      "it declares XML entities, which no description needs; remove its DOCTYPE"
    case .tooLarge(let what): what
    }
  }
}

/// Makes the tree of a document from what the parser tells.
final class XMLTreeBuilder {
  /// How many elements a document may have; the largest descriptions of datasets have some ten thousand.
  static let elementLimit = 200_000
  /// How deep elements may lie in each other.
  static let depthLimit = 64

  private(set) var root: XMLElement?
  private(set) var failure: XMLFailure?
  private var open: [XMLElement] = []
  private var elementCount = 0

  func start(_ name: String, _ attributes: [String: String]) {
    elementCount += 1
    if elementCount > Self.elementLimit { return fail(.tooLarge("it has too many XML elements")) }
    if open.count >= Self.depthLimit { return fail(.tooLarge("its XML elements lie too deep")) }
    let element = XMLElement(name: Self.localName(name), attributes: attributes)
    if let parent = open.last { parent.children.append(element) } else { root = element }
    open.append(element)
  }

  func end() { _ = open.popLast() }

  func append(_ text: String) { open.last?.text += text }

  func fail(_ reason: XMLFailure) { if failure == nil { failure = reason } }

  static func localName(_ name: String) -> String {
    name.split(separator: ":").last.map(String.init) ?? name
  }
}
