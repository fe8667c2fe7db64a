import Foundation
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Stripped copies of photos")
struct PhotoStrippingTests {
  /// All that the sample says anywhere, as a file may hold it.
  private static let secrets: [[UInt8]] =
    PhotoSample.secrets.map { Array($0.utf8) } + [
      Array("+02:00".utf8), [0, 0, 0, 43, 0, 0, 0, 1], [43, 0, 0, 0, 1, 0, 0, 0],
      [0, 0, 0, 11, 0, 0, 0, 1], [11, 0, 0, 0, 1, 0, 0, 0],
    ]

  @Test(arguments: [false, true])
  func nothingIsSaidBesideTheImage(isLittleEndian: Bool) throws {
    var sample = PhotoSample.full
    sample.isLittleEndian = isLittleEndian
    for bytes in sample.files {
      let facts = try PhotoFacts(bytes)
      // The test sees what it looks for.
      let found = Self.secrets.filter { Data(bytes).range(of: Data($0)) != nil }
      #expect(found.count >= 6, "\(facts.type)")
      let copy = try PhotoStripping.stripped(bytes)
      for secret in Self.secrets {
        #expect(Data(copy).range(of: Data(secret)) == nil, "\(facts.type) \(secret)")
      }
      let left = try PhotoFacts(copy)
      #expect((left.type, left.width, left.height) == (facts.type, 400, 300))
      var expected = ExifFacts()
      expected.orientation = 6
      #expect(left.exif == expected)
      #expect(try PhotoStripping.stripped(copy) == copy)
    }
  }

  /// Without an orientation there is no Exif at all, and what is shown stays byte for byte.
  @Test func theImageStays() throws {
    let bytes = PhotoSample().jpeg(number: 77)
    let copy = try PhotoStripping.stripped(bytes)
    #expect(!copy.contains(subsequence: Array("Exif".utf8)))
    #expect(copy.contains(subsequence: [1, 2, 0xFF, 0, 77, 0xFF, 0xD0, 4, 0xFF, 0xD9]))
    #expect(copy.contains(subsequence: PhotoSample.profile))
    #expect(copy.contains(subsequence: Array("JFIF\0".utf8)))
    let png = try PhotoStripping.stripped(PhotoSample().png())
    #expect(png.contains(subsequence: Array("gAMA".utf8)) && png.contains(subsequence: [1, 2, 3]))
    #expect(!png.contains(subsequence: Array("eXIf".utf8)))
    let webP = try PhotoStripping.stripped(PhotoSample().webP())
    // The flags of Exif and XMP are not set.
    #expect(webP.contains(subsequence: Array("VP8X".utf8) + [10, 0, 0, 0, 0]))
    #expect(throws: PhotoFault.self) { try PhotoStripping.stripped(Array(bytes.prefix(100))) }
  }

