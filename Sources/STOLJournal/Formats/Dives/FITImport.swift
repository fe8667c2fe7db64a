import STOLFormats

/// Reads the dives of a FIT file, as dive computers of Garmin and Suunto write them.
///
/// A file that is damaged gives what is whole, and its dives say what is wrong with it. One without a dive is refused
/// with what it is of.
package final class FITDiveReader: ImportReader {
  private var rows: [Result<ImportRow, ImportRefusal>] = []
  private var position = 0
  /// How many files had no dive.
  private var emptyCount = 0
  package private(set) var beside = ImportBeside()
  /// More than a computer writes in a day.
  static let byteLimit = 64 << 20

  /// Reads what `chunks` gives.
  ///
  /// - Throws: `JournalError.invalid` for a file that is too large; what `chunks` throws.
  package init(_ chunks: ByteChunks) throws {
    var decoder = FITDecoder(try chunks.rest(limit: Self.byteLimit))
    var file = FITDives()
    var (start, toldCount) = (decoder.start, 0)
    // What is wrong with a file stands before what is wrong with the next one.
    func faults(before end: Int) -> ArraySlice<FITDecoder.Fault> {
      let faults = decoder.faults[toldCount...].prefix { $0.offset < end }
      toldCount += faults.count
      return faults
    }
    while let message = decoder.next() {
      if decoder.start != start {
        take(file, faults(before: decoder.start))
        (file, start) = (FITDives(), decoder.start)
      }
      file.take(message)
    }
    take(file, faults(before: .max))
    if !rows.isEmpty {
      if emptyCount > 0 { beside.leftOut["files without a dive"] = emptyCount }
      return
    }
    let fault = decoder.faults.first
    rows.append(
      .failure(
        ImportRefusal(
          line: 1, column: fault.map { "byte \($0.offset)" } ?? "", value: "",
          reason: "has no dive: \(file.what)" + (fault.map { "; \($0.reason)" } ?? ""),
          remedy: "a file of a dive computer")))
  }

  /// Takes the dives of a file that is whole, or of what there is of it.
  private func take(_ file: FITDives, _ faults: ArraySlice<FITDecoder.Fault>) {
    let dives = file.dives
    if dives.isEmpty { emptyCount += 1 }
    for (index, session) in dives.enumerated() {
      do throws(ImportRefusal) {
        var draft = try file.draft(of: session, number: rows.count + 1)
        for fault in faults where index == 0 {
          draft.flag("byte \(fault.offset)", "", "\(fault.reason): what is whole before it is kept")
        }
        rows.append(.success(try draft.row()))
        beside.leave(draft.words.left.sorted())
      } catch {
        rows.append(.failure(error))
      }
    }
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    guard position < rows.count else { return nil }
    defer { position += 1 }
    return rows[position]
  }
}
