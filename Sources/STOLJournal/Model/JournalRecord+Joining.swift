extension JournalRecord {
  /// The record with one in the place of another that it refers to.
  func replacing(_ old: JournalID, by new: JournalID) -> JournalRecord {
    func replaced(_ id: JournalID?) -> JournalID? { id == old ? new : id }
    func replaced(_ id: JournalID) -> JournalID { id == old ? new : id }
    switch self {
    case .place(var record):
      record.parent = replaced(record.parent)
      return .place(record)
    case .event(var record):
      record.parent = replaced(record.parent)
      record.place = replaced(record.place)
      record.persons = Set(
        record.persons.map { participant in
          var participant = participant
          participant.person = replaced(participant.person)
          return participant
        })
      return .event(record)
    case .organism(var record):
      record.place = replaced(record.place)
      return .organism(record)
    case .occurrence(var record):
      record.event = replaced(record.event)
      record.organism = replaced(record.organism)
      return .occurrence(record)
    case .identification(var record):
      record.occurrence = replaced(record.occurrence)
      return .identification(record)
    case .note(var record):
      record.target = replaced(record.target)
      return .note(record)
    case .measure(var record):
      record.target = replaced(record.target)
      return .measure(record)
    case .photo(var record):
      record.target = replaced(record.target)
      return .photo(record)
    case .collection, .person: return self
    }
  }

  /// The record with what another one of its kind says where it says nothing itself; nil where two of them are
  /// never one.
  func merged(with other: JournalRecord) -> JournalRecord? {
    switch (self, other) {
    case (.place(let a), .place(let b)): .place(a.merged(with: b))
    case (.organism(let a), .organism(let b)): .organism(a.merged(with: b))
    case (.occurrence(let a), .occurrence(let b)): .occurrence(a.merged(with: b))
    default: nil
    }
  }
}

/// The tags of two records; those that differ in case alone are one.
private func union(_ own: Set<String>, _ others: Set<String>) -> Set<String> {
  let known = Set(own.map(asciiLowercased))
  return own.union(others.filter { !known.contains(asciiLowercased($0)) })
}

/// Two texts, where they differ one below the other.
private func joined(_ own: String?, _ other: String?) -> String? {
  guard let own, let other, own != other else { return own ?? other }
  return own + "\n" + other
}

extension Place {
  fileprivate func merged(with other: Place) -> Place {
    var place = self
    // What stands within one of the two stands within both.
    if place.parent == other.id {
      place.parent = other.parent
    } else if place.parent == nil, other.parent != id {
      place.parent = other.parent
    }
    place.position = place.position ?? other.position
    place.elevationCm = place.elevationCm ?? other.elevationCm
    place.locality = place.locality ?? other.locality
    place.waterBody = place.waterBody ?? other.waterBody
    place.country = place.country ?? other.country
    place.diveSite = place.diveSite ?? other.diveSite
    place.privacy = place.privacy.stricter(other.privacy)
    place.states.formUnion(other.states)
    place.tags = union(place.tags, other.tags)
    place.collections.formUnion(other.collections)
    return place
  }
}

extension Organism {
  fileprivate func merged(with other: Organism) -> Organism {
    var organism = self
    organism.name = organism.name ?? other.name
    organism.place = organism.place ?? other.place
    organism.position = organism.position ?? other.position
    organism.elevationCm = organism.elevationCm ?? other.elevationCm
    if organism.status == .unknown { organism.status = other.status }
    organism.planted = organism.planted ?? other.planted
    organism.privacy = organism.privacy.stricter(other.privacy)
    organism.tags = union(organism.tags, other.tags)
    organism.collections.formUnion(other.collections)
    return organism
  }
}

extension Occurrence {
  fileprivate func merged(with other: Occurrence) -> Occurrence {
    var seen = self
    seen.organism = seen.organism ?? other.organism
    seen.position = seen.position ?? other.position
    if seen.count == nil, seen.presence == other.presence {
      (seen.count, seen.countKind) = (other.count, other.countKind)
    }
    seen.sex = seen.sex ?? other.sex
    seen.lifeStage = seen.lifeStage ?? other.lifeStage
    seen.behaviour = seen.behaviour ?? other.behaviour
    seen.establishment = seen.establishment ?? other.establishment
    if seen.minDepthMm == nil, seen.maxDepthMm == nil {
      (seen.minDepthMm, seen.maxDepthMm) = (other.minDepthMm, other.maxDepthMm)
    }
    seen.privacy = seen.privacy.stricter(other.privacy)
    seen.remarks = joined(seen.remarks, other.remarks)
    seen.tags = union(seen.tags, other.tags)
    seen.collections.formUnion(other.collections)
    return seen
  }
}
