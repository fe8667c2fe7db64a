/// What a trusted key may sign; Format/CONTAINER.md section 8.
public enum KeyRole: String, CaseIterable, Sendable {
  /// Keyrings.
  case root
  /// Keyrings too, those among them that change the recovery keys; kept off line.
  case recovery
  /// Databases and images, now.
  case current
  /// The same, of releases to come.
  case next

  /// Whether it signs keyrings; such keys sign nothing else.
  public var signsKeyrings: Bool { self == .root || self == .recovery }
}

/// Of which datasets a key that a person added may sign releases.
public struct KeyScope: Hashable, Sendable {
  /// The datasets.
  public let datasets: Set<DatasetID>
  /// Whether it may sign files of version 1 that name no dataset.
  public let includesUnnamed: Bool

  /// What stands for files without a name in the list of trusted keys.
  static let unnamed = "@unnamed"

  /// A scope of these datasets.
  public init(datasets: some Sequence<DatasetID>, includesUnnamed: Bool = false) {
    self.datasets = Set(datasets)
    self.includesUnnamed = includesUnnamed
  }

  /// The scope with this text, or nil.
  init?(text: Substring) {
    var words = text.split(separator: ",", omittingEmptySubsequences: false)
    includesUnnamed = words.last == Self.unnamed[...]
    if includesUnnamed { words.removeLast() }
    let ids = words.map { DatasetID(String($0)) }
    guard !ids.contains(nil), includesUnnamed || !ids.isEmpty else { return nil }
    datasets = Set(ids.compactMap { $0 })
  }

  /// The ids, ascending, with commas.
  var text: String { names.joined(separator: ",") }

  /// The ids, ascending, and what stands for files without a name.
  public var names: [String] {
    datasets.map(\.text).sorted() + (includesUnnamed ? [Self.unnamed] : [])
  }

  /// Whether a release of `dataset`, nil for a file that names none, is within.
  func includes(_ dataset: DatasetID?) -> Bool {
    dataset.map(datasets.contains) ?? includesUnnamed
  }

  /// Both scopes in one.
  func union(_ other: KeyScope) -> KeyScope {
    KeyScope(
      datasets: datasets.union(other.datasets),
      includesUnnamed: includesUnnamed || other.includesUnnamed)
  }
}
