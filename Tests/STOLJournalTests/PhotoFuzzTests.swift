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
}
