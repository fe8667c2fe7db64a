// What an app shows of an error.

public import Foundation
public import STOLFormats

extension IngestError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension FormatError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}
