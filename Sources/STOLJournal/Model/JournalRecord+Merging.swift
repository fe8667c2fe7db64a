extension JournalRecord {
  /// The record with what another one of its UUID and kind says where it says nothing itself.
  func merged(over old: JournalRecord) -> JournalRecord {
    switch (self, old) {
    case (.place(var new), .place(let old)):
      new.parent = new.parent ?? old.parent
      new.position = new.position ?? old.position
      new.elevationCm = new.elevationCm ?? old.elevationCm
      new.locality = new.locality ?? old.locality
      new.waterBody = new.waterBody ?? old.waterBody
      new.country = new.country ?? old.country
      new.diveSite = new.diveSite?.merged(over: old.diveSite) ?? old.diveSite
      // Nobody is told more than before because a file does not say so.
      new.privacy = new.privacy.stricter(old.privacy)
      if new.states.isEmpty { new.states = old.states }
      if new.tags.isEmpty { new.tags = old.tags }
      new.collections.formUnion(old.collections)
      return .place(new)
    case (.event(var new), .event(let old)):
      new.parent = new.parent ?? old.parent
      new.place = new.place ?? old.place
      new.position = new.position ?? old.position
      new.end = new.end ?? old.end
      new.utcOffsetMin = new.utcOffsetMin ?? old.utcOffsetMin
      new.protocol = new.protocol ?? old.protocol
      new.weather = new.weather ?? old.weather
      new.remarks = new.remarks ?? old.remarks
      new.dive = new.dive?.merged(over: old.dive) ?? old.dive
      if new.effortValue == nil {
        (new.effortValue, new.effortUnit) = (old.effortValue, old.effortUnit)
      }
      if new.persons.isEmpty { new.persons = old.persons }
      new.privacy = new.privacy.stricter(old.privacy)
      if new.tags.isEmpty { new.tags = old.tags }
      new.collections.formUnion(old.collections)
      return .event(new)
    case (.organism(var new), .organism(let old)):
      new.name = new.name ?? old.name
      new.place = new.place ?? old.place
      new.position = new.position ?? old.position
      new.elevationCm = new.elevationCm ?? old.elevationCm
      if new.status == .unknown { new.status = old.status }
      new.planted = new.planted ?? old.planted
      new.privacy = new.privacy.stricter(old.privacy)
      if new.tags.isEmpty { new.tags = old.tags }
      new.collections.formUnion(old.collections)
      return .organism(new)
    case (.occurrence(var new), .occurrence(let old)):
      new.organism = new.organism ?? old.organism
      new.position = new.position ?? old.position
      new.time = new.time ?? old.time
      if new.count == nil, new.presence == old.presence {
        (new.count, new.countKind) = (old.count, old.countKind)
      }
      new.sex = new.sex ?? old.sex
      new.lifeStage = new.lifeStage ?? old.lifeStage
      new.behaviour = new.behaviour ?? old.behaviour
      new.establishment = new.establishment ?? old.establishment
      new.minDepthMm = new.minDepthMm ?? old.minDepthMm
      new.maxDepthMm = new.maxDepthMm ?? old.maxDepthMm
      new.privacy = new.privacy.stricter(old.privacy)
      new.remarks = new.remarks ?? old.remarks
      if new.tags.isEmpty { new.tags = old.tags }
      new.collections.formUnion(old.collections)
      return .occurrence(new)
    case (.collection(var new), .collection(let old)):
      new.privacy = new.privacy.stricter(old.privacy)
      return .collection(new)
    case (.photo(var new), .photo(let old)):
      new.name = new.name ?? old.name
      new.caption = new.caption ?? old.caption
      new.ordinal = new.ordinal ?? old.ordinal
      if new.time == nil { (new.time, new.utcOffsetMin) = (old.time, old.utcOffsetMin) }
      new.position = new.position ?? old.position
      new.elevationCm = new.elevationCm ?? old.elevationCm
      new.author = new.author ?? old.author
      new.licence = new.licence ?? old.licence
      new.source = new.source ?? old.source
      return .photo(new)
    default: return self
    }
  }
}
