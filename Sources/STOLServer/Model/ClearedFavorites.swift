import STOLData
import STOLSystem

/// The favourites that were all removed at once, so that they can be put back while this server runs.
///
/// They are in memory alone: on the disk nothing is left of them.
final class ClearedFavorites: Sendable {
  /// In the order in which they were added.
  private let references = Locked<[TaxonReference]>([])

  /// How many can be put back.
  var count: Int { references.withLock { $0.count } }

  /// Keeps what is about to be removed; where there is nothing, what was removed before is still kept.
  func keep(_ removed: [TaxonReference]) {
    guard !removed.isEmpty else { return }
    references.withLock { $0 = removed }
  }

  /// What can be put back.
  var kept: [TaxonReference] { references.withLock { $0 } }

  /// Forgets what was put back.
  func forget() { references.withLock { $0 = [] } }
}
