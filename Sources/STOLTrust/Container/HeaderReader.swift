/// Reads header fields of a container and says where one breaks a rule.
struct HeaderReader {
  private let bytes: [UInt8]
  /// Where the bytes begin in the file, for errors.
  private let base: Int

  init(_ bytes: [UInt8], at base: Int = 0) {
    self.bytes = bytes
    self.base = base
  }

  func uint32(_ offset: Int) -> UInt32 { LittleEndian.uint32(bytes, at: offset) }

  /// A length from 1 to `limit`.
  func byteCount(_ offset: Int, limit: Int) throws(ContainerError) -> Int {
    let value = LittleEndian.uint64(bytes, at: offset)
    guard value >= 1, value <= UInt64(limit) else {
      throw malformed(offset, "the length \(value) is not from 1 to \(limit)")
    }
    return Int(value)
  }

  func digest(_ range: Range<Int>) throws(ContainerError) -> Digest {
    guard let digest = Digest(bytes[range]) else { throw malformed(range.lowerBound, "no digest") }
    return digest
  }

  func keyID(_ range: Range<Int>) throws(ContainerError) -> KeyID {
    guard let id = KeyID(bytes[range]) else { throw malformed(range.lowerBound, "no key id") }
    return id
  }

  /// A release whose fields lie at these places.
  func release(
    number: Int, buildTime: Int, dataset: Range<Int>
  ) throws(ContainerError) -> Release {
    let text = bytes[dataset].prefix { $0 != 0 }
    guard let id = DatasetID(bytes: text),
      bytes[dataset].dropFirst(text.count).allSatisfy({ $0 == 0 })
    else { throw malformed(dataset.lowerBound, "not a dataset id") }
    guard let time = BuildTime(secondsSince1970: LittleEndian.uint64(bytes, at: buildTime)) else {
      throw malformed(buildTime, "the build time is after the year 9999")
    }
    guard let release = Release(dataset: id, number: uint32(number), buildTime: time) else {
      throw malformed(number, "the release number is 0")
    }
    return release
  }

  func requireZeros(_ range: Range<Int>) throws(ContainerError) {
    if let offset = range.first(where: { bytes[$0] != 0 }) {
      throw malformed(offset, "a reserved byte is not zero")
    }
  }

  func malformed(_ offset: Int, _ reason: String) -> ContainerError {
    .malformed(offset: base + offset, reason: reason)
  }
}

extension ContainerHeader {
  /// The header of a version 1 file, whose body starts with `prefix`.
  init(version1 bytes: [UInt8], prefix: [UInt8], fileByteCount: Int) throws(ContainerError) {
    typealias Layout = ContainerLayout.V1
    let reader = HeaderReader(bytes)
    let block = try ReleaseBlock(gzipPrefix: prefix)
    schemaVersion = reader.uint32(Layout.schemaVersion.lowerBound)
    format = block == nil ? .version1 : .version1WithRelease
    release = block?.release
    keyID = block?.keyID
    parts = [
      ContainerPart(
        kind: .database, byteOffset: Layout.byteCount,
        storedByteCount: fileByteCount - Layout.byteCount,
        storedDigest: try reader.digest(Layout.digest),
        contentByteCount: block?.contentByteCount, contentDigest: block?.contentDigest)
    ]
  }

  /// The header of a version 2 file.
  init(version2 bytes: [UInt8], fileByteCount: Int) throws(ContainerError) {
    typealias Layout = ContainerLayout.V2
    let reader = HeaderReader(bytes)
    let leastReader = reader.uint32(Layout.leastReader)
    guard leastReader <= ContainerLayout.newestVersion else {
      throw .newerFormat(version: Int(leastReader))
    }
    guard leastReader >= 2 else {
      throw reader.malformed(Layout.leastReader, "the least reader version is below 2")
    }
    try reader.requireZeros(Layout.reserved..<Layout.reserved + 4)
    format = .version2
    schemaVersion = reader.uint32(Layout.schemaVersion)
    release = try reader.release(
      number: Layout.number, buildTime: Layout.buildTime, dataset: Layout.dataset)
    keyID = try reader.keyID(Layout.keyID)

    var parts: [ContainerPart] = []
    var end = Layout.byteCount
    let isMedia = bytes[Layout.parts...].starts(with: ContainerPart.name(.media))
    if isMedia {
      guard schemaVersion == 0 else {
        throw reader.malformed(Layout.schemaVersion, "a schema version without a database")
      }
      try reader.requireZeros(Layout.parts + Layout.partByteCount..<Layout.signature.lowerBound)
    }
    let kinds: [ContainerPart.Kind] = isMedia ? [.media] : [.database, .pack]
    for (index, kind) in kinds.enumerated() {
      let start = Layout.parts + index * Layout.partByteCount
      let range = start..<start + Layout.partByteCount
      if kind == .pack, bytes[range].allSatisfy({ $0 == 0 }) { continue }
      let part = try ContainerPart(kind, Array(bytes[range]), headerOffset: start, at: end)
      // Both are at most 2^31: the sum of three stays an Int.
      end += part.storedByteCount
      parts.append(part)
    }
    self.parts = parts
    guard end <= fileByteCount else { throw .truncated(need: end, got: fileByteCount) }
    guard end == fileByteCount else {
      throw .trailingData(part: parts.last?.kind ?? .database)
    }
  }
}

extension ContainerPart {
  fileprivate init(
    _ kind: Kind, _ bytes: [UInt8], headerOffset: Int, at byteOffset: Int
  ) throws(ContainerError) {
    typealias Layout = ContainerLayout.Part
    let reader = HeaderReader(bytes, at: headerOffset)
    guard bytes[Layout.name].elementsEqual(Self.name(kind)) else {
      throw reader.malformed(0, "expected the part \(kind)")
    }
    try reader.requireZeros(Layout.reserved..<ContainerLayout.V2.partByteCount)
    self.kind = kind
    self.byteOffset = byteOffset
    storedByteCount = try reader.byteCount(
      Layout.storedByteCount, limit: ContainerLayout.fileLimit)
    storedDigest = try reader.digest(Layout.storedDigest)
    contentByteCount = try reader.byteCount(
      Layout.contentByteCount,
      limit: kind == .media ? ContainerLayout.mediaLimit : ContainerLayout.contentLimit)
    contentDigest = try reader.digest(Layout.contentDigest)
  }

  /// The name of a kind, padded.
  static func name(_ kind: Kind) -> [UInt8] {
    let name = Array(kind.rawValue.utf8)
    return name + [UInt8](repeating: 0, count: ContainerLayout.Part.name.count - name.count)
  }
}
