import STOLSystem

extension DarwinCoreRow {
  /// What the row takes an occurrence for; nil where it has no name.
  func identification(of occurrence: JournalID) throws -> Identification? {
    let parts = [text("genus"), text("specificEpithet"), text("infraspecificEpithet")]
    let (author, verbatim) = (text("scientificNameAuthorship"), text("verbatimIdentification"))
    var name = text("scientificName")
    if name == nil, parts[0] != nil {
      name = parts.compactMap { $0 }.joined(separator: " ")
    }
    if let stated = name, let author, !stated.hasSuffix(author) { name = "\(stated) \(author)" }
    // What this program has written says what stood there before.
    let isOwn = verbatim != nil && text("taxonID")?.contains(":") == true
    let common = text("vernacularName")
    guard let first = isOwn ? verbatim : name ?? verbatim ?? common else { return nil }
    let stated = text("identificationID")
    var identification = Identification(
      id: stated.map { named("identification", $0) }
        ?? occurrence.derived("identification\n\(first)"), occurrence: occurrence,
      verbatimName: first)
    identification.qualifier = text("identificationQualifier")
    if let date = text("dateIdentified") {
      let start = date.split(separator: "/").first.map(String.init) ?? date
      identification.date = ImportTime(start)?.time
      if identification.date == nil { table.leave("dateIdentified") }
    }
    var remarks = [text("identificationRemarks")]
    if first != common { remarks.append(common) }
    if !isOwn, let verbatim, verbatim != first { remarks.append("verbatim: \(verbatim)") }
    identification.remarks = Identification.remarks(remarks, identifiedBy: text("identifiedBy"))
    return identification
  }

  // MARK: - Measures

  /// What the row says was measured; nil where it says nothing.
  func measure(of target: JournalID) throws -> Measure? {
    guard let value = text("measurementValue") else { return nil }
    let (type, unit) = (text("measurementType"), text("measurementUnit"))
    let known = MeasureType.builtIn.first { $0.key == type || $0.name == type?.lowercased() }
    var measure = Measure(
      id: target, target: target, type: known?.key ?? Self.ownType(type ?? "measurement"))
    if let known, let parsed = try? MeasureType.parse("\(known.name)=\(value)\(unit ?? "")") {
      (measure.number, measure.text) = (parsed.number, parsed.text)
    } else {
      measure.type = Self.ownType(type ?? "measurement")
      measure.number = unit == nil ? Int(value) : nil
      if measure.number == nil {
        measure.text = [value, unit].compactMap { $0 }.joined(separator: " ")
      }
    }
    measure.method = text("measurementMethod")
    measure.remarks = text("measurementRemarks")
    if let date = text("measurementDeterminedDate") {
      measure.time = ImportTime(date)?.time
      if measure.time == nil { table.leave("measurementDeterminedDate") }
    }
    let words = [measure.type, measure.time?.text ?? "", value]
    measure.id =
      text("measurementID").map { named("measurement", $0) }
      ?? target.derived(words.joined(separator: "\n"))
    return measure
  }

  /// A key of one's own for what was measured.
  private static func ownType(_ text: String) -> String {
    if MeasureType.isOwn(text) { return text }
    let letters = text.lowercased().utf8.map { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) ? byte : UInt8(ascii: "_")
    }
    let word = String(decoding: letters.prefix(60), as: UTF8.self).trimmed { $0 == "_" }
    return "x-" + (word.isEmpty ? "measurement" : word)
  }

  // MARK: - Persons

  /// Those who saw it, and as what they took part.
  func persons() -> ([JournalRecord], Set<Participant>) {
    let names = Self.names(in: text("recordedBy"))
    let keys = Self.names(in: text("recordedByID"))
    var persons: [JournalID: Person] = [:]
    for (index, name) in names.prefix(JournalLimits.listCount).enumerated() {
      var orcid: String?
      if keys.count == names.count, let last = keys[index].split(separator: "/").last,
        Person.isORCID(String(last))
      {
        orcid = String(last)
      }
      var person = Person(id: JournalID(naming: ["dwc", "person", name, orcid ?? ""]), name: name)
      person.orcid = orcid
      persons[person.id] = person
    }
    if names.count > JournalLimits.listCount { table.leave("recordedBy") }
    let all = persons.values.sorted { $0.id < $1.id }
    return (
      all.map { .person($0) }, Set(all.map { Participant(person: $0.id, role: .observer) })
    )
  }

  /// The names of a list, between which bars stand.
  private static func names(in text: String?) -> [String] {
    (text ?? "").split(separator: "|").map { $0.trimmed() }.filter { !$0.isEmpty }
  }
}
