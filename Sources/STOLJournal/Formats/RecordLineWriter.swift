import STOLData

/// Writes the lines of those kinds of records of which there are most, byte for byte as `JSONEncoder` does with sorted
/// keys, in a fraction of its time.
struct RecordLineWriter {
  private var bytes: [UInt8] = []
  /// Whether nothing in it needs more than quotation marks around it.
  private var isPlain = true

  /// The line of an occurrence or an identification; nil for others, and where a text has something to escape.
  static func line(of record: JournalRecord) -> String? {
    var writer = RecordLineWriter()
    writer.bytes.reserveCapacity(512)
    switch record {
    case .occurrence(let occurrence): writer.add(occurrence)
    case .identification(let identification): writer.add(identification)
    default: return nil
    }
    return writer.isPlain ? String(decoding: writer.bytes, as: UTF8.self) : nil
  }

  // MARK: - Records, their members in the order of their names

  private mutating func add(_ occurrence: Occurrence) {
    begin()
    text("behaviour", occurrence.behaviour)
    list("collections", occurrence.collections.sorted().map(\.description))
    number("count", occurrence.count)
    text("countKind", occurrence.countKind?.rawValue)
    text("establishment", occurrence.establishment?.rawValue)
    text("event", occurrence.event.description)
    text("id", occurrence.id.description)
    text("lifeStage", occurrence.lifeStage)
    number("maxDepthMm", occurrence.maxDepthMm)
    number("minDepthMm", occurrence.minDepthMm)
    text("organism", occurrence.organism?.description)
    add(occurrence.position)
    text("presence", occurrence.presence.rawValue)
    text("privacy", occurrence.privacy.rawValue)
    text("recordKind", JournalRecord.Kind.occurrence.rawValue)
    text("remarks", occurrence.remarks)
    text("sex", occurrence.sex)
    list("tags", occurrence.tags.sorted())
    text("time", occurrence.time?.text)
    end()
  }

  private mutating func add(_ identification: Identification) {
    begin()
    text("cultivar", identification.cultivar)
    text("date", identification.date?.text)
    text("id", identification.id.description)
    text("match", identification.match.rawValue)
    text("occurrence", identification.occurrence.description)
    text("qualifier", identification.qualifier)
    text("recordKind", JournalRecord.Kind.identification.rawValue)
    text("remarks", identification.remarks)
    text("rootstock", identification.rootstock)
    add(identification.taxon)
    text("verbatimName", identification.verbatimName)
    end()
  }

  private mutating func add(_ position: Position?) {
    guard let position else { return }
    name("position")
    begin()
    number("latitudeE7", position.latitudeE7)
    number("longitudeE7", position.longitudeE7)
    number("uncertaintyM", position.uncertaintyM)
    end()
  }

  /// What is empty is not written.
  private mutating func add(_ taxon: TaxonReference?) {
    guard let taxon else { return }
    func unlessEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
    name("taxon")
    begin()
    text("authorship", unlessEmpty(taxon.authorship))
    text("id", taxon.id)
    text("idSpace", taxon.idSpace)
    if !taxon.kingdoms.isEmpty { list("kingdoms", taxon.kingdoms) }
    text("name", unlessEmpty(taxon.name))
    text("rank", unlessEmpty(taxon.rank))
    number("year", taxon.year)
    end()
  }

  // MARK: - JSON

  private mutating func begin() { bytes.append(UInt8(ascii: "{")) }

  private mutating func end() { bytes.append(UInt8(ascii: "}")) }

  private mutating func name(_ name: String) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    quote(name)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func text(_ name: String, _ text: String?) {
    guard let text else { return }
    self.name(name)
    quote(text)
  }

  private mutating func number(_ name: String, _ number: Int?) {
    guard let number else { return }
    self.name(name)
    bytes += number.description.utf8
  }

  private mutating func list(_ name: String, _ texts: [String]) {
    self.name(name)
    bytes.append(UInt8(ascii: "["))
    for (index, text) in texts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      quote(text)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func quote(_ text: String) {
    isPlain = isPlain && JSONText.isPlain(text)
    bytes.append(UInt8(ascii: "\""))
    bytes += text.utf8
    bytes.append(UInt8(ascii: "\""))
  }
}
