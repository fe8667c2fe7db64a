import STOLPack

/// A text of a taxon: as stol.h lists them.
enum TextField: Int32 {
  case scientificName = 0
  case authorship
  case rank
  case sourceID
  case commonName
}

/// Writes texts one behind the other as Arrow's large_utf8 has them, as far as there is room.
struct TextWriter: ~Copyable {
  private var text: [UInt8] = []
  private(set) var needed = 0

  /// Writes what `append` appends as the text of a row.
  @inline(__always)
  mutating func write(
    _ row: Int, _ offsets: inout MutableSpan<Int64>, _ bytes: inout MutableSpan<UInt8>,
    _ append: (inout [UInt8]) -> Void
  ) {
    text.removeAll(keepingCapacity: true)
    append(&text)
    if text.count <= bytes.count - needed {
      for index in text.indices { bytes[needed + index] = text[index] }
    }
    needed += text.count
    offsets[row + 1] = Int64(needed)
  }
}

extension PackView {
  /// Writes a text of each taxon, and returns how many bytes they have.
  func texts(
    _ field: TextField, _ language: String?, _ taxa: Span<UInt32>,
    _ offsets: inout MutableSpan<Int64>, _ bytes: inout MutableSpan<UInt8>
  ) throws(DoorError) -> Int {
    let argument = Argument(4, "taxa")
    let count = taxonCount
    // What one field alone needs.
    let preference = field == .commonName ? LanguagePreference(language, in: names) : nil
    let ranks = field == .rank ? self.taxa.ranks.all.map { Array($0.rawValue.utf8) } : []
    var writer = TextWriter()
    offsets[0] = 0
    for row in taxa.indices {
      let taxon = try taxon(taxa[row], count, argument)
      writer.write(row, &offsets, &bytes) { text in
        guard let taxon else { return }
        switch field {
        case .scientificName:
          names.appendText(of: NameOrdinal(rawValue: taxon.rawValue), to: &text)
        case .authorship: text += self.taxa.authors[self.taxa.author(of: taxon)].utf8
        case .rank:
          let row = self.taxa.rank(of: taxon).rawValue
          if row < ranks.count { text += ranks[row] }
        case .sourceID: ids.appendSourceID(of: taxon, to: &text)
        case .commonName:
          guard let preference, let name = commonName(of: taxon, in: preference) else { return }
          names.appendText(of: name, to: &text)
        }
      }
    }
    return writer.needed
  }

  /// Writes the text of each name, and returns how many bytes they have.
  func texts(
    ofNames ordinals: Span<UInt32>, _ offsets: inout MutableSpan<Int64>,
    _ bytes: inout MutableSpan<UInt8>
  ) throws(DoorError) -> Int {
    let count = taxonCount + names.furtherCount
    var writer = TextWriter()
    offsets[0] = 0
    for row in ordinals.indices {
      let ordinal = ordinals[row]
      guard Int(ordinal) < count || ordinal == none else {
        throw .argument(2, "names has name \(ordinal), and the pack \(count) names")
      }
      writer.write(row, &offsets, &bytes) { text in
        if ordinal != none { names.appendText(of: NameOrdinal(rawValue: ordinal), to: &text) }
      }
    }
    return writer.needed
  }
}
