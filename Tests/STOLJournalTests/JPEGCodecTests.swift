import TestSupport
import Testing

@testable import STOLJournal

@Suite("Images of JPEG files")
struct JPEGCodecTests {
  /// Every kind of JPEG is what another reader says, whole and decoded at an eighth or more.
  @Test(arguments: JPEGSample.all)
  func everyKindIsReadAsByOthers(sample: JPEGSample) throws {
    let facts = try PhotoFacts(sample.bytes)
    #expect((facts.width, facts.height) == (JPEGSample.width, JPEGSample.height))
    let pixels = try Pixels.decoded(sample.bytes)
    #expect((pixels.width, pixels.height) == (JPEGSample.width, JPEGSample.height))
    let means = pixels.means(columns: 6, rows: 4)
    #expect(Pixels.difference(means, sample.means) <= 1)
    let small = try Pixels.decoded(sample.bytes, edge: 6)
    #expect((small.width, small.height) == (6, 4))
    // Of four colours the product of means is not quite the mean of products.
    #expect(Pixels.difference(small.samples, sample.means) <= 8)
  }

  @Test func aSmallerImageIsTheMeansOfBruteForce() {
    var generator = SeededGenerator(seed: 2501)
    for _ in 0..<Sweep.count(few: 150, full: 3000) {
      let pixels = Pixels.random(
        Int.random(in: 1...40, using: &generator), Int.random(in: 1...40, using: &generator),
        &generator)
      let edge = Int.random(in: 1...45, using: &generator)
      let small = JPEGCodec.reduced(pixels, edge: edge)
      #expect(max(small.width, small.height) == min(edge, max(pixels.width, pixels.height)))
      // The shape stays, as far as whole pixels can have it.
      let off = abs(small.width * pixels.height - small.height * pixels.width)
      #expect(
        off * 2 <= max(pixels.width, pixels.height) || min(small.width, small.height) == 1)
      #expect(
        small.samples == pixels.means(columns: small.width, rows: small.height),
        "\(pixels.width) x \(pixels.height) to \(edge)")
    }
  }

  /// Where the first row and the first column are seen: Exif 2.32, 4.6.4, tag Orientation.
  private static let sides: [(row: String, column: String)] = [
    ("top", "left"), ("top", "right"), ("bottom", "right"), ("bottom", "left"), ("left", "top"),
    ("right", "top"), ("right", "bottom"), ("left", "bottom"),
  ]

  @Test(arguments: 1...8)
  func anImageIsSeenAsExifSays(orientation: Int) throws {
    var generator = SeededGenerator(seed: 2502)
    let pixels = Pixels.random(5, 3, &generator)
    let turned = pixels.turned(by: orientation)
    let (rowSide, columnSide) = Self.sides[orientation - 1]
    let isOnSide = ["left", "right"].contains(rowSide)
    #expect((turned.width, turned.height) == (isOnSide ? (3, 5) : (5, 3)))
    for row in 0..<3 {
      for column in 0..<5 {
        var (x, y) = (0, 0)
        for (side, distance) in [(rowSide, row), (columnSide, column)] {
          switch side {
          case "top": y = distance
          case "bottom": y = turned.height - 1 - distance
          case "left": x = distance
          default: x = turned.width - 1 - distance
          }
        }
        for sample in 0..<3 {
          #expect(
            turned.samples[3 * (y * turned.width + x) + sample]
              == pixels.samples[3 * (row * 5 + column) + sample])
        }
      }
    }
  }

  @Test func numbersBeyondThoseOfExifTurnNothing() {
    var generator = SeededGenerator(seed: 2503)
    let pixels = Pixels.random(4, 2, &generator)
    for orientation in [Int.min, -1, 0, 9, Int.max] {
      #expect(pixels.turned(by: orientation) == pixels)
    }
  }

  // MARK: - Damage

  /// What is there of an image that is cut is seen, and that something is missing is counted.
  @Test(arguments: JPEGSample.all)
  func aCutImageGivesWhatThereIs(sample: JPEGSample) throws {
    var counts = (some: 0, none: 0)
    for count in 0..<sample.bytes.count - 2 {
      let cut = ByteField(Array(sample.bytes.prefix(count)))
      if let (pixels, warningCount) = JPEGCodec.image(cut, edge: 512) {
        #expect(warningCount > 0 && pixels.width == JPEGSample.width)
        counts.some += 1
      } else {
        counts.none += 1
      }
    }
    #expect(counts.some > 0 && counts.none > 0)
  }

  /// The number at a place of the frame of a file is another one.
  private static func changing(
    _ bytes: [UInt8], _ change: (inout [UInt8], _ frame: Int) -> Void
  ) throws -> [UInt8] {
    var (bytes, segments) = (bytes, JPEGSegments(bytes))
    while let segment = try segments.next() {
      if segment.isFrame { change(&bytes, segment.payload.range.lowerBound) }
    }
    return bytes
  }

  @Test func anImageThatSaysItIsHugeIsNotBelieved() throws {
    for sample in JPEGSample.all {
      for size in [30_000, 65_500, 65_535] {
        let bytes = try Self.changing(sample.bytes) { bytes, frame in
          for offset in [1, 3] {
            bytes[frame + offset] = UInt8(size >> 8)
            bytes[frame + offset + 1] = UInt8(size & 0xFF)
          }
        }
        #expect(JPEGCodec.image(ByteField(bytes), edge: 512) == nil)
      }
      let deep = try Self.changing(sample.bytes) { bytes, frame in bytes[frame] = 12 }
      #expect(JPEGCodec.image(ByteField(deep), edge: 512) == nil)
    }
    for edge in [0, 1025] {
      #expect(JPEGCodec.image(ByteField(JPEGSample.halved.bytes), edge: edge) == nil)
    }
  }

  /// A file of many scans takes as long as the image is large for each of them.
  @Test func aFileOfTooManyScansIsRefused() throws {
    let bytes = JPEGSample.progressive.bytes
    var segments = JPEGSegments(bytes)
    var last: Range<Int>?
    while let segment = try segments.next() {
      if segment.marker == 0xDA { last = segment.range }
    }
    let scan = try #require(last)
    func repeated(_ count: Int) -> ByteField {
      let more = Array(repeatElement(bytes[scan], count: count).joined())
      return ByteField(Array(bytes[..<scan.upperBound]) + more + bytes[scan.upperBound...])
    }
    #expect(JPEGCodec.image(repeated(50), edge: 512) != nil)
    #expect(JPEGCodec.image(repeated(100), edge: 512) == nil)
  }
}
