import ArgumentParser
import STOLSystem

/// Asks before something is gone for good.
struct ConfirmationOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  /// Returns if the person agrees.
  ///
  /// - Parameters:
  ///   - question: what to ask, as in "Delete it?".
  ///   - action: what it is about, for whoever cannot be asked, as in "to delete it".
  ///   - command: the command that does not ask.
  /// - Throws: where the person does not agree, or cannot be asked.
  func require(_ question: String, _ action: String, command: String) throws {
    guard !yes else { return }
    guard Terminal.isInput else {
      throw CommandFailure(
        .usage, "no terminal to ask on; \(action): \(command) --yes")
    }
    writeStandardError("\(question) [y/N] ")
    guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
      writeStandardError("stol: nothing has changed\n")
      throw ExitCode(1)
    }
  }
}
