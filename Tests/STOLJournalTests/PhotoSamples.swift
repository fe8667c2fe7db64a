@testable import STOLJournal

/// Photos that tests make: headers and what cameras write, around an image of few bytes.
struct PhotoSample {
  /// What Exif says, by the number of the tag.
  enum Value {
    case text(String)
    case ratios([(UInt32, UInt32)])
    case short(UInt16)
    case byte(UInt8)
    case long(UInt32)
  }

  var isLittleEndian = false
  var image: [(UInt16, Value)] = [(0x0110, .text("Camera 7"))]
  var exif: [(UInt16, Value)] = []
  var place: [(UInt16, Value)] = []
  /// The small image beside the photo, in the directory behind the first one.
  var thumbnail: [UInt8] = []

  /// One with all that the journal reads: 2026-03-15 09:44:30.25 +02:00, 43.5 N 11.25 W, 4 m.
  static var full: PhotoSample {
    var sample = PhotoSample()
    sample.image.append((0x0112, .short(6)))
    sample.exif = [
      (0x9003, .text("2026:03:15 09:44:30")), (0x9291, .text("25")), (0x9011, .text("+02:00")),
    ]
    sample.place = [
      (1, .text("N")), (2, .ratios([(43, 1), (30, 1), (0, 1)])), (3, .text("W")),
      (4, .ratios([(11, 1), (15, 1), (0, 100)])), (5, .byte(1)), (6, .ratios([(123, 10)])),
      (0x10, .text("T")), (0x11, .ratios([(1805, 10)])), (0x1F, .ratios([(31, 10)])),
    ]
    return sample
  }

  // MARK: - Exif

  private func number(_ value: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
    let bytes = (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    return isLittleEndian ? bytes : bytes.reversed()
  }

  /// A directory that begins at a place, with what does not fit into its entries behind it.
  private func directory(
    _ entries: [(UInt16, Value)], at start: Int, next: Int = 0
  ) -> [UInt8] {
    var head = number(UInt16(entries.count))
    var tail: [UInt8] = []
    let tailStart = start + 2 + entries.count * 12 + 4
    for (tag, value) in entries {
      var type: UInt16 = 3
      var count: UInt32 = 1
      var bytes: [UInt8]
      switch value {
      case .text(let text):
        bytes = Array(text.utf8) + [0]
        (type, count) = (2, UInt32(bytes.count))
      case .ratios(let ratios):
        bytes = ratios.flatMap { number($0.0) + number($0.1) }
        (type, count) = (5, UInt32(ratios.count))
      case .short(let short): bytes = number(short)
      case .byte(let byte): (type, bytes) = (1, [byte])
      case .long(let long): (type, bytes) = (4, number(long))
      }
      head += number(tag) + number(type) + number(count)
      if bytes.count <= 4 {
        head += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        head += number(UInt32(tailStart + tail.count))
        tail += bytes
      }
    }
    return head + number(UInt32(next)) + tail
  }

  /// The TIFF structure.
  var tiff: [UInt8] {
    // The other directories lie behind the first, whose length does not depend on where they are.
    func first(_ exifStart: Int, _ placeStart: Int, _ next: Int = 0) -> [UInt8] {
      var entries = image
      if !exif.isEmpty { entries.append((0x8769, .ratios([]))) }
      if !place.isEmpty { entries.append((0x8825, .ratios([]))) }
      var bytes = directory(entries, at: 8, next: next)
      for (index, entry) in entries.enumerated() where entry.0 == 0x8769 || entry.0 == 0x8825 {
        let at = 2 + index * 12
        let value =
          number(UInt16(4)) + number(UInt32(1))
          + number(UInt32(entry.0 == 0x8769 ? exifStart : placeStart))
        bytes.replaceSubrange(at + 2..<at + 12, with: value)
      }
      return bytes
    }
    let exifStart = 8 + first(0, 0).count
    let exifBytes = exif.isEmpty ? [] : directory(exif, at: exifStart)
    let placeStart = exifStart + exifBytes.count
    let placeBytes = place.isEmpty ? [] : directory(place, at: placeStart)
    let smallStart = placeStart + placeBytes.count
    // Its entries take all in all 42 bytes, with the number of them and the end.
    let small =
      thumbnail.isEmpty
      ? []
      : directory(
        [
          (0x0103, .short(6)), (0x0201, .long(UInt32(smallStart + 42))),
          (0x0202, .long(UInt32(thumbnail.count))),
        ], at: smallStart) + thumbnail
    return Array((isLittleEndian ? "II" : "MM").utf8) + number(UInt16(42)) + number(UInt32(8))
      + first(exifStart, placeStart, small.isEmpty ? 0 : smallStart) + exifBytes + placeBytes
      + small
  }

  // MARK: - Files

  static func big(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    big(number, count).reversed()
  }
  private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(payload.count + 2, 2) + payload
  }

