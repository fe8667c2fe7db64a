import Foundation
import STOLPack
import Synchronization
import TestSupport
import Testing

/// Sessions on many threads, and what they take from the heap.
struct SearchSessionTests {
  /// Queries of all kinds and a pack to ask them of.
  struct Load {
    var pack: Pack
    var queries: [SearchQuery] = []

    init(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let source = RandomNames(&generator)
      let taxonomy = source.taxonomy(&generator)
      let oracle = SearchOracle(taxonomy)
      pack = try taxonomy.pack()
      for _ in 0..<200 {
        let text = Misspelling.random(
          source.query(oracle, &generator), count: Int.random(in: 0...2, using: &generator),
          letters: RandomNames.letters, &generator)
        queries.append(
          SearchQuery(
            text, mode: .random(&generator),
            maximumDistance: [nil, 0, 1, 2, 3].randomElement(using: &generator) ?? nil))
      }
    }

    /// The hits of every query, of one session.
    func answers(startingAt start: Int = 0) -> [[SearchHit]] {
      let view = pack.view
      var session = SearchSession()
      var answers = queries.map { _ in [SearchHit]() }
      for offset in queries.indices {
        let index = (start + offset) % queries.count
        session.search(queries[index], in: view)
        answers[index] = session.hits
      }
      return answers
    }
  }

  @Test(arguments: TestSeeds.first(4))
  func manyThreadsGetTheAnswersOfOne(seed: UInt64) async throws {
    let load = try Load(seed: seed)
    let expected = load.answers()
    let isSame = await withTaskGroup(of: Bool.self) { group in
      for worker in 0..<8 {
        group.addTask {
          (0..<5).allSatisfy { load.answers(startingAt: worker * 25 + $0) == expected }
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(isSame, "seed \(seed)")
  }

  #if os(Linux)
  /// In a process of its own, for it counts what all of it allocates.
  @Test func aWarmSessionAllocatesNothing() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let load = try Load(seed: TestSeeds.first(1)[0])
      if let message = load.allocation() {
        FileHandle.standardError.write(Data("allocation: \(message)".utf8))
      }
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(!output.contains("allocation: "), "\(output)")
  }
  #endif
}

#if os(Linux)
extension SearchSessionTests.Load {
  /// What a warm session allocated, or nil; to be called once a process.
  fileprivate func allocation() -> String? {
    let view = pack.view
    var session = SearchSession()
    guard AllocationCounter.start() else { return "allocations cannot be counted" }
    // A count that stays at zero whatever happens would prove nothing.
    let before = AllocationCounter.count
    let lengths = queries.map(\.text.utf8.count)
    guard lengths.count == queries.count, AllocationCounter.count > before else {
      return "allocations are not counted"
    }
    for query in queries { session.search(query, in: view) }
    for query in queries {
      let start = AllocationCounter.count
      session.search(query, in: view)
      let count = AllocationCounter.count - start
      if count > 0 { return "\(count) objects for \(query)" }
    }
    return nil
  }
}

/// Counts the objects, buffers of arrays and strings among them, that the Swift runtime allocates.
private enum AllocationCounter {
  private typealias Function = @convention(c) @Sendable (Int, Int, Int) -> Int

  private static let counter = Atomic<Int>(0)
  // SAFETY: both are written once, before anything reads them.
  private nonisolated(unsafe) static var original: Function = { _, _, _ in 0 }
  private nonisolated(unsafe) static var flag: UnsafeMutableRawPointer?

  static var count: Int { counter.load(ordering: .relaxed) }

  /// Puts a counting function where the runtime looks for one, as instruments do.
  static func start() -> Bool {
    _ = count
    // SAFETY: both symbols are variables of the runtime, a function that takes and returns words and
    // a Boolean; they are there as long as the process is.
    guard let place = unsafe dlsym(nil, "_swift_allocObject"),
      let symbol = unsafe dlsym(
        nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")
    else { return false }
    unsafe flag = symbol
    unsafe original = place.load(as: Function.self)
    unsafe place.storeBytes(of: counted, as: Function.self)
    return true
  }

  private static let counted: Function = { type, size, alignment in
    counter.add(1, ordering: .relaxed)
    // The runtime has just noticed the function and would go on to call replaced ones for retain and
    // release too, of which the original ones do not work in Swift 6.3.
    unsafe flag?.storeBytes(of: false, as: Bool.self)
    return unsafe original(type, size, alignment)
  }
}
#endif
