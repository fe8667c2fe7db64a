/// Where the columns of a table are, by name.
///
/// `dwc:taxonID`, `http://rs.tdwg.org/dwc/terms/taxonID`, `Taxon_ID` and ` taxonid ` are one name.
package struct ColumnMap {
  /// The names as they were given, in the order of the columns.
  package let names: [String]
  /// The column of each name.
  private let places: [Int]
  private let indexes: [String: Int]
  private let asked = Asked()

  /// The columns that somebody has asked for; copies of a map share them.
  private final class Asked {
    var indexes: Set<Int> = []
  }

  /// The columns of a header; of two of one name the first counts.
  package init(_ names: [String]) {
    self.init(indexes: names.enumerated().map { (name: $1, index: $0) })
  }

  /// Columns that something else than a header names, as meta.xml does.
  package init(indexes: [(name: String, index: Int)]) {
    var keys: [String: Int] = [:]
    var names: [String] = []
    for (name, index) in indexes {
      names.append(name)
      let key = Self.key(name)
      if !key.isEmpty, keys[key] == nil { keys[key] = index }
    }
    self.names = names
    places = indexes.map { $0.index }
    self.indexes = keys
  }

  /// The column of the first of these names that there is.
  package func index(_ candidates: String...) -> Int? {
    for candidate in candidates {
      if let index = indexes[Self.key(candidate)] {
        asked.indexes.insert(index)
        return index
      }
    }
    return nil
  }

  /// The column that is called exactly this.
  package func exactIndex(_ name: String) -> Int? {
    guard let index = names.firstIndex(of: name).map({ places[$0] }) else { return nil }
    asked.indexes.insert(index)
    return index
  }

  /// The reason of a column that no reader has asked for; they know more.
  package static let isUnasked = "nobody asked for it"

  /// The names of the columns that nobody has asked for, each with the reason.
  package var unread: [String: String] {
    var unread: [String: String] = [:]
    for (name, place) in zip(names, places) where !name.isEmpty {
      if indexes[Self.key(name)] != place {
        unread[name] = "another column of this name comes before it"
      } else if !asked.indexes.contains(place) {
        unread[name] = Self.isUnasked
      }
    }
    return unread
  }

  /// The column of this name.
  ///
  /// - Parameters:
  ///   - name: what it may be called.
  ///   - file: the file, for the error.
  /// - Returns: its index.
  /// - Throws: `FormatError.missingColumn` if there is none.
  package func requiredIndex(_ name: String, file: String) throws(FormatError) -> Int {
    guard let index = index(name) else { throw .missingColumn(file: file, column: name) }
    return index
  }

  /// What is the same for all spellings of a name.
  package static func key(_ name: String) -> String {
    let last = name.split { $0 == "/" || $0 == "#" || $0 == ":" }.last ?? ""
    return String(
      String.UnicodeScalarView(
        last.unicodeScalars.filter {
          !$0.properties.isWhitespace && $0 != "_" && $0 != "-" && $0 != "\u{FEFF}"
        })
    ).lowercased()
  }
}
