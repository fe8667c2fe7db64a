extension RowImporter {
  /// Whether a row is, or refers to, what this journal has given away of a record that it knows better itself.
  func isGivenAway(_ row: ImportRow) throws -> Bool {
    let ids = row.records.flatMap { [$0.id] + $0.references.map(\.id) }.filter(\.isOfVersion8)
    guard !ids.isEmpty else { return false }
    let given = try givenAway ?? SharedNames.givenAway(writer.database)
    givenAway = given
    return !given.isDisjoint(with: ids)
  }
}
