/// Where the columns of a table are, by name.
///
/// `dwc:taxonID`, `http://rs.tdwg.org/dwc/terms/taxonID`, `Taxon_ID` and ` taxonid ` are one name.
package struct ColumnMap: Equatable, Sendable {
  /// The names as they were given, in the order of the columns.
  package let names: [String]
  private let indexes: [String: Int]

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
    self.indexes = keys
  }

  /// The column of the first of these names that there is.
  package func index(_ candidates: String...) -> Int? {
    for candidate in candidates {
      if let index = indexes[Self.key(candidate)] { return index }
    }
    return nil
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
