import STOLMedia

/// Copies of photos without what was written beside the image: where and when it was taken, by whom, with what.
///
/// The image is not decoded: its bytes stay as they are, and so do its colours and how it lies.
package enum PhotoStripping {
  /// The file without all that is not the image, its colours or how it lies.
  ///
  /// - Throws: `PhotoFault` where it is no photo, or not all of one.
  /// - Complexity: O(number of bytes)
  package static func stripped(_ bytes: [UInt8]) throws(PhotoFault) -> [UInt8] {
    let facts = try PhotoFacts(bytes)
    let orientation = facts.exif.orientation ?? 1
    switch facts.type {
    case .jpeg: return try jpeg(bytes, orientation)
    case .png: return try png(bytes, orientation)
    case .webp: return try webP(bytes, orientation)
    case .heic:
      var copy = bytes
      let asides = try HEIFBoxes(bytes).asides
      for range in asides {
        for index in range { copy[index] = 0 }
      }
      // Where an item begins is a number that anybody may have written.
      guard let left = try? PhotoFacts(copy),
        (left.width, left.height) == (facts.width, facts.height),
        left.exif.orientation == facts.exif.orientation
      else {
        throw .broken(
          at: asides.map(\.lowerBound).min() ?? 0,
          "what stands beside the image lies on what describes it")
      }
      return copy
    }
  }

  /// An Exif structure that says nothing but how the image lies.
  private static func exif(_ orientation: Int) -> [UInt8] {
    Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0]
      + [UInt8(truncatingIfNeeded: orientation), 0, 0, 0, 0, 0, 0]
  }

  // MARK: - JPEG

  private static func jpeg(_ bytes: [UInt8], _ orientation: Int) throws(PhotoFault) -> [UInt8] {
    var copy = Array(bytes.prefix(2))
    var segments = JPEGSegments(bytes)
    var hasExif = orientation == 1
    var hasProfile = false
    while let segment = try segments.next() {
      if segment.isProfile {
        // The others go on with the first one.
        hasProfile = hasProfile || segment.beginsProfile
        if !hasProfile { continue }
      }
      // Behind JFIF, which comes first.
      if !hasExif, segment.marker != 0xE0 {
        let payload = Array("Exif\0\0".utf8) + exif(orientation)
        copy += [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload
        hasExif = true
      }
      copy += kept(segment, bytes)
    }
    return copy + [0xFF, 0xD9]
  }

  /// What of a segment says how the image is shown.
  private static func kept(_ segment: JPEGSegments.Segment, _ bytes: [UInt8]) -> [UInt8] {
    /// The segment with no more than what it is made for.
    func beginning(_ count: Int) -> [UInt8] {
      guard segment.payload.count >= count else { return [] }
      let payload = bytes[segment.payload.range].prefix(count)
      return [0xFF, segment.marker, 0, UInt8(count + 2)] + payload
    }
    switch segment.marker {
    case 0xE0 where segment.payload.starts(with: "JFIF\0"):
      var head = beginning(14)
      // How large the thumbnail is that stood behind it.
      if !head.isEmpty { head.replaceSubrange(16..<18, with: [0, 0]) }
      return head
    case 0xEE where segment.payload.starts(with: "Adobe"): return beginning(12)
    // How many lines there are, and how many blocks stand between restarts.
    case 0xDC, 0xDD: return beginning(2)
    case 0xE2 where segment.payload.starts(with: "ICC_PROFILE\0"),
      0xC0...0xC7, 0xC9...0xCF, 0xDA, 0xDB:
      return Array(bytes[segment.range])
    // Applications, comments, images in several sizes, and what is reserved for extensions.
    default: return []
    }
  }

  // MARK: - PNG

  /// The image, and what tells how it is shown.
  private static let pngTypes: Set<String> = Set(pngByteCounts.keys).union(["IDAT", "iCCP", "fdAT"])

  /// How long chunks are at most that are not as long as there is something to say.
  private static let pngByteCounts = [
    "IHDR": 13, "PLTE": 768, "IEND": 0, "tRNS": 256, "gAMA": 4, "cHRM": 32, "sRGB": 1, "sBIT": 4,
    "bKGD": 6, "pHYs": 9, "cICP": 4, "acTL": 8, "fcTL": 26,
  ]

  private static func png(_ bytes: [UInt8], _ orientation: Int) throws(PhotoFault) -> [UInt8] {
    var copy = Array(bytes.prefix(8))
    var chunks = ImageChunks(png: bytes)
    var isAnimated = false
    while !chunks.isEnded, let chunk = try chunks.next() {
      if chunk.type == "acTL" { isAnimated = true }
      if chunk.type == "fdAT", !isAnimated { continue }
      if pngTypes.contains(chunk.type) { copy += kept(chunk, bytes) }
      if chunk.type == "IHDR", orientation != 1 { copy += pngChunk("eXIf", exif(orientation)) }
    }
    return copy
  }

  /// What of a chunk says how the image is shown.
  private static func kept(_ chunk: ImageChunks.Chunk, _ bytes: [UInt8]) -> [UInt8] {
    let payload = bytes[chunk.payload.range]
    if let count = pngByteCounts[chunk.type], payload.count > count {
      return pngChunk(chunk.type, Array(payload.prefix(count)))
    }
    // The name of a profile is whatever somebody called it.
    if chunk.type == "iCCP" {
      guard let end = payload.firstIndex(of: 0) else { return [] }
      return pngChunk(chunk.type, Array("ICC".utf8) + payload[end...])
    }
    return Array(bytes[chunk.range])
  }

  private static func pngChunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    let content = Array(type.utf8) + payload
    return bigEndian(UInt32(truncatingIfNeeded: payload.count)) + content
      + bigEndian(checkSum(content))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
  }

  /// The check sum of a chunk: the CRC of ISO 3309.
  private static func checkSum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  // MARK: - WebP

  private static let webPTypes: Set<String> = [
    "VP8X", "ICCP", "ANIM", "ANMF", "ALPH", "VP8 ", "VP8L",
  ]
  /// How long chunks are at most that say how the image is shown.
  private static let webPByteCounts = ["VP8X": 10, "ANIM": 6]

  private static func webP(_ bytes: [UInt8], _ orientation: Int) throws(PhotoFault) -> [UInt8] {
    var body = Array("WEBP".utf8)
    var chunks = try ImageChunks(webP: bytes)
    while let chunk = try chunks.next() {
      guard webPTypes.contains(chunk.type) else { continue }
      var payload = Array(bytes[chunk.payload.range])
      if let count = webPByteCounts[chunk.type] { payload = Array(payload.prefix(count)) }
      if chunk.type == "ANMF" { payload = try frame(chunk.payload.range, bytes) }
      if chunk.type == "VP8X", !payload.isEmpty {
        // The flags of Exif and XMP.
        payload[0] = payload[0] & ~0x0C | (orientation == 1 ? 0 : 0x08)
      }
      body += webPChunk(chunk.type, payload)
    }
    if orientation != 1 {
      body += webPChunk("EXIF", exif(orientation))
    }
    return Array("RIFF".utf8) + littleEndian(body.count) + body
  }

  /// A frame of an animation without what is not its image.
  private static func frame(_ range: Range<Int>, _ bytes: [UInt8]) throws(PhotoFault) -> [UInt8] {
    var frame = Array(bytes[range].prefix(ImageChunks.frameHeadCount))
    var chunks = ImageChunks(webPFrame: range, of: bytes)
    while let chunk = try chunks.next() {
      guard ["ALPH", "VP8 ", "VP8L"].contains(chunk.type) else { continue }
      frame += webPChunk(chunk.type, Array(bytes[chunk.payload.range]))
    }
    return frame
  }

  /// A chunk, whose length is made even.
  private static func webPChunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    Array(type.utf8) + littleEndian(payload.count) + payload
      + [UInt8](repeating: 0, count: payload.count % 2)
  }

  private static func littleEndian(_ number: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}

extension JPEGSegments.Segment {
  private static let profileHead = "ICC_PROFILE\0"

  /// Whether it is a part of a colour profile.
  fileprivate var isProfile: Bool { marker == 0xE2 && payload.starts(with: Self.profileHead) }

  /// Whether it is the beginning of one, by the signature that all profiles have (ICC.1, 7.2.11).
  fileprivate var beginsProfile: Bool {
    // Behind which part of how many it is.
    payload.part(at: Self.profileHead.utf8.count + 2 + 36, count: 4)?.text == "acsp"
  }
}
