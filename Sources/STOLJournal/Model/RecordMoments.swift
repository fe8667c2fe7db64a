import Foundation

/// When a record was made, when groups of its members changed last, and when it was deleted last, in milliseconds
/// since 1970: what two copies of it become one by.
struct RecordMoments: Hashable, Sendable {
  private(set) var createdMs: Int64
  /// Those of groups that have changed since it was made.
  private(set) var groups: [String: Int64] = [:]
  /// A deletion of it, which a later change is stronger than.
  var deletedMs: Int64?

  /// What tells a deletion that was not strong enough from a group.
  static let deletion = "deleted"

  init(createdMs: Int64) { self.createdMs = createdMs }

  /// When a group changed last.
  subscript(group: String) -> Int64 {
    get { groups[group] ?? createdMs }
    set { groups[group] = newValue == createdMs ? nil : newValue }
  }

  /// When it last came to say something else.
  var saidMs: Int64 { max(createdMs, groups.values.max() ?? createdMs) }
  /// When anything about it changed last.
  var changedMs: Int64 { max(saidMs, deletedMs ?? saidMs) }
  /// Whether it was deleted after all that it says; in one millisecond the deletion comes last.
  var isDeleted: Bool { deletedMs.map { $0 >= saidMs } ?? false }

  /// Of each of some groups the later moment of two copies.
  func merged(with other: RecordMoments, groups names: [String]) -> RecordMoments {
    var merged = RecordMoments(createdMs: min(createdMs, other.createdMs))
    for name in names { merged[name] = max(self[name], other[name]) }
    merged.deletedMs = [deletedMs, other.deletedMs].compactMap { $0 }.max()
    return merged
  }
}

extension RecordMoments {
  /// What the column `moments` has: an object with members in the order of their names, or nothing.
  func text(isLive: Bool) -> String? {
    var members = groups
    if isLive { members[Self.deletion] = deletedMs }
    if members.isEmpty { return nil }
    let parts = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return "{\(parts.joined(separator: ","))}"
  }

  /// What the columns of `record` have.
  ///
  /// - Throws: what says that `text` is no such object.
  init(createdMs: Int64, deletedMs: Int64?, text: String?) throws {
    self.init(createdMs: createdMs)
    self.deletedMs = deletedMs
    guard let text else { return }
    for (name, moment) in try JSONDecoder().decode([String: Int64].self, from: Data(text.utf8)) {
      if name == Self.deletion {
        self.deletedMs = deletedMs ?? moment
      } else {
        self[name] = moment
      }
    }
  }
}
