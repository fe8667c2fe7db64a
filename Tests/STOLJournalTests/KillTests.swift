import Foundation
import STOLSystem
import TestSupport
import Testing

@testable import STOLJournal

@Suite("A journal whose writers are killed")
struct KillTests {
  /// The program beside the tests.
  private static let program = builtProgram("JournalWriter")

  /// A writer that is killed, and what it said before.
  private struct Victim {
    let number: Int
    /// The steps that it has acknowledged, all up to this one.
    var done = 0

    /// The state of an entry after a number of steps: nil for none, else whether it is deleted.
    static func state(of step: Int, after done: Int) -> Bool?? {
      guard step % 5 < 3 else { return nil }
      guard step < done else { return .some(nil) }
      return .some(step % 5 == 2 && done == step + 2)
    }

    func id(_ step: Int, _ record: Int) -> JournalID {
      var generator = SeededGenerator(seed: UInt64(number << 40 | step << 8 | record))
      return JournalID(milliseconds: Int64(step), using: &generator)
    }

    /// The states of all records of an entry; one, unless it is half there.
    func found(_ step: Int, _ journal: JournalFile) throws -> Set<Bool?> {
      Set(try (0...8).map { try journal.record(id(step, $0)).map { $0.deletedAt != nil } })
    }

    /// What was acknowledged is there, what was not is there whole or not at all.
    func expectWhole(_ journal: JournalFile) throws {
      for step in max(0, done - 8)...done + 1 {
        guard let acknowledged = Self.state(of: step, after: done),
          let begun = Self.state(of: step, after: done + 1)
        else { continue }
        let found = try found(step, journal)
        #expect(found == [acknowledged] || found == [begun], "step \(step) of \(done)")
      }
    }
  }

  /// Two writers and a reader in processes of their own; each writer is killed at a random moment, again
  /// and again, and goes on where it was.
  @Test func noAcknowledgedSaveIsLostAndNoneIsHalf() throws {
    let folder = try TemporaryFolder()
    let path = folder("Journal")
    var generator = SeededGenerator(seed: 1)
    var victims = [Victim(number: 1), Victim(number: 2)]
    let journal = try JournalFile(folder: path, readsBeside: true)
    let kills = Sweep.count(few: 24, full: 10_000)
    var killed = 0
    while killed < kills {
      let answers = [folder("answers-0"), folder("answers-1")]
      var processes: [ChildProcess] = []
      for (victim, answer) in zip(victims, answers) {
        try Data().write(to: URL(fileURLWithPath: answer))
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: answer))
        defer { try? output.close() }
        processes.append(
          try ChildProcess(
            Self.program, [path, "\(victim.number)", "\(victim.done)", "1000000"], output: output))
      }
      // Not until it is done, but until some of it is, or for a moment.
      let wanted = Int.random(in: 0...12, using: &generator)
      for _ in 0..<20_000 {
        let lines = try String(contentsOfFile: answers[0], encoding: .utf8)
        if lines.utf8.count(where: { $0 == 10 }) >= wanted || !processes[0].isRunning { break }
        usleep(300)
      }
      usleep(UInt32.random(in: 0...3000, using: &generator))
      for (index, process) in processes.enumerated() {
        kill(process.processIdentifier, SIGKILL)
        #expect(process.wait() == .signal(SIGKILL))
        let text = try String(contentsOfFile: answers[index], encoding: .utf8)
        let whole = text.lastIndex(of: "\n").map { text[...$0] } ?? ""
        let steps = whole.split(separator: "\n").compactMap { Int($0) }
        if let first = steps.first { #expect(steps == Array(first..<first + steps.count)) }
        if let last = steps.last { victims[index].done = last + 1 }
        killed += 1
      }
      for victim in victims { try victim.expectWhole(journal) }
    }
    #expect(victims.allSatisfy { $0.done > 0 })
    let faults = try journal.check()
    #expect(faults == [])
    for victim in victims {
      for step in 0..<victim.done {
        guard let state = Victim.state(of: step, after: victim.done), step < victim.done - 2 else {
          continue
        }
        #expect(try victim.found(step, journal) == [state])
      }
    }
  }
}
