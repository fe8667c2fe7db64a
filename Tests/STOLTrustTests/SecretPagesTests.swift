import STOLSystem
import Testing

@testable import STOLTrust

/// What secrets lie in where libsodium is missing.
@Suite("Pages for secrets") @safe
struct SecretPagesTests {
  @Test(arguments: [1, 32, 4096, 16_384, 100_000])
  func areZerosUntilWrittenAndOnceWiped(_ count: Int) throws {
    let start = unsafe try #require(SecretPages.allocate(count))
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: start, count: count)
    #expect(unsafe bytes.allSatisfy { $0 == 0 })
    unsafe bytes.copyBytes(from: [UInt8](repeating: 7, count: count))
    #expect(unsafe bytes.allSatisfy { $0 == 7 })
    unsafe SecretPages.wipe(start, count)
    #expect(unsafe bytes.allSatisfy { $0 == 0 })
    unsafe SecretPages.free(start, count)
  }

  @Test func manyAreGivenBack() throws {
    // More than could be mapped at once.
    for _ in 0..<100_000 {
      let start = unsafe try #require(SecretPages.allocate(32))
      unsafe SecretPages.free(start, 32)
    }
  }

  @Test func nobodyReadsInFrontOfThem() async {
    await #expect(processExitsWith: .failure) {
      let start = unsafe try #require(SecretPages.allocate(32))
      print(unsafe (start - 1).load(as: UInt8.self))
    }
  }
}
