import STOLData
import STOLJournal
import STOLPack
import STOLSystem

/// Which sightings a page of the journal shows, as its address says it.
struct JournalFilter: Sendable {
  /// A taxon by its address or its written reference, or a name as somebody typed it.
  var taxon: String?
  var year: Int?
  var month: Int?
  var kind: Event.Kind?
  var tag: String?
  var place: JournalID?
  var collection: JournalID?
  /// A day, as "2025-05-04".
  var day: String?
  /// The first and the last day of several, as "2025", "2025-05" or "2025-05-04".
  var from: String?
  var to: String?
  /// Edges of a part of the globe in degrees: south, west, north and east.
  var box: String?

  /// All sightings.
  init() {}

  /// What the query of an address says; what cannot be counts as not said.
  init(_ query: Fields) {
    taxon = query["taxon"]
    year = query["year"].flatMap { Int($0) }.flatMap { (1...9999).contains($0) ? $0 : nil }
    month = query["month"].flatMap { Int($0) }.flatMap { (1...12).contains($0) ? $0 : nil }
    kind = query["kind"].flatMap { Event.Kind(rawValue: $0) }
    tag = query["tag"]
    place = query["place"].flatMap { JournalID($0) }
    collection = query["collection"].flatMap { JournalID($0) }
    day = query["day"].flatMap { (try? LocalTime($0))?.dayNumber == nil ? nil : $0 }
    from = query["from"].flatMap { (try? LocalTime($0)) == nil ? nil : $0 }
    to = query["to"].flatMap { (try? LocalTime($0)) == nil ? nil : $0 }
    box = query["box"].flatMap { Self.bounds($0) == nil ? nil : $0 }
  }

  /// Whether it shows all there is.
  var isEmpty: Bool { fields.pairs.isEmpty }

  /// The fields of an address that say the same.
  var fields: Fields {
    var fields = Fields()
    fields.append("taxon", taxon)
    fields.append("year", year.map { String($0) })
    fields.append("month", month.map { String($0) })
    fields.append("kind", kind?.rawValue)
    fields.append("tag", tag)
    fields.append("place", place.map { "\($0)" })
    fields.append("collection", collection.map { "\($0)" })
    fields.append("day", day)
    fields.append("from", from)
    fields.append("to", to)
    fields.append("box", box)
    return fields
  }

  /// The same with a change.
  func with(_ change: (inout JournalFilter) -> Void) -> JournalFilter {
    var filter = self
    change(&filter)
    return filter
  }

  /// A page with this filter.
  func address(_ route: JournalRoute, _ form: Form = .page) -> Address {
    Address(.journal(route), form, query: fields)
  }

  /// What it asks the journal for, but for the taxon.
  var query: SightingQuery {
    var query = SightingQuery()
    if let year { query.years = [year] }
    if let month { query.months = [month] }
    if let kind { query.kinds = [kind] }
    query.tag = tag
    query.place = place
    query.collection = collection
    query.days = days
    query.bounds = box.flatMap { Self.bounds($0) }
    return query
  }

  /// The days that it is limited to, one that has not been where they end before they begin; nil for any.
  private var days: ClosedRange<Int>? {
    let all = LocalTime.dayRange
    var (first, last) = (all.lowerBound, all.upperBound)
    if let time = from.flatMap({ try? LocalTime($0) }) { first = time.firstDay }
    if let time = to.flatMap({ try? LocalTime($0) }) { last = time.lastDay }
    if let only = day.flatMap({ (try? LocalTime($0))?.dayNumber }) {
      (first, last) = (max(first, only), min(last, only))
    }
    if first > last { return all.upperBound...all.upperBound }
    return first...last == all ? nil : first...last
  }

  /// The part of the globe that a text states; nil for another one.
  static func bounds(_ text: String) -> Bounds? {
    let edges = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { DecimalText.value(String($0), decimals: 7) }
    let known = edges.compactMap { $0 }
    guard edges.count == 4, known.count == 4 else { return nil }
    return try? Bounds(southE7: known[0], westE7: known[1], northE7: known[2], eastE7: known[3])
  }

  /// The text that states a part of the globe.
  static func text(_ bounds: Bounds) -> String {
    [bounds.southE7, bounds.westE7, bounds.northE7, bounds.eastE7]
      .map { DecimalText.text($0, decimals: 7) }.joined(separator: ",")
  }
}

/// A filter with its taxon looked up.
struct JournalQuestion: Sendable {
  var filter: JournalFilter
  var query: SightingQuery
  /// The taxon that it is limited to, where the active database has it.
  var card: TaxonCard?
  /// What the name may mean, where a person has to say so.
  var candidates: [TaxonReference] = []
  /// Why nothing is limited by the name; nil where all is well.
  var obstacle: String?
}

extension Pages {
  /// The filter of a visit with its taxon looked up: an address, a written reference, or a name.
  func question(
    _ visit: Visit, _ filter: JournalFilter, _ journal: LocalJournal
  ) async throws -> JournalQuestion {
    var question = JournalQuestion(filter: filter, query: filter.query)
    guard let text = filter.taxon else { return question }
    if let id = try taxonID(text) {
      question.query.taxa = try await journal.references(within: id)
      question.card = cards([id], visit).first
      return question
    }
    if TaxonReference(written: text) != nil {
      let found = try await journal.read { file, pack in
        try file.references(written: text, in: pack)
      }
      question.query.taxa = found
      if found.isEmpty { question.obstacle = "nothing here was taken for \(text)" }
      return question
    }
    let reading = try await journal.reading(of: text)
    let meant = reading.taxon.map { [$0] } ?? reading.suggestions.map(\.taxon)
    let isSure = reading.taxon != nil || reading.status == "common" && meant.count == 1
    if isSure, let card = meant.first.flatMap({ seen([$0], visit)[$0]?.card }) {
      question.query.taxa = try await journal.references(within: card.id)
      question.card = card
      question.filter.taxon = card.address.text
    } else {
      question.query.taxa = []
      question.candidates = meant
      question.obstacle = reading.reason
    }
    return question
  }

  /// The taxon of the active database that an address is of; nil where it has none.
  func taxonID(_ text: String) throws -> TaxonID? {
    guard let address = TaxonAddress(segment: text) else { return nil }
    switch located(address) {
    case .here(let id): return id
    case .elsewhere(let current):
      guard case .here(let id) = located(current) else { return nil }
      return id
    case .gone, .several, .otherDatabase: return nil
    }
  }
}
