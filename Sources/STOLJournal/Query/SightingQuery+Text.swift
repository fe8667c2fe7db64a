import STOLData
package import STOLPack

extension SightingQuery.Cursor {
  /// It as a text, for an address.
  package var text: String { "\(atMs).\(id)" }

  /// The cursor that a text is; nil for another one.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let atMs = Int64(parts[0]), let id = Int64(parts[1]) else { return nil }
    self.init(atMs: atMs, id: id)
  }
}

extension JournalFile {
  /// The references that are written so, as "ncbi:9689": those too that lead to nothing in a pack.
  ///
  /// - Complexity: O(number of references)
  package func references(written text: String, in pack: Pack) throws -> Set<TaxonRefID> {
    Set(
      try resolvedReferences(in: pack).filter { $0.resolved.reference.written == text }.map(\.id))
  }

  /// The taxa of a pack that anything in the journal was ever taken for.
  ///
  /// - Complexity: O(number of references)
  package func ownTaxa(in pack: Pack) throws -> Set<TaxonOrdinal> {
    Set(try resolvedReferences(in: pack).compactMap(\.resolved.taxon))
  }

  /// How many days have a sighting.
  package func dayCount() throws -> Int { try calendar(LocalTime.dayRange).count }
}
