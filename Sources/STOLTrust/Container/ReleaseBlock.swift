import STOLGzip

/// The subfield of the gzip header that makes version 1.1 of version 1.
struct ReleaseBlock: Equatable {
  private typealias Layout = ContainerLayout.ReleaseBlock

  let release: Release
  let keyID: KeyID
  let contentByteCount: Int
  let contentDigest: Digest
}

extension ReleaseBlock {
  /// The block in the header that a gzip stream begins with; nil if there is none.
  ///
  /// - Throws: `ContainerError.malformed` if there is one that breaks a rule.
  init?(gzipPrefix: [UInt8]) throws(ContainerError) {
    // What is no gzip header has no block either; zlib refuses it later.
    guard let header = GzipHeader(prefix: gzipPrefix) else { return nil }
    // The fixed header, the field's length, the subfield's id and length.
    let base = ContainerLayout.V1.byteCount + 10 + 2 + 4
    guard let blocks = header.subfields(Layout.subfieldID) else {
      throw .malformed(offset: base - 4, reason: "the subfields of the gzip header do not fit it")
    }
    guard let bytes = blocks.first else { return nil }
    let reader = HeaderReader(bytes, at: base)
    guard blocks.count == 1 else { throw reader.malformed(0, "two subfields ST") }
    guard bytes.count >= 4 else { throw reader.malformed(0, "the subfield ST is too short") }
    let version = reader.uint32(0)
    // A later layout may say more; as version 1, the file can be read all the same.
    guard version == Layout.layoutVersion else { throw .newerFormat(version: 1) }
    guard bytes.count == Layout.byteCount else {
      throw reader.malformed(0, "the subfield ST has not \(Layout.byteCount) bytes")
    }
    release = try reader.release(
      number: Layout.number, buildTime: Layout.buildTime, dataset: Layout.dataset)
    keyID = try reader.keyID(Layout.keyID)
    contentByteCount = try reader.byteCount(
      Layout.contentByteCount, limit: ContainerLayout.contentLimit)
    contentDigest = try reader.digest(Layout.contentDigest)
  }

  /// The extra field that holds the block.
  var extraField: [UInt8] {
    var bytes = [Layout.subfieldID.0, Layout.subfieldID.1]
    LittleEndian.append(UInt16(Layout.byteCount), to: &bytes)
    LittleEndian.append(Layout.layoutVersion, to: &bytes)
    bytes += release.fields(keyID: keyID)
    LittleEndian.append(UInt64(contentByteCount), to: &bytes)
    return bytes + contentDigest.bytes
  }
}

extension Release {
  /// Number, build time, key id and dataset, as both formats lay them out.
  func fields(keyID: KeyID) -> [UInt8] {
    var bytes: [UInt8] = []
    LittleEndian.append(number, to: &bytes)
    LittleEndian.append(buildTime.secondsSince1970, to: &bytes)
    bytes += keyID.bytes
    let name = Array(dataset.text.utf8)
    return bytes + name + [UInt8](repeating: 0, count: DatasetID.limit - name.count)
  }
}
