extension RowImporter {
  /// Whether a row is, or refers to, what this journal has given away of a record that it knows better itself.
  func isGivenAway(_ row: ImportRow) throws -> Bool {
    // Of a journal that has given nothing away nothing needs to be looked at.
    if givenAway?.isEmpty == true { return false }
    let ids = row.records.flatMap { [$0.id] + $0.references.map(\.id) }.filter(\.isOfVersion8)
    guard !ids.isEmpty else { return false }
    let given = try givenAway ?? SharedNames.givenAway(writer.database)
    givenAway = given
    return !given.isDisjoint(with: ids)
  }
}
