import STOLSystem

/// Where the lines of a batch come from.
struct BatchSource {
  /// The path of a file, or nil for the standard input.
  let path: String?

  /// The source that the arguments name: `-`, `--input`, or a single argument that is a file and can
  /// be no name, having a slash or a dot in it.
  init?(arguments: [String], input: String?) throws {
    if let input {
      path = input == "-" ? nil : input
    } else if arguments == ["-"] {
      path = nil
    } else if arguments.count == 1, arguments[0].contains(where: { "/.".contains($0) }),
      fileExists(arguments[0])
    {
      path = arguments[0]
    } else {
      return nil
    }
  }
}
