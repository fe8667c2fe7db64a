import STOLSystem
import TestSupport
import Testing

@Suite("Threads that hand on in turn")
struct TurnsTests {
  private struct Trouble: Error {}

  @Test(arguments: [1, 2, 3, 8], [1, 2, 16])
  func whatIsFinishedComesOutInOrder(_ threadCount: Int, _ capacity: Int) {
    let turns = Turns(capacity: capacity)
    let next = Locked(0)
    let written = Locked<[UInt8]>([])
    let failures = inParallel(threadCount) { number in
      var generator = SeededGenerator(seed: UInt64(number))
      do {
        while true {
          let block = next.withLock { next in
            defer { next += 1 }
            return next
          }
          guard block < 3_000 else { return 0 }
          var bytes = Array("\(block)\n".utf8)
          // Some wait for their turn before they are done, as those with a long answer do.
          if Int.random(in: 0..<10, using: &generator) == 0 {
            try turns.wait(for: block)
            guard try turns.isNext(block) else { return 1 }
          }
          try turns.finish(block, &bytes) { bytes in
            written.withLock { [bytes] written in written += bytes }
            bytes.removeAll()
          }
          guard bytes.isEmpty else { return 1 }
        }
      } catch {
        return 1
      }
    }
    #expect(failures.reduce(0, +) == 0)
    #expect(written.withLock { $0 } == (0..<3_000).flatMap { Array("\($0)\n".utf8) })
  }

  @Test func oneFailureEndsAll() {
    let turns = Turns(capacity: 1)
    let ends = inParallel(4) { number in
      var bytes = [UInt8(number)]
      do {
        // Nobody finishes block 0, so that all others wait until it has failed.
        if number == 0 {
          turns.fail(Trouble())
        } else {
          try turns.wait(for: number)
        }
        try turns.finish(number, &bytes) { $0.removeAll() }
        return "finished"
      } catch is Turns.GivenUp {
        return "given up"
      } catch {
        return "failed"
      }
    }
    #expect(ends == ["given up", "given up", "given up", "given up"])
    #expect(turns.failure is Trouble)
    turns.fail(Turns.GivenUp())
    #expect(turns.failure is Trouble)
  }

  @Test func helpersAreWaitedFor() {
    let count = Locked(0)
    for _ in 0..<100 {
      if let helper = Helper({ count.withLock { $0 += 1 } }) {
        helper.finish()
      } else {
        count.withLock { $0 += 1 }
      }
    }
    #expect(count.withLock { $0 } == 100)
  }

  @Test func processorsThatMayBeUsedAreCounted() { #expect(processorCount() >= 1) }
}
