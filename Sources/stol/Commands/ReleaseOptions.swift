import STOLTrust
import ArgumentParser

/// Which release is signed, and when it was made.
struct ReleaseOptions: ParsableArguments {
  @Option(
    name: .customLong("release"),
    help: ArgumentHelp("The number of the release, from 1, ever growing.", valueName: "n"))
  var number: UInt32

  @Option(
    help: ArgumentHelp(
      "When it was made, as 2026-01-31T12:00:00Z (default: what it says itself).",
      valueName: "time"))
  var buildTime: String?

  @OptionGroup var passphrase: PassphraseOptions

  func validate() throws {
    guard number > 0 else { throw ValidationError("--release counts from 1") }
    guard buildTime.map({ BuildTime($0) != nil }) ?? true else {
      throw ValidationError("--build-time takes a time as 2026-01-31T12:00:00Z")
    }
  }
}
