// What an app shows of an error: `localizedDescription` is the line that says what is wrong, where, and
// what to do. The rooms below need no Foundation for it.

public import Foundation
public import STOLGzip

extension SystemError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension PackError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension CompileError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension SearchError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension CompareError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension TaxonomyError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension BundledDatabase.Failure: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension DataDirectoryError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension ReferenceStore.Failure: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension StoreError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension MediaError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension ImportError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension ContainerWriter.Failure: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension ContainerError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension KeyError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension GzipError: LocalizedError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}
