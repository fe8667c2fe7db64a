import STOLMatch
import STOLPack

/// What a name is to its taxon: as stol.h lists it.
private enum NameKind: UInt8 {
  case scientific = 0
  case common
  case synonym

  init(_ name: NameOrdinal, _ view: borrowing PackView) {
    if view.names.isScientific(name) {
      self = .scientific
    } else {
      self = view.names.type(of: name) == .synonym ? .synonym : .common
    }
  }
}

extension SearchQuery {
  /// A query without its text, as numbers say it.
  init(
    mode: Int32, words: Int32, edits: Int32, limit: Int, _ filter: SearchFilter,
    _ argument: Argument
  ) throws(DoorError) {
    let modes: [SearchQuery.Mode] = [.auto, .exact, .prefix, .fuzzy, .contains]
    guard mode >= 0, Int(mode) < modes.count else { throw argument.wrong("has mode \(mode)") }
    guard words == 0 || words == 1 else { throw argument.wrong("has words \(words)") }
    guard edits >= -1, Int(edits) <= SearchQuery.greatestDistance else {
      throw argument.wrong("has \(edits) edits: -1 to \(SearchQuery.greatestDistance)")
    }
    guard limit > 0 else {
      throw argument.wrong("has limit \(UInt(bitPattern: limit)), not 1 to 2^63 - 1")
    }
    self.init(
      "", mode: modes[Int(mode)], maximumDistance: edits < 0 ? nil : Int(edits),
      words: words == 0 ? .anyForm : .asTyped, limit: limit, filter: filter)
  }
}

extension PackView {
  /// Searches for each text, and returns how many hits there are.
  func search(
    _ texts: borrowing TextColumn, _ query: SearchQuery, _ offsets: inout MutableSpan<Int64>,
    _ hits: inout HitColumns
  ) throws(DoorError) -> Int {
    var session = SearchSession()
    var reader = SearchReader()
    var needed = 0
    offsets[0] = 0
    for row in 0..<texts.count {
      if let text = try texts.utf8(row), Self.isAskable(text) {
        let found = search(text.array, query, &reader, &session)
        for hit in found {
          if needed < hits.room {
            hits.write(
              needed, hit.taxon.rawValue, hit.name.rawValue, NameKind(hit.name, self).rawValue,
              UInt8(clamping: hit.matchClass.rawValue), UInt8(clamping: hit.distance))
          }
          needed += 1
        }
      }
      offsets[row + 1] = Int64(needed)
    }
    return needed
  }

  /// The hits of a text, as the command reads it.
  private func search(
    _ text: [UInt8], _ query: SearchQuery, _ reader: inout SearchReader,
    _ session: inout SearchSession
  ) -> ArraySlice<SearchHit> {
    switch reader.read(text[...], query, &session, in: self) {
    case .id(_, let hits), .authored(_, let hits): return hits.prefix(query.limit)
    case .text(let text, let mode, isPart: _):
      // A root that no source has is no answer to a text.
      let hasImplied = taxonCount > 0 && isImplied(TaxonOrdinal(rawValue: 0))
      var asked = query
      asked.mode = mode
      if hasImplied, asked.limit < .max { asked.limit += 1 }
      session.search(text.span, asked, in: self)
      var hits = session.hits
      if hasImplied { hits.removeAll { isImplied($0.taxon) } }
      guard let best = hits.first, SearchReader.isAnswer(best, to: text, mode, in: self) else {
        return []
      }
      return hits.prefix(query.limit)
    }
  }

  private static func isAskable(_ text: Span<UInt8>) -> Bool {
    guard text.count <= SearchQuery.maximumByteCount else { return false }
    var isBlank = true
    for index in text.indices where text[index] > UInt8(ascii: " ") {
      // Most texts have a letter of ASCII; other characters may be spaces.
      guard text[index] >= 0x80 else { return true }
      isBlank = false
    }
    return !isBlank && text.hasVisibleCharacter
  }
}
