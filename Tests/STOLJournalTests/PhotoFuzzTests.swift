import Foundation
import STOLMedia
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Broken photos")
struct PhotoFuzzTests {
  /// A file in which something is another, missing, there twice, or of another file.
  private static func mutated(
    _ files: [[UInt8]], _ generator: inout SeededGenerator
  ) -> [UInt8] {
    guard var bytes = files.randomElement(using: &generator) else { return [] }
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      guard !bytes.isEmpty else { break }
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      let end = min(bytes.count, place + Int.random(in: 1...16, using: &generator))
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
      case 2: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 3: bytes.removeSubrange(place..<end)
      case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 5: bytes.removeLast(bytes.count - place)
      default:
        let other = files.randomElement(using: &generator) ?? []
        let from = min(place, other.count)
        bytes.replaceSubrange(
          place..<end, with: other[from..<min(other.count, from + end - place)])
      }
    }
    return bytes
  }

  /// A stripped copy of a photo says nothing, or there is none.
  private static func expectStripping(_ bytes: [UInt8], _ facts: PhotoFacts) {
    do throws(PhotoFault) {
      let copy = try PhotoStripping.stripped(bytes)
      guard let left = try? PhotoFacts(copy) else {
        Issue.record("a stripped copy is no photo: \(facts.type)")
        return
      }
      #expect(left.exif.position == nil && left.exif.time == nil && left.exif.camera == nil)
      #expect((left.exif.orientation ?? 1) == (facts.exif.orientation ?? 1))
      #expect((left.width, left.height, left.type) == (facts.width, facts.height, facts.type))
    } catch {
      // Only HEIC says anywhere in the file where a thing lies.
      #expect(facts.type == .heic && error.reason.contains("what describes it"))
    }
  }

  /// Whatever a file is, it is read or refused, and a stripped copy says nothing.
  @Test func anyBytesAreReadOrRefused() throws {
    var generator = SeededGenerator(seed: 251)
    var plain = PhotoSample()
    plain.isLittleEndian = true
    let files = PhotoSample.full.files + plain.files
    var (readCount, placeCount, refusedCount) = (0, 0, 0)
    for _ in 0..<Sweep.count(few: 20_000, full: 5_000_000) {
      let bytes = Self.mutated(files, &generator)
      do throws(PhotoFault) {
        let facts = try PhotoFacts(bytes)
        readCount += 1
        if let position = facts.exif.position {
          placeCount += 1
          #expect((try? position.validate()) != nil)
        }
        Self.expectStripping(bytes, facts)
      } catch {
        refusedCount += 1
        #expect(error.offset <= bytes.count && !error.remedy.isEmpty)
      }
    }
    #expect(
      readCount > 2000 && placeCount > 200 && refusedCount > 2000,
      "\(readCount) \(placeCount) \(refusedCount)")
  }

  /// Files of all kinds with images that can be decoded, beside the photo or within it.
  private static func images() -> [[UInt8]] {
    var sample = PhotoSample.full
    sample.thumbnail = Pixels.smooth(80, 60).file
    var others = JPEGSample.all.map(\.bytes)
    for kind in [JPEGSample.halved, .cmyk, .progressive] {
      others.append(kind.with(exif: sample.tiff))
    }
    return others + sample.files
  }

  /// Whatever a file is, an image of the right size comes out of it or none, in little memory: in a process of its
  /// own, so that a trap is a failure and not the end.
  @Test func anyBytesGiveAThumbnailOrNone() async {
    await #expect(processExitsWith: .success) {
      var generator = SeededGenerator(seed: 252)
      let files = PhotoFuzzTests.images()
      let start = Memory.peakKilobytes()
      var (decodedCount, warnedCount, thumbnailCount, wrongCount) = (0, 0, 0, 0)
      let count = Sweep.count(few: 4000, full: 5_000_000)
      for index in 0..<count {
        let bytes = PhotoFuzzTests.mutated(files, &generator)
        // Edges at which all scales of decoding are taken.
        let edge = [512, 24, 12, 6, 1][index % 5]
        if let (pixels, warnings) = JPEGCodec.image(ByteField(bytes), edge: edge) {
          decodedCount += 1
          warnedCount += warnings > 0 ? 1 : 0
          wrongCount += max(pixels.width, pixels.height) > edge ? 1 : 0
        }
        guard index % 4 == 0 else { continue }
        let thumbnails = Thumbnail.files(of: bytes)
        thumbnailCount += thumbnails.isEmpty ? 0 : 1
        for (size, file) in thumbnails {
          let image = JPEGCodec.image(ByteField(file), edge: 1024)
          let isRight = image.map {
            $0.warningCount == 0 && max($0.pixels.width, $0.pixels.height) <= size.rawValue
          }
          wrongCount += isRight == true ? 0 : 1
        }
      }
      let growth = Memory.peakKilobytes() - start
      print(
        "\(count) files: \(decodedCount) decoded, \(warnedCount) with warnings, \(thumbnailCount) of",
        "\(count / 4) have thumbnails, \(wrongCount) wrong; \(growth) kB more")
      let isRight =
        wrongCount == 0 && warnedCount * 20 > count && decodedCount < count - count / 20
        && thumbnailCount * 40 > count && growth < 64 * 1024
      exit(isRight ? 0 : 1)
    }
  }

  /// A grey image of `width` by `height` pixels, multiples of 16, in as few bytes as there can be; where its colours
  /// have a scan each, that of the first one alone.
  private static func grey(_ width: Int, _ height: Int, isApart: Bool) throws -> [UInt8] {
    let small = Pixels(width: 16, height: 16, samples: [UInt8](repeating: 128, count: 768)).file
    var (head, segments) = ([0xFF, 0xD8] as [UInt8], JPEGSegments(small))
    while let segment = try segments.next(), segment.marker != 0xDA {
      var bytes = Array(small[segment.range])
      if segment.isFrame {
        bytes.replaceSubrange(
          5..<9,
          with: [height >> 8, height, width >> 8, width].map { UInt8(truncatingIfNeeded: $0) })
      }
      head += bytes
    }
    // By the usual codes a block without a change is 00 1010 in the first colour, and 00 00 in the others.
    let blocks: [UInt8] = [0x28, 0xA2, 0x8A] + (isApart ? [] : [0])
    var data = blocks
    while data.count < width * height / 256 * blocks.count { data += data }
    data.removeLast(data.count - width * height / 256 * blocks.count)
    let scan: [UInt8] = isApart ? [8, 1, 1, 0] : [12, 3, 1, 0, 2, 0x11, 3, 0x11]
    return head + [0xFF, 0xDA, 0] + scan + [0, 63, 0] + data + [0xFF, 0xD9]
  }

  /// The largest images are decoded, or refused before they are where they need more memory.
  @Test func largeImagesTakeLittleMemory() async {
    await #expect(processExitsWith: .success) {
      let start = Memory.peakKilobytes()
      var right = 0
      for (length, isApart, isDecoded) in [
        (29_984, false, true), (4000, true, true), (8000, true, false),
      ] {
        let image = JPEGCodec.image(
          ByteField(try PhotoFuzzTests.grey(length, length, isApart: isApart)), edge: 512)
        let isGrey = image.map { (pixels, warningCount) in
          warningCount == 0 && pixels.width == 512 && pixels.height == 512
            && Set(pixels.samples) == [128]
        }
        right += (isGrey ?? false) == isDecoded && (image != nil) == isDecoded ? 1 : 0
      }
      let growth = Memory.peakKilobytes() - start
      print("\(right) right; \(growth) kB more")
      exit(right == 3 && growth < 64 * 1024 ? 0 : 1)
    }
  }
}
