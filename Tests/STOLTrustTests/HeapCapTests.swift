import Testing

@testable import STOLTrust

/// The limit of SQLite's memory in a process that reads databases of strangers and others too.
@Suite("Heap cap")
struct HeapCapTests {
  @Test(arguments: [0, 1 << 30] as [Int64])
  func afterTheLastTheLimitIsWhatItWas(before: Int64) {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      var cap = HeapCap()
      var limit = before
      var openCount = 0
      var used: Int64 = 5_000
      for _ in 0..<Int.random(in: 1...40, using: &generator) {
        if openCount == 0 || Bool.random(using: &generator) {
          limit = cap.raise(limit: limit, used: used)
          openCount += 1
        } else {
          limit = cap.lower()
          openCount -= 1
        }
        used = openCount == 0 ? 5_000 : .random(in: 5_000...limit, using: &generator)
        let room = 5_000 + (64 << 20) + (48 << 20) * Int64(openCount)
        let expected = openCount == 0 ? before : before == 0 ? room : min(room, before)
        #expect(limit == expected)
      }
      while openCount > 0 {
        limit = cap.lower()
        openCount -= 1
      }
      #expect(limit == before)
    }
  }
}
