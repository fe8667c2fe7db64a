package import STOLTrust

/// What knows how the file of a store is encrypted, whenever it is opened.
package protocol StoreKeys: Sendable {
  /// Makes ready what `current` needs, which may ask a person, and take a second.
  ///
  /// - Throws: `StoreError`
  func prepare() throws(StoreError)

  /// The key of the file that is there; nil for one that is not encrypted.
  ///
  /// - Throws: `StoreError`; `.locked` where it has changed since `prepare`.
  func current() throws(StoreError) -> DatabaseKey?
}
