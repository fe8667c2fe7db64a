extension RowImporter {
  /// Looks at whether a record of a row would stand within itself or under too many others.
  ///
  /// - Throws: `ImportRefusal`, what the database throws.
  func requireShallow(_ steps: [Step], line: Int) throws {
    let nested = steps.map(\.record).filter { $0.parent != nil }
    guard !nested.isEmpty else { return }
    let ofRow = Dictionary(steps.map { ($0.record.id, $0.record.parent) }) { first, _ in first }
    let limit = JournalLimits.nestingCount
    for record in nested {
      var depth = try writer.depthBelow(record.kind, record.id)
      var above: JournalID? = record.id
      while let id = above, depth <= limit {
        depth += 1
        above = try ofRow[id] ?? storedParent(of: id)
      }
      guard depth <= limit else {
        throw ImportRefusal(
          line: line, column: "parent", value: record.parent?.description ?? "",
          reason: "stands within itself, or under more than \(limit - 1) others",
          remedy: "choose another parent")
      }
    }
  }

  private func storedParent(of id: JournalID) throws -> JournalID? {
    guard let head = try writer.head(id) else { return nil }
    return try writer.reader.record(head).parent
  }
}
