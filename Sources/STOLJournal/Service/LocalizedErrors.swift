// What an app shows of an error: `localizedDescription` is its one line, as everywhere.

public import Foundation

extension JournalError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension ImportRefusal: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}
