import STOLFormats

extension ImportFormat {
  /// The format of another program whose columns or members the first bytes of a file have; nil for none.
  static func ofRecords(_ head: [UInt8]) -> ImportFormat? {
    if EBirdReader.isHeader(head) { return .ebird }
    if INaturalistTableReader.isHeader(head) || INaturalistJSONReader.isAnswer(head) {
      return .inaturalist
    }
    if DarwinCoreReader.isHeader(head) { return .dwca }
    return nil
  }

  /// Whether its tables say themselves what their columns are.
  var hasOwnColumns: Bool { self == .ebird || self == .inaturalist || self == .dwca }

  /// What reads a file of the format, where it is one of records of another program; nil for another one.
  ///
  /// - Throws: `JournalError.invalid` for a file that is none, `FormatError`.
  func recordReader(
    _ stream: SourceStream, fileName: String
  ) throws -> (any ImportReader)? {
    switch self {
    case .ebird: return try EBirdReader(stream, fileName: fileName)
    case .inaturalist: return try Self.inaturalist(stream, fileName: fileName)
    case .dwca: return DarwinCoreReader(stream, fileName: fileName)
    default: return nil
    }
  }

  private static func inaturalist(
    _ stream: SourceStream, fileName: String
  ) throws -> any ImportReader {
    let (head, whole) = try peek(stream)
    var scanner = JSONScanner(head)
    let first = scanner.peek()
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      return try INaturalistJSONReader(ByteChunks(whole))
    }
    return try INaturalistTableReader(whole, fileName: fileName)
  }
}
