import Foundation
import STOLMedia
import TestSupport
import Testing

@testable import STOLJournal

@Suite("What files say of photos")
struct PhotoFactsTests {
  @Test(arguments: [false, true])
  func everyFormatSaysTheSame(isLittleEndian: Bool) throws {
    var sample = PhotoSample.full
    sample.isLittleEndian = isLittleEndian
    var types: [MediaImageType] = []
    for bytes in sample.files {
      let facts = try PhotoFacts(bytes)
      types.append(facts.type)
      #expect((facts.width, facts.height) == (400, 300))
      #expect(facts.exif.orientation == 6)
      #expect(facts.exif.time?.text == "2026-03-15T09:44:30")
      #expect(facts.exif.milliseconds == 250 && facts.exif.utcOffsetMin == 120)
      #expect(
        facts.exif.position
          == Position(latitudeE7: 435_000_000, longitudeE7: -112_500_000, uncertaintyM: 4))
      #expect(facts.exif.elevationCm == -1230 && facts.exif.bearingCdeg == 18_050)
      #expect(facts.exif.camera == "Camera 7")
    }
    #expect(types == [.jpeg, .png, .webp, .heic])
  }

  private static func facts(_ change: (inout PhotoSample) -> Void) throws -> ExifFacts {
    var sample = PhotoSample.full
    change(&sample)
    return try PhotoFacts(sample.jpeg()).exif
  }

  private static func replacing(
    _ tag: UInt16, _ value: PhotoSample.Value, in entries: inout [(UInt16, PhotoSample.Value)]
  ) {
    entries = entries.map { $0.0 == tag ? (tag, value) : $0 }
  }

  @Test func whatCannotBeIsNotKnown() throws {
    let zero: [(UInt32, UInt32)] = [(0, 1), (0, 1), (0, 1)]
    let island = try Self.facts {
      Self.replacing(2, .ratios(zero), in: &$0.place)
      Self.replacing(4, .ratios(zero), in: &$0.place)
    }
    #expect(island.position == nil)
    for (tag, value) in [
      (2, PhotoSample.Value.ratios([(91, 1), (0, 1), (0, 1)])), (2, .ratios([(43, 0)])),
      (2, .ratios([])), (2, .text("43")), (1, .text("X")), (1, .text("")),
      (4, .ratios([(180, 1), (1, 1), (0, 1)])),
    ] as [(UInt16, PhotoSample.Value)] {
      #expect(try Self.facts { Self.replacing(tag, value, in: &$0.place) }.position == nil)
    }
    // Minutes and seconds may be missing, and minutes may have decimals.
    for value in [[(435, 10)], [(43, 1), (300, 10), (0, 0)]] as [[(UInt32, UInt32)]] {
      let facts = try Self.facts { Self.replacing(2, .ratios(value), in: &$0.place) }
      #expect(facts.position?.latitudeE7 == 435_000_000)
    }
    for text in ["0000:00:00 00:00:00", "2026:02:30 00:00:00", "    :  :     :  :  ", "2026", ""] {
      let facts = try Self.facts { Self.replacing(0x9003, .text(text), in: &$0.exif) }
      #expect(facts.time == nil && facts.utcOffsetMin == nil && facts.milliseconds == nil)
      #expect(facts.position != nil)
    }
    for text in ["+2:00", "+02:60", "+19:00", "02:00", ""] {
      let facts = try Self.facts { Self.replacing(0x9011, .text(text), in: &$0.exif) }
      #expect(facts.time != nil && facts.utcOffsetMin == nil)
    }
    for metres in [(0, 1), (0, 0), (20_040_001, 1)] as [(UInt32, UInt32)] {
      let facts = try Self.facts { Self.replacing(0x1F, .ratios([metres]), in: &$0.place) }
      #expect(facts.position != nil && facts.position?.uncertaintyM == nil)
    }
    let magnetic = try Self.facts { Self.replacing(0x10, .text("M"), in: &$0.place) }
    #expect(magnetic.bearingCdeg == nil)
    let turned = try Self.facts { Self.replacing(0x0112, .short(9), in: &$0.image) }
    #expect(turned.orientation == nil)
    let high = try Self.facts { Self.replacing(6, .ratios([(4_000_000_000, 1)]), in: &$0.place) }
    #expect(high.elevationCm == nil)
  }

  /// The time of a scan is taken where there is none of the shutter.
  @Test func aScanHasATimeToo() throws {
    let facts = try Self.facts {
      $0.exif = [(0x9004, .text("2026:03:16 10:00:00")), (0x9012, .text("Z"))]
    }
    #expect(facts.time?.text == "2026-03-16T10:00:00" && facts.utcOffsetMin == 0)
  }

  @Test func whatIsNoPhotoIsRefusedWithPlaceAndRemedy() throws {
    let sample = PhotoSample.full
    func fault(_ bytes: [UInt8]) -> PhotoFault? {
      do throws(PhotoFault) {
        _ = try PhotoFacts(bytes)
        return nil
      } catch { return error }
    }
    for bytes in [[], Array("GIF89a".utf8), Array("name,count\noak,1\n".utf8)] {
      #expect(fault(bytes)?.offset == 0)
      #expect(fault(bytes)?.remedy == "take a JPEG, PNG, WebP or HEIC file")
    }
    for (width, height) in [(0, 300), (400, 0), (30_000, 30_000), (65_535, 65_535)] {
      let found = try #require(fault(sample.jpeg(width: width, height: height)))
      #expect(found.reason == "the image is \(width) x \(height) pixels")
    }
    let wide = 1 << 31
    for bytes in [sample.png(width: wide), sample.heic(width: wide, height: wide)] {
      #expect(fault(bytes)?.reason.hasPrefix("the image is \(wide) x ") == true)
    }
    #expect(fault(sample.webP(width: 16_384, height: 16_384)) == nil)
    #expect(fault(sample.jpeg(width: 29_999, height: 30_000)) == nil)
    // Wherever the image is cut it is not all there; what stands behind it is none of it.
    let tail = Array("Beech Wood".utf8).count
    for (index, bytes) in [sample.jpeg(), sample.png(), sample.webP()].enumerated() {
      let end = bytes.count - tail
      for count in 12..<end {
        let found = try #require(fault(Array(bytes.prefix(count))), "\(index) \(count)")
        #expect(found.offset <= count && !found.reason.isEmpty && !found.remedy.isEmpty)
      }
      #expect(fault(Array(bytes.prefix(end))) == nil)
    }
    let image = sample.heic()
    for count in 12..<image.count - tail - 8 {
      #expect(fault(Array(image.prefix(count))) != nil, "\(count)")
    }
  }

  /// Where others read the same samples: a row of EXPECTED.tsv for each file.
  @Test(.enabled(if: SharedData.has("reference/journal/photos")))
  func realPhotosAreReadAsOthersReadThem() throws {
    let folder = SharedData.path("reference/journal")
    let rows = try String(contentsOfFile: folder + "/EXPECTED.tsv", encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
      .filter { $0[0].hasPrefix("photos/") }
    #expect(rows.count > 5)
    let orientations = ["Horizontal (normal)": 1, "Rotated 90 CW": 6]
    var placeCount = 0
    for row in rows {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(row[0])"))
      let facts = try PhotoFacts([UInt8](bytes))
      let said = row[2]
      func value(_ name: String, upTo end: String) -> String? {
        guard let start = said.range(of: name + "=")?.upperBound else { return nil }
        let rest = said[start...]
        return String(rest[..<(rest.range(of: end)?.lowerBound ?? rest.endIndex)])
      }
      #expect(facts.width > 0 && facts.height > 0 && facts.type == .jpeg)
      #expect(
        facts.exif.orientation
          == value("orientation", upTo: " original").flatMap { orientations[$0] },
        "\(row[0])")
      let original = value("original", upTo: "\t").flatMap { $0 == "-" ? nil : $0 }
      let time = original.map { text in
        "\(text.prefix(10).replacing(":", with: "-"))T\(text.suffix(8))"
      }
      #expect(facts.exif.time?.text == time, "\(row[0])")
      let latitude = Self.units(value("lat", upTo: " lon")),
        longitude = Self.units(value("lon", upTo: " orientation"))
      #expect(facts.exif.position?.latitudeE7 == latitude, "\(row[0])")
      #expect(facts.exif.position?.longitudeE7 == longitude, "\(row[0])")
      if latitude != nil { placeCount += 1 }
    }
    #expect(placeCount == 2)
  }

  /// "[43, 28, 1407/500] N" in 1e-7 degree.
  private static func units(_ text: String?) -> Int? {
    guard let text, let end = text.firstIndex(of: "]") else { return nil }
    let parts = text[..<end].dropFirst().split(separator: ",").map { part in
      let words = part.split(separator: "/").compactMap { Double($0.filter { $0 != " " }) }
      return words[0] / (words.count > 1 ? words[1] : 1)
    }
    let degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
    let isNegative = text.hasSuffix("S") || text.hasSuffix("W")
    return Int((degrees * 1e7).rounded()) * (isNegative ? -1 : 1)
  }
}
