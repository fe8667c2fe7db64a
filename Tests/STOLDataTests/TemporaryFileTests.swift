import Foundation
import STOLSystem
import TestSupport
import Testing

/// In a container each process may have the same number.
@Suite("Temporary files")
struct TemporaryFileTests {
  private let own = ProcessInfo.processInfo.processIdentifier

  @Test func aScratchFileTakesThePlaceOfOneOfAKilledProcess() throws {
    let folder = try TemporaryFolder()
    try folder.write([1, 2, 3], to: "a.sqlite.scratch.\(own).tmp")
    var file = try ScratchFile(beside: folder("a.sqlite"))
    try file.append([7])
    try file.flush()
    #expect(try file.bytes(at: 0, limit: 9) == [7])
    #expect(try folder.contents.isEmpty)
  }

  @Test func whatAKilledProcessOfThisNumberLeftIsRemoved() throws {
    let folder = try TemporaryFolder()
    let kept = ["a.sqlite", "b.sqlite.\(own).tmp", "a.sqlite.\(own).tmp-keep"]
    let gone = [
      "a.sqlite.\(own).tmp", "a.sqlite.\(own).tmp-journal", "a.sqlite.scratch.\(own).tmp",
    ]
    for name in kept + gone { try folder.write([1], to: name) }
    TemporaryFiles.removeLeftovers(of: folder("a.sqlite"))
    #expect(try folder.contents == kept.sorted())
  }
}