  /// Segments and chunks that the image needs have no more than they are made for.
  @Test func whatStandsBehindSegmentsIsGone() throws {
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0xFF, marker, 0, UInt8(payload.count + 2)] + payload
    }
    let secret = Array("Beech Wood".utf8)
    let head = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1]
    let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
    let plain = PhotoSample().jpeg()
    let segments =
      segment(0xE0, head + [2, 1] + secret) + segment(0xEE, adobe + secret)
      + segment(0xE0, Array("JFXX\0".utf8) + secret) + segment(0xDD, [0, 4] + secret)
    let others =
      ([0xC8, 0xDE, 0xDF, 0xF0, 0xF7, 0xFD, 0x02, 0xBF] as [UInt8]).flatMap { segment($0, secret) }
      + segment(0xDC, [1, 44] + secret)
      + segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + secret)
    let copy = try PhotoStripping.stripped(
      Array(plain.prefix(2)) + segments + others + plain.dropFirst(2))
    #expect(!copy.contains(subsequence: secret))
    #expect(copy.contains(subsequence: segment(0xE0, head + [0, 0])))
    #expect(copy.contains(subsequence: segment(0xEE, adobe) + segment(0xDD, [0, 4])))
    #expect(copy.contains(subsequence: [1, 2, 0xFF, 0, 0, 0xFF, 0xD0, 4, 0xFF, 0xD9]))
    #expect(try PhotoStripping.stripped(copy) == copy)
  }

  @Test func chunksHaveNothingBesideTheImage() throws {
    func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(payload.count)] + Array(type.utf8) + payload + [0, 0, 0, 0]
    }
    let secret = Array("Beech Wood".utf8)
    let plain = PhotoSample().png()
    let gamma: [UInt8] = [0, 0, 0xB1, 0x8F]
    let chunks =
      chunk("iCCP", secret + [0, 0, 7, 8]) + chunk("pHYs", [UInt8](repeating: 1, count: 9) + secret)
      + chunk("gAMA", gamma + secret) + chunk("iCCP", secret)
      + chunk("fdAT", [0, 0, 0, 1] + secret)
    // Behind the signature and the header.
    let copy = try PhotoStripping.stripped(
      Array(plain.prefix(33)) + chunks + plain.dropFirst(33))
    #expect(!copy.contains(subsequence: secret))
    #expect(copy.contains(subsequence: Array("iCCPICC".utf8) + [0, 0, 7, 8]))
    #expect(copy.contains(subsequence: [0, 0, 0, 4] + Array("gAMA".utf8) + gamma))
    #expect(try PhotoStripping.stripped(copy) == copy)
  }

  /// A frame of an animation has the image alone.
  @Test func framesHaveNothingBesideTheImage() throws {
    func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
      Array(type.utf8) + [UInt8(payload.count), 0, 0, 0] + payload
        + [UInt8](repeating: 0, count: payload.count % 2)
    }
    let secret = Array("Beech Wood!".utf8)
    let image = chunk("VP8L", [0x2F, 7, 7, 7, 7])
    let frame = [UInt8](repeating: 3, count: 16) + image
    let body =
      Array("WEBP".utf8)
      + chunk("VP8X", [0x02, 0, 0, 0, 143, 1, 0, 43, 1, 0] + secret)
      + chunk("ANIM", [0, 0, 0, 0, 0, 0] + secret)
      + chunk("ANMF", frame + chunk("EXIF", secret) + chunk("XMP ", secret))
    let bytes = Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
    let copy = try PhotoStripping.stripped(bytes)
    #expect(!copy.contains(subsequence: secret))
    #expect(copy.contains(subsequence: chunk("ANMF", frame)))
    #expect(try PhotoStripping.stripped(copy) == copy)
    // Less than a frame is none.
    let end = body.count - 4
    let cut = Array("RIFF".utf8) + [UInt8(end), 0, 0, 0] + body.prefix(end)
    #expect(throws: PhotoFault.self) { try PhotoStripping.stripped(cut) }
  }

  /// What no item of a HEIC file is, and what else stands in its boxes, says nothing in a copy.
  @Test func boxesHaveNothingBesideTheImage() throws {
    let secret = Array("Beech Wood".utf8)
    var bytes = PhotoSample().heic()
    // Behind the last item in the box of data, which is the last one of the file.
    let data = try #require(Data(bytes).range(of: Data("mdat".utf8)))
    let start = data.lowerBound - 4
    let count = bytes.count - start + secret.count
    bytes.replaceSubrange(start..<start + 4, with: PhotoSample.big(count, 4))
    bytes += secret
    bytes += PhotoSample.big(8 + 4 + secret.count, 4) + Array("meta".utf8) + [0, 0, 0, 0] + secret
    #expect(bytes.contains(subsequence: secret))
    let copy = try PhotoStripping.stripped(bytes)
    #expect(!copy.contains(subsequence: secret))
    #expect(copy.contains(subsequence: [9, 9, 9, 9]))
    #expect(try PhotoStripping.stripped(copy) == copy)
  }

  /// Where a HEIC file says that Exif is the file's own head, no copy without it could be read.
  @Test func whatDescribesTheImageIsNotOverwritten() throws {
    var bytes = PhotoSample.full.heic()
    // The item with number 2, of one part, whose offset follows.
    let item = try #require(Data(bytes).range(of: Data([0, 2, 0, 0, 0, 1])))
    bytes.replaceSubrange(item.upperBound..<item.upperBound + 4, with: [0, 0, 0, 4])
    let facts = try PhotoFacts(bytes)
    #expect((facts.width, facts.height) == (400, 300) && facts.exif.time == nil)
    let fault = #expect(throws: PhotoFault.self) { try PhotoStripping.stripped(bytes) }
    #expect(fault?.offset == 4 && fault?.reason.contains("what describes it") == true)
  }

  @Test(.enabled(if: SharedData.has("reference/journal/photos")))
  func realPhotosSayNothingThen() throws {
    let folder = SharedData.path("reference/journal/photos")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix(".jpg") {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
      let copy = try PhotoStripping.stripped(bytes)
      let (facts, left) = (try PhotoFacts(bytes), try PhotoFacts(copy))
      #expect((left.width, left.height) == (facts.width, facts.height))
      #expect(left.exif.time == nil && left.exif.position == nil && left.exif.camera == nil)
      #expect((left.exif.orientation ?? 1) == (facts.exif.orientation ?? 1), "\(name)")
      if let camera = facts.exif.camera {
        #expect(!copy.contains(subsequence: Array(camera.utf8)), "\(name)")
      }
    }
  }
}

extension [UInt8] {
  func contains(subsequence other: [UInt8]) -> Bool { Data(self).range(of: Data(other)) != nil }
}
