import Foundation
import GRDB
import STOLStore
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Purging")
struct PurgingTests {
  @Test func whatIsDeletedIsGoneAndTheRestStays() throws {
    let home = try TestJournal()
    let secret = "Zanzibarensis"
    do {
      let journal = try home.open()
      var walk = try Walk()
      walk.bird.remarks = secret
      try journal.save(walk.records)
      try journal.save([
        .identification(
          Identification(
            occurrence: walk.bird.id, verbatimName: secret, taxon: taxon(99, secret), match: .exact)
        ),
        .note(Note(target: walk.bird.id, text: secret)),
      ])
      var changed = walk.event
      changed.remarks = secret
      try journal.save([.event(changed)])
      changed.remarks = nil
      try journal.save([.event(changed)])
      try journal.delete(walk.bird.id)
      let live = try JournalLines.text(of: journal)
      #expect(try journal.purgeable() == Purgeable(recordCount: 3, batchCount: 5))
      #expect(try journal.purge() == Purgeable(recordCount: 3, batchCount: 5))
      #expect(try journal.purgeable() == Purgeable(recordCount: 0, batchCount: 0))
      #expect(try JournalLines.text(of: journal) == live)
      #expect(try journal.check() == [])
      #expect(try journal.record(walk.bird.id) == nil)
      #expect(throws: JournalError.nothingToUndo) { try journal.undo() }
      let references = try home.inside {
        try String.fetchAll($0, sql: "SELECT name FROM taxon_ref")
      }
      #expect(references == ["Quercus robur"])
      // Again, it removes nothing, and what comes after is kept and can be undone.
      #expect(try journal.purge() == Purgeable(recordCount: 0, batchCount: 0))
      try journal.save([.note(Note(target: walk.oak.id, text: "later"))])
      try journal.undo()
      #expect(try JournalLines.text(of: journal) == live)
      #expect(try journal.check() == [])
    }
    for ending in ["", "-wal"] {
      let bytes = FileManager.default.contents(atPath: home.path + ending) ?? Data()
      for text in [secret, secret.lowercased()] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) in journal.sqlite\(ending)")
      }
    }
  }
}