  /// The beginning of a colour profile: its signature stands where that of all of them does.
  static let profile =
    Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 0, count: 36) + Array("acsp".utf8)
    + [7]

  /// Texts that no stripped copy has, beside what Exif says.
  static let secrets = ["Beech Wood", "2026:03:15", "Camera 7"]

  func jpeg(width: Int = 400, height: Int = 300, number: UInt8 = 0) -> [UInt8] {
    let frame = [8] + Self.big(height, 2) + Self.big(width, 2) + [1, 1, 0x11, 0]
    return [0xFF, 0xD8] + Self.segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
      + Self.segment(0xE1, Array("Exif\0\0".utf8) + tiff)
      + Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0Beech Wood".utf8))
      + Self.segment(0xE2, Self.profile)
      + Self.segment(0xE2, Array("MPF\0Beech Wood".utf8))
      + Self.segment(0xED, Array("Photoshop 3.0\0Beech Wood".utf8))
      + Self.segment(0xFE, Array("Beech Wood".utf8)) + Self.segment(0xC0, frame)
      + Self.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 2, 0xFF, 0, number, 0xFF, 0xD0, 4]
      + [0xFF, 0xD9] + Array("Beech Wood".utf8)
  }

  func png(width: Int = 400, height: Int = 300) -> [UInt8] {
    func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
      Self.big(payload.count, 4) + Array(type.utf8) + payload + [0, 0, 0, 0]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", Self.big(width, 4) + Self.big(height, 4) + [8, 2, 0, 0, 0])
      + chunk("gAMA", [0, 0, 0xB1, 0x8F]) + chunk("eXIf", tiff)
      + chunk("tEXt", Array("Place\0Beech Wood".utf8))
      + chunk("iTXt", Array("XML:com.adobe.xmp\0Beech Wood".utf8)) + chunk("IDAT", [1, 2, 3])
      + chunk("IEND", []) + Array("Beech Wood".utf8)
  }

  func webP(width: Int = 400, height: Int = 300) -> [UInt8] {
    func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
      Array(type.utf8) + Self.little(payload.count, 4) + payload
        + (payload.count % 2 == 1 ? [0] : [])
    }
    let body =
      Array("WEBP".utf8)
      + chunk("VP8X", [0x0C, 0, 0, 0] + Self.little(width - 1, 3) + Self.little(height - 1, 3))
      + chunk("VP8 ", [0x10, 2, 0, 0x9D, 1, 0x2A] + Self.little(width, 2) + Self.little(height, 2))
      + chunk("EXIF", tiff) + chunk("XMP ", Array("Beech Wood".utf8))
    return Array("RIFF".utf8) + Self.little(body.count, 4) + body + Array("Beech Wood".utf8)
  }

  func heic(width: Int = 400, height: Int = 300, turns: UInt8 = 3) -> [UInt8] {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      Self.big(content.count + 8, 4) + Array(type.utf8) + content
    }
    func item(_ id: Int, _ type: String) -> [UInt8] {
      box(
        "infe",
        [2, 0, 0, 0] + Self.big(id, 2) + [0, 0] + Array(type.utf8) + Array("Beech Wood\0".utf8))
    }
    let exifItem = Self.big(6, 4) + Array("Exif\0\0".utf8) + tiff
    let parts: [[UInt8]] = [[9, 9, 9, 9], exifItem, Array("<x>Beech Wood</x>".utf8)]
    func meta(_ start: Int) -> [UInt8] {
      var places: [UInt8] = [0, 0, 0, 0, 0x44, 0] + Self.big(3, 2)
      var offset = start
      for (index, part) in parts.enumerated() {
        places +=
          Self.big(index + 1, 2) + [0, 0, 0, 1] + Self.big(offset, 4)
          + Self.big(part.count, 4)
        offset += part.count
      }
      let size = box("ispe", [0, 0, 0, 0] + Self.big(width, 4) + Self.big(height, 4))
      let properties =
        box(
          "ipco",
          size + box("irot", [turns])
            + box("udes", [0, 0, 0, 0] + Array("en\0Beech Wood\0\0".utf8)))
        + box("ipma", [0, 0, 0, 0] + Self.big(1, 4) + Self.big(1, 2) + [2, 0x81, 0x82])
      return box(
        "meta",
        [0, 0, 0, 0]
          + box(
            "hdlr",
            [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + [UInt8](repeating: 0, count: 12)
              + Array("Beech Wood\0".utf8))
          + box("uuid", [UInt8](repeating: 5, count: 16) + Array("Beech Wood".utf8))
          + box("pitm", [0, 0, 0, 0] + Self.big(1, 2))
          + box(
            "iinf",
            [0, 0, 0, 0] + Self.big(3, 2) + item(1, "hvc1") + item(2, "Exif") + item(3, "mime"))
          + box("iloc", places) + box("iprp", properties))
    }
    let head = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8))
    let start = head.count + meta(0).count + 8
    return head + meta(start) + box("mdat", parts.flatMap { $0 })
      + box("free", Array("Beech Wood".utf8))
  }

  /// The file of each format.
  var files: [[UInt8]] { [jpeg(), png(), webP(), heic()] }
}

extension PhotoSample {
  /// Saves a walk with three photos of two files.
  @discardableResult
  static func saveWalk(in journal: JournalFile) throws -> [Photo] {
    let walk = try Walk()
    let files = try [1, 2].map {
      try PhotoFile(full.jpeg(number: $0), name: "\($0).jpg")
    }
    let photos = [
      files[0].photo(of: walk.oak.id), files[0].photo(of: walk.note.id),
      files[1].photo(of: walk.place.id),
    ]
    try journal.save(walk.records + photos.map { .photo($0) }, files: files)
    return photos
  }
}
