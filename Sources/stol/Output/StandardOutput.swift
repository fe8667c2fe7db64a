import STOLAnswers
import STOLSystem

/// Writes a text to the standard output.
func writeText(_ text: String) throws {
  var output = ByteOutput()
  try output.write(text)
  try output.flush()
}

/// Writes lines to the standard output.
func writeLines(_ lines: [String]) throws {
  var output = ByteOutput()
  for line in lines { try output.write(line + "\n") }
  try output.flush()
}

/// Writes facts to the standard output, a line each, texts `width` columns from the left.
func writeFacts(_ facts: [(name: String, text: String)], width: Int) throws {
  try writeLines(facts.map { $0.padded(to: width) + Escaping.terminal($1) })
}

extension RowWriter {
  /// Writes a JSON object to the standard output, whose members `body` writes.
  static func writeDocument(_ body: (inout RowWriter) throws -> Void) throws {
    var writer = RowWriter(.document)
    try writer.row(body)
    try writer.finish()
  }
}
