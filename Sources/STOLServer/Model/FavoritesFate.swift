/// What became of favourites in a database, each an outcome in the words of `ReferenceOutcome`.
enum FavoritesFate {
  /// It in sentences; nil where all are what they were.
  static func words(_ outcomes: [String]) -> String? {
    guard outcomes.contains(where: { $0 != "same" }) else { return nil }
    let parts = [
      ("same", Message.fateSame), ("merged", .fateMerged), ("by name", .fateByName),
      ("by synonym", .fateBySynonym), ("ambiguous", .fateAmbiguous), ("deleted", .fateDeleted),
      ("absent", .fateAbsent),
    ].compactMap { outcome, words -> String? in
      let count = outcomes.count { $0 == outcome }
      return count == 0 ? nil : Words[words, count: count]
    }
    return Words[
      .fate,
      [
        "favorites": Words[.favorites, count: outcomes.count],
        "parts": parts.joined(separator: Words.comma),
      ]]
  }
}
