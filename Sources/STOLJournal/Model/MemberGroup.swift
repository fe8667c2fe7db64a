/// Members of a record that change together: Format/JOURNAL.md, "Two copies of a journal".
///
/// What one of them may say depends on others of its group alone, so that groups of two records can stand in one.
struct MemberGroup<Record: Sendable>: Sendable {
  /// One of them.
  struct Member: Sendable {
    let name: String
    let isSame: @Sendable (Record, Record) -> Bool
    let copy: @Sendable (_ from: Record, _ to: inout Record) -> Void

    init<Value: Equatable & Sendable>(
      _ name: String, _ path: any WritableKeyPath<Record, Value> & Sendable
    ) {
      self.name = name
      isSame = { $0[keyPath: path] == $1[keyPath: path] }
      copy = { $1[keyPath: path] = $0[keyPath: path] }
    }
  }

  let name: String
  let members: [Member]

  init(_ name: String, _ members: Member...) { (self.name, self.members) = (name, members) }

  func isSame(_ one: Record, _ other: Record) -> Bool {
    members.allSatisfy { $0.isSame(one, other) }
  }
}

/// A record whose members are in groups, each in one.
protocol Grouped: Sendable {
  static var groups: [MemberGroup<Self>] { get }
}

extension Grouped {
  fileprivate func groups(since old: Self) -> [String] {
    Self.groups.filter { !$0.isSame(self, old) }.map(\.name)
  }

  fileprivate func taking(_ names: Set<String>, from other: Self) -> Self {
    var record = self
    for group in Self.groups where names.contains(group.name) {
      for member in group.members { member.copy(other, &record) }
    }
    return record
  }

  fileprivate static var groupMembers: [(name: String, members: [String])] {
    groups.map { ($0.name, $0.members.map(\.name)) }
  }
}

extension JournalRecord {
  /// The groups of a kind, with the names of their members.
  static func groups(of kind: Kind) -> [(name: String, members: [String])] {
    switch kind {
    case .place: Place.groupMembers
    case .event: Event.groupMembers
    case .organism: Organism.groupMembers
    case .occurrence: Occurrence.groupMembers
    case .identification: Identification.groupMembers
    case .note: Note.groupMembers
    case .collection: JournalCollection.groupMembers
    case .measure: Measure.groupMembers
    case .person: Person.groupMembers
    case .photo: Photo.groupMembers
    }
  }

  /// The groups that another record of its kind says otherwise; none where that is of another kind.
  func groups(since old: JournalRecord) -> [String] {
    switch (self, old) {
    case (.place(let new), .place(let old)): new.groups(since: old)
    case (.event(let new), .event(let old)): new.groups(since: old)
    case (.organism(let new), .organism(let old)): new.groups(since: old)
    case (.occurrence(let new), .occurrence(let old)): new.groups(since: old)
    case (.identification(let new), .identification(let old)): new.groups(since: old)
    case (.note(let new), .note(let old)): new.groups(since: old)
    case (.collection(let new), .collection(let old)): new.groups(since: old)
    case (.measure(let new), .measure(let old)): new.groups(since: old)
    case (.person(let new), .person(let old)): new.groups(since: old)
    case (.photo(let new), .photo(let old)): new.groups(since: old)
    default: []
    }
  }

  /// The record with some groups of another one of its kind.
  func taking(_ names: Set<String>, from other: JournalRecord) -> JournalRecord {
    switch (self, other) {
    case (.place(let own), .place(let other)): .place(own.taking(names, from: other))
    case (.event(let own), .event(let other)): .event(own.taking(names, from: other))
    case (.organism(let own), .organism(let other)): .organism(own.taking(names, from: other))
    case (.occurrence(let own), .occurrence(let other)):
      .occurrence(own.taking(names, from: other))
    case (.identification(let own), .identification(let other)):
      .identification(own.taking(names, from: other))
    case (.note(let own), .note(let other)): .note(own.taking(names, from: other))
    case (.collection(let own), .collection(let other)):
      .collection(own.taking(names, from: other))
    case (.measure(let own), .measure(let other)): .measure(own.taking(names, from: other))
    case (.person(let own), .person(let other)): .person(own.taking(names, from: other))
    case (.photo(let own), .photo(let other)): .photo(own.taking(names, from: other))
    default: self
    }
  }
}
