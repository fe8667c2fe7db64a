import Foundation
import FuzzSupport
import STOLSystem

@testable import STOLFormats
@testable import STOLIngest

/// What readers of sources make of any bytes: rows that are all accounted for, or an error.
///
/// The first byte says which reader; NUL is between the files.
@_cdecl("FuzzSources_main")
func run(_ count: CInt, _ arguments: Arguments) -> CInt {
  unsafe Fuzzer.run(count, arguments) { bytes in
    guard let kind = bytes.first else { return }
    let parts = bytes.dropFirst().split(separator: 0, omittingEmptySubsequences: false)
      .map { Array($0) }
    switch kind & 7 {
    case 0: readSheet(parts[0], texts: parts.count > 1 ? parts[1] : [])
    case 1:
      read([("a.txtree", parts[0])]) {
        TextTreeReader($0, $1)
      } using: {
        try $0.read()
      }
    case 3: readLineages(parts[0])
    case 4:
      // As the tables of a Species File Group Archive are read.
      let names = [
        "name.tsv", "taxon.tsv", "synonym.tsv", "reference.tsv", "vernacular.tsv",
        "distribution.tsv",
      ]
      read(Array(zip(names, parts))) {
        try ColDPReader($0, $1)
      } using: { reader in
        var reader = reader
        try reader.read()
      }
    case 5: readCompressed(Array(bytes.dropFirst()))
    default:
      let names = [
        "AcceptedSpecies.tsv", "AcceptedInfraSpecificTaxa.tsv", "Synonyms.tsv", "CommonNames.tsv",
        "References.tsv", "NameReferencesLinks.tsv",
      ]
      read(Array(zip(names, parts))) {
        try ACEFReader($0, $1)
      } using: { reader in
        var reader = reader
        try reader.read()
      }
    }
  }
}

/// Bytes as a stream, in pieces that end anywhere.
private func stream(_ name: String, _ bytes: [UInt8]) -> SourceStream {
  var offset = 0
  return SourceStream(name: name) { () throws(FormatError) in
    let end = min(bytes.count, offset + 61)
    defer { offset = end }
    return Array(bytes[offset..<end])
  }
}

/// A sheet gives as many lines as its last row says, each without a break.
private func readSheet(_ sheet: [UInt8], texts: [UInt8]) {
  do {
    let texts = try SharedStrings(texts.isEmpty ? nil : stream("texts", texts), path: "book")
    let reader = try SheetReader(stream("sheet", sheet), texts, path: "book", name: "sheet")
    while case let bytes = try reader.next(), !bytes.isEmpty {
      Fuzzer.require(bytes.last == 0x0A, "a row without an end")
      Fuzzer.require(
        !bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A }, "a control character")
    }
  } catch {
    Fuzzer.require(!error.description.isEmpty, "an error without words")
  }
}

/// Ways from the root, a line each, as GTDB, SILVA and UNITE have them.
private func readLineages(_ lines: [UInt8]) {
  read([("lineages.tsv", lines)]) {
    (try $0.table("lineages.tsv", columnNames: ["way"], onFinding: { _, _ in }).rows, $1)
  } using: { rows, intake in
    var rows = rows
    var table = LineageTable()
    intake.account.begin("lineages.tsv")
    while try intake.next(&rows) {
      _ = table.add(
        rows.text(0), separator: ";", id: "", rank: nil, line: rows.line,
        clean: { intake.clean($0, line: nil) })
    }
    try table.giveNew { try intake.add($0) }
  }
}

/// A file that bzip2 compressed: decoders of xz and zstd take memory as their headers say.
private func readCompressed(_ bytes: [UInt8]) {
  guard bytes.starts(with: Array("BZh".utf8)) else { return }
  let path = "/tmp/stol-fuzz-\(ProcessInfo.processInfo.processIdentifier).bz2"
  do {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let files = try SourceFiles(path: path)
    for name in files.names {
      let stream = try files.open(name)
      while try !stream.next().isEmpty {}
    }
  } catch let error as FormatError {
    Fuzzer.require(!error.description.isEmpty, "an error without words")
    Fuzzer.require(!error.description.contains("\n"), "an error of several lines")
  } catch {
    Fuzzer.require(false, "\(error)")
  }
}

/// Files of a source in memory.
private final class Files: TableMaker {
  private let contents: [String: [UInt8]]
  var tableNames: [String] { Array(contents.keys) }

  init(_ contents: [(String, [UInt8])]) {
    self.contents = Dictionary(contents, uniquingKeysWith: { first, _ in first })
  }

  func open(_ table: String) throws(FormatError) -> SourceStream {
    guard let bytes = contents[table] else { throw .missingFile(path: "source", name: table) }
    return stream(table, bytes)
  }
}

private func read<Reader>(
  _ contents: [(String, [UInt8])], _ make: (SourceFiles, Intake) throws -> Reader,
  using body: (Reader) throws -> Void
) {
  do {
    let intake = try Intake(beside: "/tmp/stol-fuzz", findings: Findings())
    let files = SourceFiles(path: "source", maker: Files(contents))
    try body(try make(files, intake))
    let resolution = try Resolver.resolve(intake)
    Fuzzer.require(resolution.usages.count < 1 << 20, "more usages than bytes")
  } catch let error as FormatError {
    Fuzzer.require(!error.description.isEmpty, "an error without words")
  } catch let error as IngestError {
    Fuzzer.require(!error.description.isEmpty, "an error without words")
  } catch {
    Fuzzer.require(false, "\(error)")
  }
}
