/// Reads the trees of Tree Tracker: its JSON export, or what its watch sends, a list or lines.
///
/// A tree is an organism under its own UUID, seen on a visit; the name is read again when it is imported.
package final class TreeTrackerReader: ImportReader {
  /// Who wrote the file.
  package enum Layout: Sendable {
    /// The export: species, variety, rootstock, collection, notes.
    case export
    /// The watch: the eight members of WatchTree.
    case watch
  }

  private var objects: JSONObjects
  private let layout: Layout
  private let photoImport: PhotoImport
  private var files: [PhotoFile] = []
  /// How many photos were left out so far.
  package private(set) var photoCount = 0
  package private(set) var beside = ImportBeside()
  package var roundTrip: RoundTripFormat? { .treetracker }

  /// Reads what `chunks` gives.
  ///
  /// - Parameters:
  ///   - chunks: the file.
  ///   - layout: who wrote it.
  ///   - photos: what becomes of photos in it.
  /// - Throws: `JournalError` for a file that is too large; what `chunks` throws.
  package init(
    _ chunks: ByteChunks, _ layout: Layout, photos: PhotoImport = PhotoImport(.skip)
  ) throws {
    photoImport = photos
    objects = JSONObjects(try chunks.rest(limit: JournalDocumentReader.byteLimit))
    self.layout = layout
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    guard let found = try objects.next() else { return nil }
    switch found {
    case .failure(let refusal): return .failure(refusal)
    case .success(var object):
      do {
        let row = try row(&object)
        beside.leave(object.left)
        return .success(row)
      } catch {
        return .failure(error)
      }
    }
  }

  private func row(_ object: inout ImportObject) throws(ImportRefusal) -> ImportRow {
    files = []
    guard let id = try object.id("id") else {
      throw object.refusal("id", "", "missing", "the UUID of the tree")
    }
    let position = try object.position(
      ("latitude", "lat"), ("longitude", "lon"), ("horizontalAccuracy", "accuracy"))
    guard let position else {
      throw object.refusal("latitude", "", "missing", "degrees as a number")
    }
    let visit = try visit(&object, id)
    var organism = Organism(id: id)
    organism.position = position
    organism.elevationCm = try object.value("altitude", decimals: 2)
    var records: [JournalRecord] = []
    if layout == .export, let collection = try collection(&object) {
      organism.collections = [collection.id]
      records.append(.collection(collection))
    }
    records.append(.organism(organism))
    let identification = try identification(&object, of: id.derived("occurrence"))
    if let (event, occurrence) = visit {
      records += [.event(event), .occurrence(occurrence)]
      if let identification { records.append(.identification(identification)) }
    } else if layout == .watch || identification != nil {
      throw object.refusal(timeName, "", "missing", "when the tree was captured")
    }
    records += try notes(&object, of: id)
    records += try photos(&object, of: id)
    // When the program changed it: the journal has a time of its own for that.
    object.leave("updatedAt")
    object.flagTheRest()
    var row = try object.row(records, Self.sources)
    row.files = files
    return row
  }

  /// What fields of records are made of.
  private static let sources: KeyValuePairs = [
    "uncertainty_m": "horizontalAccuracy", "elevation_cm": "altitude", "verbatim_name": "species",
    "cultivar": "variety", "rootstock": "rootstock", "text": "notes", "name": "collection",
  ]

  /// The member that says when a tree was captured.
  private var timeName: String { layout == .export ? "createdAt" : "capturedAt" }

  /// The visit to a tree; nil for one that nobody has seen at a stated time.
  private func visit(
    _ object: inout ImportObject, _ id: JournalID
  ) throws(ImportRefusal) -> (Event, Occurrence)? {
    guard let made = try object.time(timeName) else { return nil }
    var event = Event(id: id.derived("event"), kind: .visit, start: made.time)
    event.utcOffsetMin = made.utcOffsetMin
    var occurrence = Occurrence(id: id.derived("occurrence"), event: event.id)
    occurrence.organism = id
    return (event, occurrence)
  }

  private func identification(
    _ object: inout ImportObject, of occurrence: JournalID
  ) throws(ImportRefusal) -> Identification? {
    let species = try object.text("species")
    let variety = layout == .export ? try object.text("variety") : nil
    let rootstock = layout == .export ? try object.text("rootstock") : nil
    guard let name = species ?? variety else {
      if let rootstock {
        object.flag("rootstock", rootstock, "left out: the tree has neither species nor variety")
      }
      return nil
    }
    // Another name is another identification: none is ever changed.
    let words = [name, variety ?? "", rootstock ?? ""].joined(separator: "\n")
    var identification = Identification(
      id: occurrence.derived("identification\n" + words), occurrence: occurrence,
      verbatimName: name)
    identification.cultivar = variety
    identification.rootstock = rootstock
    return identification
  }

  private func collection(
    _ object: inout ImportObject
  ) throws(ImportRefusal) -> JournalCollection? {
    guard let (_, member) = try object.take(["collection"]) else { return nil }
    let name: String
    var id: JournalID?
    switch member.value {
    case .text(let text): name = text
    case .object:
      var inner = ImportObject(member, line: object.line)
      name = try inner.text("name") ?? ""
      id = try inner.id("id")
    default:
      throw object.refusal("collection", member.shown, "no name", "a name in quotation marks")
    }
    guard !name.allSatisfy(\.isWhitespace) else { return nil }
    return JournalCollection(id: id ?? JournalID(naming: ["collection", name]), name: name)
  }

  /// The notes of a member: those of a list, or the texts that a text of an export joins.
  private func list(_ member: JSONNode) -> [JSONNode] {
    switch member.value {
    case .list(let nodes): nodes
    case .text(let text) where layout == .export:
      JoinedNotes.parts(of: text).map { JSONNode(value: .text($0), range: member.range) }
    default: [member]
    }
  }

  /// The notes: a text, in which " | " parts them, or a list of texts or of notes with an id and a time of their own.
  private func notes(
    _ object: inout ImportObject, of tree: JournalID
  ) throws(ImportRefusal) -> [JournalRecord] {
    guard let (_, member) = try object.take(["notes"]) else { return [] }
    var records: [JournalRecord] = []
    for (index, node) in list(member).enumerated() {
      var note = Note(
        id: tree.derived(index == 0 ? "note" : "note \(index)"), target: tree, text: "")
      var photosOfNote: [JournalRecord] = []
      switch node.value {
      case .text(let text): note.text = text
      case .object:
        var inner = ImportObject(node, line: object.line)
        note.text = try inner.text("text") ?? ""
        note.id = try inner.id("id") ?? note.id
        note.time = try inner.time("createdAt")?.time
        photosOfNote = try photos(&inner, of: note.id)
        object.flags += inner.flags
      default: throw object.refusal("notes", node.shown, "no note", "a text in quotation marks")
      }
      let isEmpty = note.text.allSatisfy(\.isWhitespace)
      if isEmpty, !photosOfNote.isEmpty {
        // The photos of a note without words are those of the tree.
        photosOfNote = photosOfNote.map { $0.replacing(note.id, by: tree) }
      }
      if !isEmpty { records.append(.note(note)) }
      records += photosOfNote
    }
    return records
  }

  /// The photos of a member; one that cannot be kept spoils no tree.
  private func photos(
    _ object: inout ImportObject, of target: JournalID
  ) throws(ImportRefusal) -> [JournalRecord] {
    guard let (name, member) = try object.take(["photos"]) else { return [] }
    guard case .list(let list) = member.value else {
      throw object.refusal(name, member.shown, "no list", "a list of photos")
    }
    guard !list.isEmpty else { return [] }
    guard photoImport.choice == .keep else {
      photoCount += list.count
      object.flag(name, "\(list.count)", "left out: --photos keep takes them")
      return []
    }
    var records: [JournalRecord] = []
    for (index, node) in list.enumerated() {
      do throws(JournalError) {
        let file = try photoImport.file(node)
        var photo = file.photo(of: target)
        photo.ordinal = index + 1
        guard !records.contains(where: { $0.id == photo.id }) else { continue }
        records.append(.photo(photo))
        files.append(file)
      } catch {
        photoCount += 1
        object.flag("\(name).\(index)", "", "left out: \(error)")
      }
    }
    return records
  }
}
