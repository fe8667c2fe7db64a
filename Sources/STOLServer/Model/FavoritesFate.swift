/// What became of favourites in a database, each an outcome in the words of `ReferenceOutcome`.
enum FavoritesFate {
  /// It in sentences; nil where all are what they were.
  static func words(_ outcomes: [String]) -> String? {
    guard outcomes.contains(where: { $0 != "same" }) else { return nil }
    func part(_ outcome: String, _ one: String, _ many: String) -> String? {
      let count = outcomes.count { $0 == outcome }
      return count == 0 ? nil : "\(Words.grouped(count)) \(count == 1 ? one : many)"
    }
    let parts = [
      part("same", "is the same", "are the same"),
      part("merged", "has become part of another taxon", "have become part of other taxa"),
      part("by name", "was found by its name", "were found by their names"),
      part("by synonym", "was found by a synonym", "were found by synonyms"),
      part("ambiguous", "may be one of several", "may each be one of several"),
      part("deleted", "was withdrawn by its source", "were withdrawn by their source"),
      part("absent", "is not in it", "are not in it"),
    ].compactMap(\.self)
    let all = Words.count(outcomes.count, "favourite", "favourites")
    return "In this database, of \(all): \(parts.joined(separator: ", ")). "
      + "None is lost: those that are not shown come back with a database that has them."
  }
}
