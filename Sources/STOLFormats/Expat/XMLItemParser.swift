/// An element of a long document with all that is in it.
package final class XMLItem {
  /// Its name without a prefix.
  package let name: String
  /// Its attributes in their order, names without a prefix.
  package let attributes: [(name: String, value: String)]
  /// The line that it begins on.
  package let line: Int
  package fileprivate(set) var children: [XMLItem] = []
  /// Its own text from the first character on that is no white space, without that of its children.
  package fileprivate(set) var text = ""

  fileprivate init(name: String, attributes: [(name: String, value: String)], line: Int) {
    (self.name, self.attributes, self.line) = (name, attributes, line)
  }

  /// The value of an attribute.
  package func attribute(_ name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }

  /// The first child of this name.
  package func child(_ name: String) -> XMLItem? { children.first { $0.name == name } }
}

/// A part of a document that was asked for.
package enum XMLPart {
  /// An element that begins; what is in it follows.
  case begin(XMLItem)
  /// The end of such an element.
  case end(String)
  /// An element with all that is in it.
  case whole(XMLItem)
}

/// Reads an XML document of any length that comes in pieces, with expat, and keeps of it what is asked for.
///
/// Declarations of entities are refused, and no other file is ever opened.
package final class XMLItemParser {
  /// What is to be done with an element.
  package enum Choice {
    /// Look at what is in it.
    case descend
    /// That too, and tell of its beginning and its end.
    case tell
    /// Keep all of it.
    case keep
  }

  private let events: XMLEventParser
  private let builder: Builder

  /// The parts that were read and that nobody has taken, in their order.
  package var parts: [XMLPart] {
    get { builder.parts }
    set { builder.parts = newValue }
  }
  /// The line that was read last, from 1.
  package var line: Int { events.line }

  /// A parser that has read nothing.
  ///
  /// - Parameter choose: what is to be done with an element, by its name and that of the one that it is in, which
  ///   is nil for the outermost.
  /// - Throws: `XMLFailure.tooLarge` if memory runs out.
  package init(
    choose: @escaping (_ name: String, _ parent: String?) -> Choice
  ) throws(XMLFailure) {
    let builder = Builder(choose)
    self.builder = builder
    events = try XMLEventParser(
      onStart: { builder.begin($0, $2) }, onEnd: { _ in builder.finish() })
    builder.events = events
  }

  /// Reads the next piece of the document.
  ///
  /// - Parameters:
  ///   - bytes: the piece; it may end anywhere.
  ///   - isLast: whether nothing follows.
  /// - Throws: `XMLFailure`; `parts` has what came before.
  package func parse(_ bytes: [UInt8], isLast: Bool) throws(XMLFailure) {
    try events.parse(bytes, isLast: isLast)
  }

  /// Makes parts of what the parser tells.
  private final class Builder {
    weak var events: XMLEventParser?
    var parts: [XMLPart] = []
    private let choose: (_ name: String, _ parent: String?) -> Choice
    /// The names of elements that are open, and whether they are told of, outside of what is kept.
    private var outer: [(name: String, isTold: Bool)] = []
    /// The elements that are open and kept.
    private var inner: [XMLItem] = []
    private var elementCount = 0
    /// How many elements may be in one that is kept.
    private static let elementLimit = 200_000
    /// The most bytes of the text of an element.
    private static let textLimit = 1 << 20

    init(_ choose: @escaping (_ name: String, _ parent: String?) -> Choice) {
      self.choose = choose
    }

    func begin(_ name: String, _ attributes: () -> [(name: String, value: String)]) {
      takeText()
      func made() -> XMLItem {
        XMLItem(name: name, attributes: attributes(), line: events?.line ?? 0)
      }
      if let parent = inner.last {
        elementCount += 1
        guard elementCount <= Self.elementLimit else {
          events?.fail(.tooLarge("an element has more than \(Self.elementLimit) others in it"))
          return
        }
        let item = made()
        parent.children.append(item)
        inner.append(item)
        return
      }
      switch choose(name, outer.last?.name) {
      case .descend: outer.append((name, false))
      case .tell:
        outer.append((name, true))
        parts.append(.begin(made()))
      case .keep:
        elementCount = 0
        inner.append(made())
        events?.isCollecting = true
      }
    }

    func finish() {
      takeText()
      if let item = inner.popLast() {
        guard inner.isEmpty else { return }
        parts.append(.whole(item))
        events?.isCollecting = false
      } else if let (name, isTold) = outer.popLast(), isTold {
        parts.append(.end(name))
      }
    }

    /// Gives the text that came so far to the element that is open.
    private func takeText() {
      guard let events, !events.text.isEmpty else { return }
      defer { events.text.removeAll(keepingCapacity: true) }
      guard let item = inner.last else { return }
      let text =
        item.text.isEmpty
        ? events.text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) } : events.text[...]
      guard item.text.utf8.count + text.count <= Self.textLimit else {
        return events.fail(.tooLarge("it has a text of more than \(Self.textLimit) bytes"))
      }
      item.text += String(decoding: text, as: UTF8.self)
    }
  }
}
