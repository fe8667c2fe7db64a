extension RowWriter {
  /// The bytes of a table of so many rows, whose cells `write` writes, with its header.
  package static func rows(
    _ format: OutputFormat, columns: [String], count: Int, _ write: (Int, inout RowWriter) -> Void
  ) -> [UInt8] {
    var writer = RowWriter(format, columns, true, nil)
    writer.writeHeader()
    for row in 0..<count {
      writer.beginRow()
      write(row, &writer)
      // Nothing is handed on, so that nothing can fail.
      try? writer.endRow()
    }
    return writer.bytes
  }
}
