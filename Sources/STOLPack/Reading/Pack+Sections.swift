/// The size of one part of a pack.
public struct SectionSize: Sendable {
  /// The name in the directory, or "header" or "padding".
  public let name: String
  /// What the part is, in words.
  public let title: String
  /// The group of parts that it belongs to.
  public let group: SectionGroup
  /// The number of values.
  public let count: Int
  /// The number of bytes.
  public let byteCount: Int
}

extension Pack {
  /// The parts of the file; their sizes add up to its length.
  public var sections: [SectionSize] {
    let head = Layout.headerByteCount + header.sectionCount * Layout.entryByteCount
    var result = [
      SectionSize(
        name: "header", title: "header and section directory", group: .metadata,
        count: header.sectionCount, byteCount: head)
    ]
    for section in Section.allCases {
      let (entry, description) = (directory[section], section.description)
      result.append(
        SectionSize(
          name: description.name, title: description.title, group: description.group,
          count: entry.count, byteCount: entry.byteCount))
    }
    let used = result.reduce(0) { $0 + $1.byteCount }
    result.append(
      SectionSize(
        name: "padding", title: "alignment of sections", group: .metadata, count: 0,
        byteCount: byteCount - used))
    return result
  }

  /// The name of the part that holds the byte at `offset`.
  package func part(at offset: Int) -> String {
    for section in Section.allCases {
      let entry = directory[section]
      if offset >= entry.offset, offset - entry.offset < entry.byteCount { return section.name }
    }
    let head = Layout.headerByteCount + header.sectionCount * Layout.entryByteCount
    return offset < head ? "header" : "padding"
  }

  /// Refuses a pack that was not compiled from the database file with this fingerprint.
  ///
  /// - Throws: `PackError.wrongSource`
  public func requireSource(byteCount: UInt64, stamp: UInt32) throws(PackError) {
    guard source.byteCount != byteCount || source.stamp != stamp else { return }
    func text(_ byteCount: UInt64, _ stamp: UInt32) -> String {
      "\(byteCount) bytes, stamp \(String(stamp, radix: 16))"
    }
    throw .wrongSource(
      expected: text(source.byteCount, source.stamp), got: text(byteCount, stamp))
  }
}
