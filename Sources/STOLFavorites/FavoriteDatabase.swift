import Foundation
public import STOLData
public import STOLPack

/// What favourites ask of the database that is active: which taxon a reference leads to there, and what
/// the reference to a taxon is.
public struct FavoriteDatabase: Sendable {
  /// The taxon that each of some references leads to, or nil.
  let taxa: @Sendable ([TaxonReference]) -> [TaxonID?]
  /// The id of the taxon that an id stands for, as merged ids do; nil where there is none.
  let current: @Sendable (TaxonID) -> TaxonID?
  /// The retired ids that stand for any of some taxa; nil where nobody can list them.
  let retired: @Sendable ([TaxonID]) -> [TaxonID]?
  /// What tells the database from any other, so that what was looked up in it may be kept; nil for nothing.
  let mark: @Sendable () -> Int64?
  /// The reference to what an id stands for, with as much of a snapshot as the database has.
  let reference: @Sendable (TaxonID) -> TaxonReference
  /// Which rules say what references lead to: a greater number where these change.
  private static let rules: Int64 = 1
  /// What rows of version 1, which have an id and a time only, are taken for; nil for what cannot be told yet.
  let takeover: @Sendable ([Old]) -> [TaxonReference?]

  /// A row of version 1.
  typealias Old = (id: TaxonID, time: Date)

  /// Asks functions in place of a database.
  ///
  /// - Parameters:
  ///   - taxa: the taxon that each of some references leads to, or nil.
  ///   - current: the id of the taxon that an id stands for.
  ///   - reference: the reference to what an id stands for.
  ///   - retired: the retired ids that stand for any of some taxa; nil where nobody can list them.
  ///   - mark: what tells the database from any other.
  ///   - takeover: what rows of version 1 are taken for; nil for what `reference` says.
  init(
    taxa: @escaping @Sendable ([TaxonReference]) -> [TaxonID?],
    current: @escaping @Sendable (TaxonID) -> TaxonID?,
    reference: @escaping @Sendable (TaxonID) -> TaxonReference,
    retired: @escaping @Sendable ([TaxonID]) -> [TaxonID]? = { _ in nil },
    mark: @escaping @Sendable () -> Int64? = { nil },
    takeover: (@Sendable ([Old]) -> [TaxonReference?])? = nil
  ) {
    self.taxa = taxa
    self.current = current
    self.reference = reference
    self.retired = retired
    self.mark = mark
    self.takeover = takeover ?? { $0.map { reference($0.id) } }
  }

  /// The database that is active whenever something is asked.
  ///
  /// - Parameters:
  ///   - source: a provider, or a snapshot, which stays.
  ///   - directory: where databases and favourites are kept; says what rows of version 1 are taken for.
  public init(_ source: any SnapshotSource, directory: DataDirectory) {
    self.init(pack: { source.pack }) { FavoriteTakeover(directory).references($0) }
  }

  /// One pack, whatever is active.
  ///
  /// - Parameters:
  ///   - pack: the pack.
  ///   - directory: where databases and favourites are kept.
  public init(_ pack: Pack, directory: DataDirectory) {
    self.init(pack: { pack }) { FavoriteTakeover(directory).references($0) }
  }

  /// A pack, and what rows of version 1 are taken for.
  init(
    pack: @escaping @Sendable () -> Pack, takeover: @escaping @Sendable ([Old]) -> [TaxonReference?]
  ) {
    self.init(
      taxa: { references in
        let view = pack().view
        return view.resolve(references).map { outcome in outcome.taxon.map { view.ids[$0] } }
      },
      current: { id in
        let view = pack().view
        return view.ids.resolve(id).taxon.map { view.ids[$0] }
      },
      reference: { Self.reference(of: $0, in: pack()) },
      retired: { pack().view.ids.mergedIDs(intoAny: $0) },
      mark: { pack().mark.map { $0 &+ Self.rules } }, takeover: takeover)
  }

  /// Without a database every reference stands for its own id.
  public static let none = FavoriteDatabase(
    taxa: { references in
      references.map { $0.idSpace == nil ? TaxonID(sourceText: $0.id) : nil }
    },
    current: { $0 },
    reference: { TaxonReference(idSpace: nil, id: String($0.rawValue)) },
    takeover: { $0.map { _ in nil } })

  /// The reference to what an id stands for in a pack, with a snapshot where it is there.
  static func reference(of id: TaxonID, in pack: Pack) -> TaxonReference {
    let view = pack.view
    if let taxon = view.ids.resolve(id).taxon, let found = view.reference(to: taxon) {
      return found
    }
    return TaxonReference(idSpace: view.idSpace, id: String(id.rawValue))
  }
}
