public import STOLPack

/// Finds what texts name as a whole, as people write names: with authors behind them, or in open nomenclature.
///
/// What `PackView.resolve` finds, and where that is nothing, also names with their authors ("Felis catus
/// Linnaeus, 1758") and those whose species is not known ("Quercus sp."). The memory of the last text is used
/// again; any number of threads may look in one pack, each with its own.
public struct WrittenNames: ~Copyable {
  private var authored = AuthoredNames()

  /// One without memory yet.
  public init() {}

  /// What a text names.
  ///
  /// - Parameters:
  ///   - text: an id, or a name.
  ///   - filter: which taxa may be found.
  ///   - view: the pack.
  /// - Returns: what it stands for; and whether that is only what stands before a marker of open nomenclature,
  ///   as the genus of "Quercus sp.".
  /// - Complexity: that of `PackView.resolve`; where nothing is found, up to two more look-ups.
  public mutating func resolve(
    _ text: String, filter: SearchFilter = SearchFilter(), in view: borrowing PackView
  ) -> (found: TaxonResolution, isPart: Bool) {
    let found = view.resolve(text, filter: filter)
    guard found == .notFound else { return (found, false) }
    let utf8 = Array(text.utf8)[...]
    let uses = authored.uses(of: utf8, passing: filter, in: view)
    if let use = uses.first {
      guard uses.count == 1 else { return (.ambiguous(uses.map { $0.taxon }), false) }
      return (
        view.names.isScientific(use.name) ? .found(use.taxon) : .synonym(use.taxon, use.name), false
      )
    }
    guard let known = OpenName.certainPart(of: utf8) else { return (.notFound, false) }
    let part = view.resolve(String(decoding: known, as: UTF8.self), filter: filter)
    return switch part {
    case .found, .synonym, .common, .ambiguous: (part, true)
    // A retired id, and what is too long, is no part of a name.
    case .merged, .deleted, .notFound, .invalid: (.notFound, false)
    }
  }
}
