import STOLAnswers
import STOLJournal

/// A map that is ready to be drawn.
struct DrawnMap: Sendable {
  /// A point of the drawing.
  struct Spot: Hashable, Sendable {
    let x, y: Double
  }

  var view: JournalMapView
  var filter: JournalFilter
  var choice = MapChoice()
  var marks: [MapMark] = []
  /// Whether the counts are of what the map shows, and of nothing beyond its edges.
  var isExact = true
  /// What the marks are called that stand for one sighting.
  var names: [JournalID: String] = [:]
  /// Whether those names are scientific ones.
  var areScientific: Bool { choice.label == .species && choice.subject == .sightings }
  /// The places of marks that stand for one.
  var places: [Spot: PlaceDot] = [:]
  /// Those of them where somebody wishes to go.
  var wished: Set<JournalID> = []
  /// A position that is shown beside what is noted.
  var position: Position?

  /// How many sightings or places the marks stand for.
  var count: Int { marks.reduce(0) { $0 + $1.count } }

  /// The place that a mark stands for, where it is one.
  func place(of mark: MapMark) -> PlaceDot? {
    mark.count == 1 ? places[Spot(x: mark.x, y: mark.y)] : nil
  }

  /// What a mark is called that stands for one; nil for others.
  func name(of mark: MapMark) -> String? {
    if let place = place(of: mark) { return place.name }
    return mark.dot.map { names[$0.occurrence] ?? "not identified" }
  }

  /// The shape of a mark that stands for one; nil for others.
  func shape(of mark: MapMark) -> MapShape? {
    if let place = place(of: mark) { return wished.contains(place.id) ? .wish : .place }
    return mark.dot.map { MapShape($0) }
  }

  /// Where a mark lies on the globe.
  func position(of mark: MapMark) -> Position {
    mark.dot?.position ?? place(of: mark)?.position ?? view.position(x: mark.x, y: mark.y)
  }

  /// A map with another view, and else the same.
  func address(_ view: JournalMapView, _ form: Form = .page) -> Address {
    view.address(filter, form, choice)
  }

  /// The map that holds all that there is, whatever map was kept.
  var addressOfAll: Address {
    var query = Fields()
    query.append("fit", "all")
    for (name, value) in choice.fields.pairs + filter.fields.pairs { query.append(name, value) }
    return Address(.journal(.map), query: query)
  }

  /// The list of what the map shows.
  var listAddress: Address {
    let box = (try? view.bounds()).map { JournalFilter.text($0) }
    return filter.with { $0.box = view.zoom == 0 ? nil : box }.address(.list)
  }

  /// Where a mark leads: to what it stands for, nearer to that, or where that is one spot to a list.
  func target(of mark: MapMark) -> Address {
    if let place = place(of: mark) { return Address(.place(place.id)) }
    if let dot = mark.dot { return Address(.sighting(dot.occurrence)) }
    guard view.zoom < JournalMapView.zooms.upperBound else { return listAddress }
    return address(
      JournalMapView(
        left: mark.left, right: mark.right, top: mark.top, bottom: mark.bottom, of: view))
  }

  /// So many of what is on the map, in words.
  func counted(_ count: Int) -> String {
    choice.subject == .sightings
      ? Words.count(count, "sighting", "sightings") : Words.count(count, "place", "places")
  }

  /// What a mark is, for whoever cannot see it.
  func word(for mark: MapMark) -> String {
    guard let name = name(of: mark), let shape = shape(of: mark) else {
      return view.zoom < JournalMapView.zooms.upperBound
        ? "\(counted(mark.count)): look nearer" : "\(counted(mark.count)): list them"
    }
    return "\(name), \(shape.word)"
  }
}
