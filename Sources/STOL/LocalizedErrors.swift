// What an app shows of an error: `localizedDescription` is the line that says what is wrong, where, and
// what to do. The rooms below need no Foundation for it.

public import Foundation
public import STOLGzip

extension LocalizedError where Self: StolError {
  /// The line that says what is wrong.
  public var errorDescription: String? { description }
}

extension SystemError: LocalizedError {}
extension PackError: LocalizedError {}
extension CompileError: LocalizedError {}
extension SearchError: LocalizedError {}
extension CompareError: LocalizedError {}
extension TaxonomyError: LocalizedError {}
extension BundledDatabase.Failure: LocalizedError {}
extension DataDirectoryError: LocalizedError {}
extension ReferenceStore.Failure: LocalizedError {}
extension StoreError: LocalizedError {}
extension MediaError: LocalizedError {}
extension ImportError: LocalizedError {}
extension ContainerWriter.Failure: LocalizedError {}
extension ContainerError: LocalizedError {}
extension KeyError: LocalizedError {}
extension GzipError: LocalizedError {}
