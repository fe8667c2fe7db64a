import Foundation
import STOLMedia
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Thumbnails of photos")
struct ThumbnailTests {
  /// It is seen as Exif in the file says; `JPEGCodecTests` tells what that is.
  @Test(arguments: 1...8)
  func aThumbnailIsSeenTheRightWayUp(orientation: Int) throws {
    let image = Pixels.smooth(60, 90)
    var exif = PhotoSample()
    exif.image.append((0x0112, .short(UInt16(orientation))))
    let files = Thumbnail.files(of: JPEGSample.adding(exif: exif.tiff, to: image.file))
    let seen = try Pixels.decoded(files[.large])
    let expected = image.turned(by: orientation)
    #expect((seen.width, seen.height) == (expected.width, expected.height))
    #expect(
      Pixels.difference(
        seen.means(columns: 3, rows: 3), expected.means(columns: 3, rows: 3)) <= 4)
  }

  @Test(arguments: [
    (1000, 600, 512, 307, 64, 38), (600, 1000, 307, 512, 38, 64), (512, 512, 512, 512, 64, 64),
    (200, 100, 200, 100, 64, 32), (40, 30, 40, 30, 40, 30), (1024, 1, 512, 1, 64, 1),
    (1, 700, 1, 512, 1, 64),
  ])
  func bothSizesHaveTheShapeOfTheImage(
    width: Int, height: Int, largeWidth: Int, largeHeight: Int, smallWidth: Int, smallHeight: Int
  ) throws {
    let image = Pixels.smooth(width, height)
    let files = Thumbnail.files(of: image.file)
    let (large, small) = (try Pixels.decoded(files[.large]), try Pixels.decoded(files[.small]))
    #expect((large.width, large.height) == (largeWidth, largeHeight))
    #expect((small.width, small.height) == (smallWidth, smallHeight))
    for thumbnail in [large, small] where min(width, height) >= 30 {
      #expect(
        Pixels.difference(
          thumbnail.means(columns: 2, rows: 2), image.means(columns: 2, rows: 2)) <= 6)
    }
  }

  /// A thumbnail has nothing of what the camera wrote, but for the profile of its colours.
  @Test func aThumbnailSaysNothing() throws {
    let image = Pixels.smooth(90, 60).file
    var exif = PhotoSample.full
    exif.thumbnail = image
    let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 16)
    for (space, isKept) in [("RGB ", true), ("GRAY", false)] {
      let payload = profile + Array(space.utf8) + [UInt8](repeating: 7, count: 99)
      let segment: [UInt8] = [0xFF, 0xE2, 0, UInt8(payload.count + 2)]
      let comment: [UInt8] = [0xFF, 0xFE, 0, 12] + Array("Beech Wood".utf8)
      var full = image
      full.insert(contentsOf: segment + payload + comment, at: 2)
      let file = JPEGSample.adding(exif: exif.tiff, to: full)
      #expect(try PhotoFacts(file).exif.position != nil)
      for thumbnail in Thumbnail.files(of: file).values {
        var segments = JPEGSegments(thumbnail)
        var markers: [UInt8] = []
        while let segment = try segments.next() {
          markers.append(segment.marker)
          if segment.marker == 0xE2 { #expect(Array(thumbnail[segment.payload.range]) == payload) }
        }
        #expect(segments.offset == thumbnail.count)
        #expect(markers.contains(0xE2) == isKept)
        #expect(
          Set(markers).isSubset(of: [0xE0, 0xE2, 0xDB, 0xC0, 0xC4, 0xDA]), "\(markers)")
      }
    }
  }

  /// Of other formats it is what the camera put beside the image, unless that has another shape.
  @Test func whereNothingIsDecodedTheCamerasOwnIsTaken() throws {
    func sample(_ width: Int, _ height: Int) -> PhotoSample {
      var sample = PhotoSample.full
      sample.thumbnail = Pixels.smooth(width, height).file
      return sample
    }
    for (width, height) in [(160, 120), (64, 48)] {
      // The JPEG file holds no image that could be decoded; all lie on a side.
      for bytes in sample(width, height).files {
        let seen = try Pixels.decoded(Thumbnail.files(of: bytes)[.large])
        #expect((seen.width, seen.height) == (height, width))
      }
    }
    for other in [sample(160, 90), sample(120, 160), sample(60, 45), PhotoSample.full] {
      for bytes in other.files { #expect(Thumbnail.files(of: bytes).isEmpty) }
    }
    // What can be decoded is decoded.
    var stale = PhotoSample()
    stale.thumbnail = Pixels.smooth(96, 64).file
    let sample = JPEGSample.halved
    let own = try Pixels.decoded(Thumbnail.files(of: sample.with(exif: stale.tiff))[.large])
    #expect(own == (try Pixels.decoded(Thumbnail.files(of: sample.bytes)[.large])))
  }

  /// Where the same photos are read by others: their sizes, and how they lie.
  @Test(.enabled(if: SharedData.has("reference/journal/photos")))
  func realPhotosHaveThumbnails() throws {
    let folder = SharedData.path("reference/journal/photos")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count > 5)
    for name in names {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
      let facts = try PhotoFacts(bytes)
      let files = Thumbnail.files(of: bytes)
      let isOnSide = (facts.exif.orientation ?? 1) >= 5
      let (width, height) =
        isOnSide ? (facts.height, facts.width) : (facts.width, facts.height)
      for size in ThumbnailSize.allCases {
        let seen = try Pixels.decoded(files[size])
        #expect(max(seen.width, seen.height) == min(size.rawValue, max(width, height)), "\(name)")
        #expect(abs(seen.width * height - seen.height * width) <= max(width, height), "\(name)")
      }
    }
  }
}
