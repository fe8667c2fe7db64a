import STOLSystem

/// Makes records of a feature of another program's map: of one that was at a time a visit, else a place.
struct MapRecords {
  let feature: MapFeature
  /// Where its identifier is from; nil where nobody said so.
  let source: String?

  /// - Throws: `ImportRefusal` where it cannot be kept.
  func row() throws(ImportRefusal) -> ImportRow {
    guard let position = feature.position else {
      throw feature.refusal("", feature.name ?? "", "has no position", "give one in degrees")
    }
    var records: [JournalRecord] = []
    var collections: Set<JournalID> = []
    if let folder = feature.folder {
      let collection = JournalCollection(
        id: JournalID(naming: ["collection", folder]), name: folder)
      collections = [collection.id]
      records.append(.collection(collection))
    }
    if var visit = try visit(at: position) {
      visit.position = position
      visit.collections = collections
      records.append(.event(visit))
    } else {
      var place = Place(
        id: id("place", position), kind: feature.shape.isPoint ? .spot : .area,
        name: name(at: position))
      place.position = position
      place.elevationCm = feature.elevationCm
      place.collections = collections
      records.append(.place(place))
      for (index, text) in feature.texts.enumerated() where text != place.name {
        records.append(
          .note(Note(id: place.id.derived("note \(index) \(text)"), target: place.id, text: text)))
      }
    }
    for record in records {
      do { try record.validate() } catch { throw ImportRefusal(error, line: feature.line) }
    }
    return ImportRow(line: feature.line, records: records)
  }

  /// What the same feature of a file is always called.
  private func id(_ kind: String, _ position: Position) -> JournalID {
    if let source, let identifier = feature.identifier {
      return JournalID(naming: [kind, source, identifier])
    }
    return JournalID(naming: [
      kind, feature.kind.rawValue, feature.name ?? "", position.latitudeText,
      position.longitudeText, feature.start?.time.text ?? "",
    ])
  }

  /// Its name on one line; else the first line that is written about it, else where it is.
  private func name(at position: Position) -> String {
    let texts = [feature.name].compactMap { $0 } + feature.texts
    for text in texts {
      let line = text.split(whereSeparator: \.isNewline).first { line in
        line.contains { !$0.isWhitespace }
      }
      if let line, line.utf8.count <= JournalLimits.nameByteCount {
        return line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
    }
    return "\(position.latitudeText), \(position.longitudeText)"
  }

  /// A visit from when it began to when it ended; nil of what was at no time.
  private func visit(at position: Position) throws(ImportRefusal) -> Event? {
    guard let start = feature.start else { return nil }
    var event = Event(id: id("visit", position), kind: .visit, start: start.time)
    event.utcOffsetMin = start.utcOffsetMin
    if let end = feature.end, end != start {
      // The clock of the beginning is that of all.
      if end.utcOffsetMin == start.utcOffsetMin {
        event.end = end.time
      } else if let other = end.utcOffsetMin, let offset = start.utcOffsetMin,
        let time = try? LocalTime(
          timeText(secondsSince1970: end.time.firstSecond + (offset - other) * 60))
      {
        event.end = time
      } else {
        throw feature.refusal(
          "end", end.time.text, "is by another clock than the beginning",
          "write both with an offset, or both without one")
      }
    }
    let texts = ([feature.name].compactMap { $0 } + feature.texts).joined(separator: "\n")
    event.remarks = texts.isEmpty ? nil : texts
    return event
  }
}
