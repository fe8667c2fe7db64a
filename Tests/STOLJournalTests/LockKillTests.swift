#if Encryption
import Foundation
import STOLData
import STOLSystem
import TestSupport
import Testing

@testable import STOLJournal

@Suite("A journal that is killed while it is locked or unlocked")
struct LockKillTests {
  private static let program = builtProgram("JournalWriter")

  /// Killed at any moment: nothing is lost, and whoever goes on finds it locked, so that nothing
  /// can be read, or not locked at all.
  @Test func itIsLockedThenOrItIsNot() throws {
    let journal = try PrivateJournal(entries: 40, photos: 5)
    let before = try journal.contents()
    let folder = journal.home.directory
    let home = String(folder.journal.dropLast("/Journal".count))
    var generator = SeededGenerator(seed: 5)
    var ends: [String: Int] = [:]
    // About how long one takes that is not killed, in microseconds.
    var longest: UInt32 = 200_000
    for _ in 0..<Sweep.count(few: 40, full: 1000) {
      let wasLocked = try JournalLock.isLocked(in: folder)
      let child = try ChildProcess(
        Self.program, [home, wasLocked ? "unlock" : "lock", "under the oak"],
        output: .nullDevice)
      usleep(UInt32.random(in: 0...longest, using: &generator))
      kill(child.processIdentifier, SIGKILL)
      let end = child.wait()
      longest = end == .signal(SIGKILL) ? min(longest + 10_000, 2_000_000) : longest / 10 * 8
      let isLocked = try JournalLock.isLocked(in: folder)
      #expect(end == .signal(SIGKILL) || (end == .status(0) && isLocked != wasLocked))
      #expect(try journal.contents() == before)
      #expect(try !JournalLock.isInterrupted(in: folder))
      if isLocked { #expect(try journal.readableWords() == []) }
      #expect(
        try !journal.files().keys.contains { $0.contains(".tmp") && !$0.contains("key.json") })
      ends["\(isLocked != wasLocked)", default: 0] += 1
    }
    #expect(ends.count == 2, "\(ends)")
  }
}
#endif
