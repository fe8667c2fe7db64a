/// Somebody who was there too, or knew what it was.
public struct Person: Hashable, Sendable, Codable {
  /// The identity of the record.
  public var id: JournalID
  /// What he or she is called.
  public var name: String
  /// The ORCID iD, as "0000-0002-1825-0097".
  public var orcid: String?

  /// A person.
  public init(id: JournalID = JournalID(), name: String) {
    self.id = id
    self.name = name
  }

  func validate() throws(JournalError) {
    try requireName(name, "name")
    if let orcid, !Self.isORCID(orcid) {
      throw .invalid(
        field: "orcid", value: orcid,
        remedy:
          "four times four digits, as 0000-0002-1825-0097, of which the last one, which may be X, "
          + "fits the others: look for a slip of the pen")
    }
  }

  /// Whether a text is an ORCID iD: its last digit is the check digit of ISO 7064 MOD 11-2.
  static func isORCID(_ text: String) -> Bool {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.count == 4, groups.allSatisfy({ $0.count == 4 }) else { return false }
    let bytes = Array(groups.joined())
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard bytes.dropLast().allSatisfy(digits.contains) else { return false }
    let total = bytes.dropLast().reduce(0) { ($0 + Int($1 - digits.lowerBound)) * 2 % 11 }
    let check = (12 - total) % 11
    return bytes.last
      == (check == 10 ? UInt8(ascii: "X") : digits.lowerBound + UInt8(truncatingIfNeeded: check))
  }
}

/// Somebody who took part in an event, and as what.
public struct Participant: Hashable, Sendable, Codable, Comparable {
  /// As what somebody took part.
  public enum Role: String, JournalWord {
    /// Saw what was seen.
    case observer
    /// Dived along.
    case buddy
    /// Led the way.
    case guide
    /// Taught, and may sign.
    case instructor
  }

  /// Who it was.
  public var person: JournalID
  /// As what.
  public var role: Role
  /// The number under which an organisation knows the person in that role.
  public var number: String?

  /// Somebody who took part.
  public init(person: JournalID, role: Role, number: String? = nil) {
    self.person = person
    self.role = role
    self.number = number
  }

  /// Orders by person, then role.
  public static func < (a: Participant, b: Participant) -> Bool {
    (a.person, a.role, a.number ?? "") < (b.person, b.role, b.number ?? "")
  }
}

/// Those who took part in an event, each once in a role.
func requireParticipants(_ participants: Set<Participant>) throws(JournalError) {
  guard participants.count <= JournalLimits.listCount else {
    throw .invalid(
      field: "persons", value: "\(participants.count) persons",
      remedy: "at most \(JournalLimits.listCount)")
  }
  var last: Participant?
  for participant in participants.sorted() {
    try requireName(participant.number, "number")
    if let last, (last.person, last.role) == (participant.person, participant.role) {
      throw .invalid(
        field: "persons", value: "\(participant.person)",
        remedy: "once as \(participant.role.rawValue): keep one of the numbers")
    }
    last = participant
  }
}
