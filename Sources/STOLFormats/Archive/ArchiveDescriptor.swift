/// What meta.xml says of the files of a Darwin Core archive.
///
/// Darwin Core text guide, http://rs.tdwg.org/dwc/terms/guides/text/
package struct ArchiveDescriptor: Equatable, Sendable {
  /// How long the file may be.
  package static let byteLimit = 1 << 20

  /// A column, or a value that all rows have.
  package struct Field: Equatable, Sendable {
    /// The whole URI.
    package var term: String
    /// Nil where there is no column and `defaultValue` is that of all rows.
    package var index: Int?
    /// What an empty field stands for.
    package var defaultValue: String?
  }

  /// The core or an extension.
  package struct Table: Equatable, Sendable {
    /// The whole URI.
    package var rowType: String
    /// Names in the archive; the rows of all of them belong together.
    package var files: [String]
    /// How each of them is written.
    package var layout: TableLayout
    /// The column with the id of a core row; rows of an extension belong to that one.
    package var idIndex: Int?
    /// In the order of the document.
    package var fields: [Field]

    /// The columns by term, as `ColumnMap` simplifies them; those without a column are not in there.
    package var columns: ColumnMap {
      ColumnMap(
        indexes: fields.compactMap { field in field.index.map { (field.term, $0) } })
    }
  }

  /// The table that the archive is about.
  package var core: Table
  /// What belongs to its rows.
  package var extensions: [Table]
  /// The file that describes the dataset.
  package var metadataFile: String?

  /// Reads meta.xml.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - path: what errors call it.
  /// - Throws: `FormatError.unreadable` if it is not such a file, `unsafeArchive` if it names files
  ///   that are not in the archive.
  package init(_ bytes: [UInt8], path: String) throws {
    let root: XMLElement
    do { root = try XMLParser.parse(bytes, limit: Self.byteLimit) } catch {
      throw FormatError.unreadable(path: path, reason: error.description)
    }
    guard let core = root.child("core") else {
      throw FormatError.unreadable(path: path, reason: "there is no core in it")
    }
    self.core = try Table(core, id: "id", path: path)
    var extensions: [Table] = []
    for element in root.children where element.name == "extension" {
      extensions.append(try Table(element, id: "coreid", path: path))
    }
    self.extensions = extensions
    // A description elsewhere is left where it is: nothing is fetched.
    metadataFile = root.attributes["metadata"].flatMap { Self.isInside($0) ? $0 : nil }
  }

  /// Whether a location is a name in the archive: no URL, not absolute, not upwards.
  fileprivate static func isInside(_ location: String) -> Bool {
    !location.isEmpty && !location.hasPrefix("/") && !location.contains(":")
      && !location.contains("\\") && !location.split(separator: "/").contains("..")
      && location.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }
}

extension ArchiveDescriptor.Table {
  /// More columns than any table has.
  private static let columnLimit = 10_000

  fileprivate init(_ element: XMLElement, id: String, path: String) throws {
    let attributes = element.attributes
    rowType = attributes["rowType"] ?? ""
    files = []
    for file in element.children where file.name == "files" {
      for location in file.children where location.name == "location" {
        var name = location.wholeText
        while name.hasPrefix("./") { name.removeFirst(2) }
        guard ArchiveDescriptor.isInside(name) else {
          throw FormatError.unsafeArchive(
            path: path, entry: name, reason: "a location must be the name of a file in the archive")
        }
        files.append(name)
      }
    }
    guard !files.isEmpty else {
      throw FormatError.unreadable(path: path, reason: "a table in it has no files")
    }
    layout = try Self.layout(attributes, path: path)
    idIndex = try Self.index(element.child(id)?.attributes["index"], path: path)
    fields = []
    for field in element.children where field.name == "field" {
      guard let term = field.attributes["term"], !term.isEmpty else {
        throw FormatError.unreadable(path: path, reason: "a field in it has no term")
      }
      fields.append(
        ArchiveDescriptor.Field(
          term: term, index: try Self.index(field.attributes["index"], path: path),
          defaultValue: field.attributes["default"]))
    }
  }

  private static func index(_ text: String?, path: String) throws -> Int? {
    guard let text, !text.isEmpty else { return nil }
    guard let index = Int(text), 0..<columnLimit ~= index else {
      throw FormatError.unreadable(path: path, reason: "the index \(text) in it is no column")
    }
    return index
  }

  private static func layout(
    _ attributes: [String: String], path: String
  ) throws -> TableLayout {
    var delimiter = unescaped(attributes["fieldsTerminatedBy"] ?? ",")
    // XML makes a space of a tab in an attribute, and nobody separates fields by spaces.
    if delimiter == [0x20] { delimiter = [0x09] }
    let quote = unescaped(attributes["fieldsEnclosedBy"] ?? "\"")
    guard !delimiter.isEmpty, !delimiter.contains(0x0A), !delimiter.contains(0x0D) else {
      throw FormatError.unreadable(
        path: path, reason: "fieldsTerminatedBy in it is empty or a line end")
    }
    guard quote.count <= 1 else {
      throw FormatError.unreadable(
        path: path, reason: "fieldsEnclosedBy in it is not one ASCII character")
    }
    var layout = TableLayout(delimiter: 0x2C, quote: quote.first)
    layout.delimiter = delimiter
    // Rows end at any line end; what is before it in linesTerminatedBy belongs to the row.
    layout.rowSuffix = unescaped(attributes["linesTerminatedBy"] ?? "\\n")
      .filter { $0 != 0x0A && $0 != 0x0D }
    if layout.rowSuffix.allSatisfy({ $0 == 0x20 }) { layout.rowSuffix = [] }
    layout.headerRowCount = max(0, Int(attributes["ignoreHeaderLines"] ?? "0") ?? 0)
    let encoding = attributes["encoding"] ?? "UTF-8"
    guard let known = TableLayout.Encoding(name: encoding) else {
      throw FormatError.unreadable(
        path: path, reason: "the encoding \(encoding) in it is not known here")
    }
    layout.encoding = known
    return layout
  }

  /// Takes `\t`, `\n`, `\r` and the like for the characters that they stand for.
  private static func unescaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
        switch byte {
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        default: bytes.append(byte)
        }
      } else if byte == 0x5C {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

extension TableLayout.Encoding {
  /// The encoding of this name, in any case and with or without hyphens.
  package init?(name: String) {
    switch name.lowercased().filter({ $0.isLetter || $0.isNumber }) {
    case "utf8", "ascii", "usascii", "": self = .utf8
    case "latin1", "iso88591", "l1": self = .latin1
    case "windows1252", "cp1252", "ansi": self = .windows1252
    case "utf16", "utf16le", "unicode": self = .utf16LittleEndian
    case "utf16be": self = .utf16BigEndian
    default: return nil
    }
  }
}
