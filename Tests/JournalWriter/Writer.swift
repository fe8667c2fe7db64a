import Foundation
import STOLData
import STOLJournal
import STOLStore
import STOLTrust
import TestSupport

/// Saves, deletes and undoes in a journal, and says so once it is done: for tests that kill it.
///
///     JournalWriter FOLDER WRITER FIRST COUNT
///
/// Step n saves entry n; every fourth of five deletes the event of the one before, and every fifth undoes
/// that. Each step, done again, changes nothing.
///
///     JournalWriter HOME lock|unlock PASSPHRASE
///
/// Locks the journal in a data directory, or unlocks it.
@main
struct Writer {
  let journal: JournalFile
  let number: Int

  static func main() throws {
    let words = CommandLine.arguments
    if words.count == 4 { return try change(words[2], words[1], words[3]) }
    guard words.count == 5, let number = Int(words[2]), let first = Int(words[3]),
      let count = Int(words[4])
    else { throw CocoaError(.formatting) }
    let journal = try patiently { try JournalFile(folder: words[1]) }
    let writer = Writer(journal: journal, number: number)
    for step in first..<first + count {
      try patiently { try writer.take(step) }
      try FileHandle.standardOutput.write(contentsOf: Data("\(step)\n".utf8))
    }
  }

  private static func change(_ what: String, _ home: String, _ passphrase: String) throws {
    var bytes = Array(passphrase.utf8)
    let directory = DataDirectory(override: home)
    guard let secret = SecretBytes(moving: &bytes) else { throw KeyError.outOfMemory }
    switch what {
    case "lock":
      _ = try JournalLock.lock(in: directory, passphrase: secret, cost: .least) { code in
        try FileHandle.standardOutput.write(contentsOf: Data("\(code)\n".utf8))
      }
    case "unlock": try JournalLock.unlock(in: directory, passphrase: secret)
    default: throw CocoaError(.formatting)
    }
  }

  /// Tries again where another writer, which does nothing but write, kept the file locked for too long.
  private static func patiently<Value>(_ body: () throws -> Value) throws -> Value {
    while true {
      do { return try body() } catch StoreError.busy {}
    }
  }

  private func take(_ step: Int) throws {
    switch step % 5 {
    case 3: _ = try journal.delete(id(step - 1, 0))
    case 4:
      let batches = try journal.history(of: id(step - 2, 0))
      guard let batch = batches.first(where: { $0.what == "delete" && !$0.isUndone }) else {
        return
      }
      try journal.undo(batch: batch.id)
    default: try journal.save(try entry(step))
    }
  }

  /// The id of a record of an entry.
  private func id(_ step: Int, _ record: Int) -> JournalID {
    var generator = SeededGenerator(seed: UInt64(number << 40 | step << 8 | record))
    return JournalID(milliseconds: Int64(step), using: &generator)
  }

  /// An event, three occurrences, what they were taken for, a note and a measure.
  private func entry(_ step: Int) throws -> [JournalRecord] {
    var event = Event(
      id: id(step, 0), kind: .visit, start: try LocalTime("2026-01-\(10 + step % 20)"))
    event.position = Position(latitudeE7: step * 1000, longitudeE7: number * 1000)
    event.remarks = "step \(step)"
    var records: [JournalRecord] = [.event(event)]
    for number in 1...3 {
      let seen = Occurrence(id: id(step, number), event: event.id)
      let taxon = TaxonReference(idSpace: "test", id: "\(step % 7)", name: "A b")
      records += [
        .occurrence(seen),
        .identification(
          Identification(
            id: id(step, 3 + number), occurrence: seen.id, verbatimName: "a b", taxon: taxon,
            match: .exact)),
      ]
    }
    return records + [
      .note(Note(id: id(step, 7), target: event.id, text: "n")),
      .measure(Measure(id: id(step, 8), target: event.id, type: "x-n", number: step)),
    ]
  }
}
