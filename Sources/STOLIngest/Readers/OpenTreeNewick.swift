import STOLNames

/// The named nodes of a tree in Newick form, labelled as Open Tree does: "Name_ott123", "'Name ott123'".
///
/// Nodes without such a label, as "mrcaott1ott2", are passed over: what is below them belongs to the
/// next named one above. Nothing recurses, whatever the depth; damaged trees give what can be read.
struct OpenTreeNewick {
  /// The taxa in the order in which their nodes begin, ancestors first.
  private(set) var taxa: [OpenTreeAnswers.Taxon] = []

  /// - Complexity: O(length of the text)
  init(_ bytes: [UInt8]) {
    // For each node its parent among nodes and what it is called.
    var parents: [Int32] = [-1]
    var labels: [Range<Int>] = [0..<0]
    var current = 0
    var index = 0
    func open(below parent: Int32) {
      parents.append(parent)
      labels.append(0..<0)
      current = parents.count - 1
    }
    scanning: while index < bytes.count, parents.count < Int(Int32.max) {
      switch bytes[index] {
      case UInt8(ascii: "("):
        open(below: Int32(current))
        index += 1
      case UInt8(ascii: ","):
        open(below: max(0, parents[current]))
        index += 1
      case UInt8(ascii: ")"):
        current = max(0, Int(parents[current]))
        index += 1
      case UInt8(ascii: ";"):
        break scanning
      case UInt8(ascii: "["):
        while index < bytes.count, bytes[index] != UInt8(ascii: "]") { index += 1 }
        index += 1
      case UInt8(ascii: ":"):
        index += 1
        while index < bytes.count, !Self.isMark(bytes[index]) { index += 1 }
      case 0x00...0x20:
        index += 1
      case UInt8(ascii: "'"):
        let start = index
        index += 1
        while index < bytes.count {
          if bytes[index] == UInt8(ascii: "'") {
            guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "'") else { break }
            index += 1
          }
          index += 1
        }
        index = min(bytes.count, index + 1)
        labels[current] = start..<index
      default:
        let start = index
        while index < bytes.count, !Self.isMark(bytes[index]) { index += 1 }
        if start == index { index += 1 }
        labels[current] = start..<index
      }
    }
    name(parents, labels, bytes)
    guessRanks()
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte < 0x20 || "(),:;['".utf8.contains(byte)
  }

  /// Makes taxa of the labels; each is below its nearest named ancestor.
  private mutating func name(_ parents: [Int32], _ labels: [Range<Int>], _ bytes: [UInt8]) {
    var above = [Int64](repeating: 0, count: parents.count)
    for node in parents.indices {
      let parent = parents[node] < 0 ? 0 : above[Int(parents[node])]
      guard !labels[node].isEmpty,
        var taxon = Self.taxon(String(decoding: bytes[labels[node]], as: UTF8.self))
      else {
        above[node] = parent
        continue
      }
      taxon.parent = parent == 0 ? nil : parent
      // One without a name is no taxon that others can be below.
      above[node] = taxon.name.isEmpty ? parent : taxon.id
      taxa.append(taxon)
    }
  }

  /// "Homo_sapiens_ott770315", "'Bacillus (genus in Opisthokonta) ott123'", "ott770315".
  private static func taxon(_ label: String) -> OpenTreeAnswers.Taxon? {
    var label = label
    if label.hasPrefix("'"), label.hasSuffix("'"), label.count > 1 {
      label = String(label.dropFirst().dropLast()).replacing("''", with: "'")
    }
    guard !label.hasPrefix("mrcaott"), let mark = label.ranges(of: "ott").last,
      let id = Int64(label[mark.upperBound...]), id > 0
    else { return nil }
    var name = String(label[..<mark.lowerBound])
    if let last = name.last, last != "_", last != " " { return nil }
    name = trimmingSpaces(name.replacing("_", with: " "))
    if let note = name.firstRange(of: " ("), name.hasSuffix(")"), name.contains(" in ") {
      name = String(name[..<note.lowerBound])
    }
    var taxon = OpenTreeAnswers.Taxon(id: id)
    taxon.name = name
    return taxon
  }

  private static let endings: [(ending: String, rank: String)] = [
    ("idae", "family"), ("aceae", "family"), ("ales", "order"), ("iformes", "order"),
  ]

  private mutating func guessRanks() {
    var genera: Set<Substring> = []
    for index in taxa.indices {
      let words = taxa[index].name.split(separator: " ")
      guard words.count == 2, let first = words[0].first, first.isUppercase,
        words[1].first?.isLowercase ?? false, words[1].allSatisfy({ $0.isLetter || $0 == "-" })
      else { continue }
      taxa[index].rank = "species"
      genera.insert(words[0])
    }
    for index in taxa.indices where taxa[index].rank.isEmpty {
      let name = taxa[index].name
      if genera.contains(name[...]) {
        taxa[index].rank = "genus"
      } else if !name.contains(" ") {
        taxa[index].rank = Self.endings.first { name.hasSuffix($0.ending) }?.rank ?? ""
      }
    }
  }
}
