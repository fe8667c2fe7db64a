/// Values that were asked for of late, by their keys: the last so many, and at most twice as many.
struct RecentValues<Key: Hashable, Value> {
  private var recent: [Key: Value] = [:]
  private var older: [Key: Value] = [:]
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// The value of a key; what `make` makes of it where none is kept.
  ///
  /// - Throws: what `make` throws.
  /// - Complexity: O(1)
  mutating func value(of key: Key, _ make: () throws -> Value) rethrows -> Value {
    if let value = recent[key] { return value }
    let value = try older[key] ?? make()
    if recent.count >= limit {
      older = recent
      recent = [:]
    }
    recent[key] = value
    return value
  }
}
