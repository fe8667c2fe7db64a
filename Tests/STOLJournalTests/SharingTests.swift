import Foundation
import STOLData
import STOLPack
import STOLTrust
import TestSupport
import Testing

@testable import STOLJournal

@Suite("What others may know")
struct SharingTests {
  static func shared() throws -> ExportPrivacy { .shared(try SharingJournals.pack.get()) }

  /// The texts by which a position is known: degrees with decimals, its units, degrees with minutes and seconds.
  private static func texts(of position: Position) -> Set<String> {
    var texts: Set<String> = []
    for value in [position.latitudeE7, position.longitudeE7] {
      let units = value.magnitude
      // What is shorter is in many other numbers, and in UUIDs.
      if units > 99_999_999 { texts.insert(String(units)) }
      let (degrees, rest) = units.quotientAndRemainder(dividingBy: 10_000_000)
      let decimals = String(String(rest + 10_000_000).dropFirst())
      for count in 4...7 { texts.insert("\(degrees).\(decimals.prefix(count))") }
      // Darwin Core archives have six decimals, the last one rounded, without zeros at their end.
      let (whole, millionths) = ((units + 5) / 10).quotientAndRemainder(dividingBy: 1_000_000)
      let rounded = String(millionths + 1_000_000).dropFirst()
      for count in 4...6 { texts.insert("\(whole).\(rounded.prefix(count))") }
      let minutes = rest * 60
      texts.insert("\(degrees)\u{B0}\(minutes / 10_000_000)'")
      let thousandths = minutes % 10_000_000 / 10_000
      texts.insert("\(degrees) \(minutes / 10_000_000).\(thousandths)")
    }
    // What is round is in many other numbers.
    return texts.filter { $0.utf8.count > 6 }
  }

  private static func times(of record: JournalRecord) -> [String] {
    var times: [LocalTime?] = []
    switch record {
    case .event(let it): times = [it.start, it.end]
    case .organism(let it): times = [it.planted]
    case .occurrence(let it): times = [it.time]
    case .identification(let it): times = [it.date]
    case .note(let it): times = [it.time]
    case .measure(let it): times = [it.time]
    case .photo(let it): times = [it.time]
    case .place, .collection, .person: break
    }
    let texts: [String] = times.compactMap { $0?.text }
    var parts: [String] = []
    for text in texts where text.utf8.count > 7 {
      parts += [text, String(text.prefix(10))]
      if text.utf8.count > 11 { parts.append(String(text.dropFirst(11))) }
    }
    return parts
  }

  /// What a record says something about.
  private static func owner(of record: JournalRecord) -> JournalID {
    switch record {
    case .identification(let it): it.occurrence
    default: record.id
    }
  }

  /// Some seeds, with those of journals in which something was found once.
  private static func seeds(few: Int, full: Int, and more: Set<Int>) -> [Int] {
    more.union(0..<Sweep.count(few: few, full: full)).sorted()
  }

  /// Whether an export says less than is known: a table has occurrences alone, with what is said about them.
  private static func saysLess(
    _ format: ExportFormat, _ made: SharingJournals, _ oracle: SharingOracle
  ) -> Bool {
    guard [.csv, .tsv].contains(format) else { return !oracle.hidden.isEmpty }
    var occurrences: Set<JournalID> = []
    for record in made.records where record.kind == .occurrence { occurrences.insert(record.id) }
    return made.records.contains { record in
      switch record {
      case .occurrence(let it): oracle.level(it.id) != .open
      case .note(let it): occurrences.contains(it.target) && oracle.level(it.id) != .open
      case .measure(let it): occurrences.contains(it.target) && oracle.level(it.id) != .open
      default: false
      }
    }
  }

  /// Nothing of what is not open is in any byte that leaves, and the oracle says what is open.
  @Test(arguments: seeds(few: 12, full: 2000, and: [229, 368, 1451, 1619]))
  func noByteSaysWhereOrWhenOrWho(seed: Int) throws {
    let made = try SharingJournals(seed: UInt64(seed))
    let journal = try TestJournal().open()
    try journal.set(SharedNames.setting, to: String(repeating: "0123456789abcdef", count: 4))
    try journal.save(made.records, files: made.files)
    let oracle = SharingOracle(made.records, threat: SharingJournals.threat)
    var (secret, open): (Set<String>, Set<String>) = ([], [])
    for record in made.records {
      let owner = Self.owner(of: record)
      let level = oracle.level(owner)
      if case .collection(let it) = record {
        // What is in none that is open, and in another one, is called after by nobody.
        let members = made.records.filter { $0.collections.contains(it.id) }
        let isOpen =
          it.privacy == .open
          && (members.isEmpty || members.contains { oracle.level($0.id) == .open })
        if !isOpen { secret.insert(it.name) }
        continue
      }
      if case .person(let it) = record {
        secret.formUnion([it.name, "\(it.id)"])
        continue
      }
      let own = made.texts[record.id] ?? []
      if level == .open {
        open.formUnion(Self.times(of: record))
        for position in [oracle.position(record.id), record.position].compactMap({ $0 }) {
          open.formUnion(Self.texts(of: position))
        }
        continue
      }
      secret.formUnion(own + Self.times(of: record) + ["\(record.id)"])
      for position in [oracle.position(record.id), record.position].compactMap({ $0 }) {
        secret.formUnion(Self.texts(of: position))
      }
    }
    // The bytes of a file say all that was written beside the image.
    secret.formUnion(made.files.map { "\($0.file.sha256)" })
    for text in made.texts.values.joined() where text.hasPrefix("zqnumber") { secret.insert(text) }
    let exact = ByteText(try journal.exported(.jsonl).bytes)
    // A record without anybody who took part in it says nothing of him.
    #expect(secret.filter { $0.hasPrefix("zq") }.allSatisfy { exact.says($0) })
    var centres: Set<String> = []
    for id in oracle.hidden {
      guard let position = oracle.position(id) else { continue }
      for isWide in [false, true] {
        centres.formUnion(Self.texts(of: ShareGrid.centre(of: position, isWide: isWide)))
      }
    }
    secret.formUnion(made.cameraTexts)
    secret.subtract(open)
    secret.subtract(centres)
    for format in ExportFormat.allCases where format != .archive {
      let (bytes, report) = try journal.exported(format, for: Self.shared())
      let text =
        [.dwca, .kmz].contains(format)
        ? ByteText(try DarwinCoreFiles(bytes).files.values.joined(separator: "\n").utf8)
        : ByteText(bytes)
      for word in secret where text.says(word) {
        Issue.record("\(format), journal \(seed): \(word)")
      }
      #expect(try journal.exported(format, for: Self.shared()).bytes == bytes)
      if Self.saysLess(format, made, oracle) {
        #expect(report.sharing != SharingCounts(), "\(format)")
      }
    }
    let folder = try TemporaryFolder()
    #expect(
      try journal.exportMedia(to: folder.path, for: Self.shared())
        >= Self.compare(journal, made, oracle).count)
    for (name, bytes) in try Self.files(in: folder) {
      let texts = [ByteText(name.utf8), ByteText(bytes)]
      for word in secret where texts.contains(where: { $0.says(word) }) {
        Issue.record("photo, journal \(seed): \(word)")
      }
      let exif = try PhotoFile([UInt8](bytes), name: nil).facts.exif
      #expect(exif.position == nil && exif.time == nil && exif.camera == nil)
    }
  }

  /// What lies in the folder of an export, by its name without slashes.
  private static func files(in folder: TemporaryFolder) throws -> [(String, Data)] {
    let media = URL(fileURLWithPath: folder("media"))
    let names = FileManager.default.enumerator(atPath: media.path)?.allObjects as? [String] ?? []
    return try names.filter { $0.contains("/") }.map { name in
      (
        name.replacingOccurrences(of: "/", with: ""),
        try Data(contentsOf: media.appendingPathComponent(name))
      )
    }
  }

  /// Compares what an export has with what the oracle says, record by record.
  ///
  /// - Returns: the files of its photos.
  private static func compare(
    _ journal: JournalFile, _ made: SharingJournals, _ oracle: SharingOracle
  ) throws -> Set<MediaFile> {
    let names = try journal.sharedNames()
    let records = made.records
    let cells = oracle.cells(records.map(\.id))
    var images: [Digest: Int] = [:]
    for file in made.files {
      let copy = try Self.copy(of: file)
      images[copy.sha256, default: 0] += 1
    }
    var exported: [JournalID: JournalRecord] = [:]
    try journal.exported(.jsonl, for: shared()).bytes.split(separator: UInt8(ascii: "\n"))
      .forEach { line in
        let record = try JournalLines.record(Array(line))
        try record.validate()
        exported[record.id] = record
      }
    for record in records {
      let level = oracle.level(record.id)
      switch record {
      case .place: #expect((exported[record.id] != nil) == (level == .open))
      case .event, .organism, .occurrence:
        let name = names.name(of: record.id)
        #expect((exported[record.id] != nil) == (level == .open))
        #expect((exported[name] != nil) == (level == .obscured))
        guard level == .obscured, let other = exported[name] else { continue }
        guard let truth = oracle.position(record.id) else {
          #expect(other.position == nil)
          continue
        }
        let centre = try #require(other.position)
        #expect(centre == cells[record.id])
        let side = oracle.wide.contains(record.id) ? 5_000_000 : 1_000_000
        #expect((centre.latitudeE7 + 900_000_000) % side == side / 2)
        #expect((centre.longitudeE7 + 1_800_000_000) % side == side / 2)
        let distance = centre.distanceM(to: truth)
        #expect(distance <= Double(try #require(centre.uncertaintyM)))
      case .photo(let photo):
        let name = names.name(of: photo.id)
        #expect(exported[photo.id] == nil)
        let kept = try #require(made.files.first { $0.file == photo.file })
        let file = try Self.copy(of: kept)
        // Of two files of one image it may be that one leaves alone.
        if images[file.sha256] == 1 { #expect((exported[name] != nil) == (level != .private)) }
        guard case .photo(let other)? = exported[name] else { continue }
        #expect(level != .private)
        var expected = level == .open ? photo : Photo(target: other.target, file: file)
        (expected.id, expected.file) = (name, file)
        #expect(other == expected)
        let isTargetOpen = oracle.level(photo.target) == .open
        #expect(other.target == (isTargetOpen ? photo.target : names.name(of: photo.target)))
      default: break
      }
    }
    // Nothing refers to what is not there.
    for record in exported.values {
      for reference in record.references { #expect(exported[reference.id] != nil) }
    }
    // A file is of several only where all of them are open.
    var owners: [MediaFile: [Photo]] = [:]
    for case .photo(let photo) in exported.values { owners[photo.file, default: []].append(photo) }
    for photos in owners.values where photos.count > 1 {
      for photo in photos { #expect(records.contains { $0.id == photo.target }) }
    }
    return Set(owners.keys)
  }

  private static func copy(of file: PhotoFile) throws -> MediaFile {
    try PhotoFile(try PhotoStripping.stripped(file.bytes), name: nil).file
  }

  // MARK: - Coming back

  /// What others got changes nothing of the records that it was made of, whatever is asked for.
  @Test(arguments: [false, true], seeds(few: 4, full: 100, and: [36]))
  func whatWasGivenAwayChangesNothing(updates: Bool, seed: Int) throws {
    let made = try SharingJournals(seed: UInt64(seed))
    let journal = try TestJournal().open()
    try journal.save(made.records, files: made.files)
    let exact = try journal.exported(.jsonl).bytes
    var options = ImportOptions()
    options.updates = updates
    for format in [ExportFormat.json, .jsonl, .treetracker, .umilog] {
      let bytes = try journal.exported(format, for: Self.shared()).bytes
      let layout = try #require(JSONLayout(rawValue: format.rawValue))
      let summary = try journal.importing(try layout.reader(ByteChunks(bytes)), options)
      let after = try journal.exported(.jsonl).bytes
      if format == .json || format == .jsonl {
        #expect(summary.rowCounts[.refused] == nil)
        #expect(after == exact)
      }
      if let batch = summary.batch { try journal.undo(batch: batch) }
      let lines = String(decoding: after, as: UTF8.self).split(separator: "\n")
      let missing = String(decoding: exact, as: UTF8.self).split(separator: "\n")
        .filter { !lines.contains($0) }
      if !updates { #expect(missing == [], "\(format)") }
    }
    for format in MapExportTests.formats {
      let bytes = try journal.exported(format, for: Self.shared()).bytes
      options.acceptsNullIsland = true
      let summary = try TestMap.import(bytes, into: journal, options).summary
      #expect(summary.rowCounts[.refused] == nil)
      #expect(try journal.exported(.jsonl).bytes == exact, "\(format)")
    }
    for form in [ExportFormat.csv, .tsv] {
      let text = try journal.exported(form, for: Self.shared()).bytes
      let reader = try TableImportReader(
        TestTable.stream(text), fileName: "table.\(form.rawValue)", acceptsNullIsland: true)
      let summary = try journal.importing(reader, options)
      #expect(summary.rowCounts[.refused] == nil)
      #expect(try journal.exported(.jsonl).bytes == exact, "\(form)")
    }
  }

  /// Whoever gets it has it but once, however often it comes, and can give it on without saying more.
  @Test(arguments: seeds(few: 4, full: 100, and: [51]))
  func othersHaveItOnce(seed: Int) throws {
    let made = try SharingJournals(seed: UInt64(seed))
    let journal = try TestJournal().open()
    try journal.save(made.records, files: made.files)
    let bytes = try journal.exported(.jsonl, for: Self.shared()).bytes
    let folder = try TemporaryFolder()
    _ = try journal.exportMedia(to: folder.path, for: Self.shared())
    let photos = PhotoImport(.keep, beside: folder("journal.jsonl"))
    func taken(by other: JournalFile) throws -> ImportSummary {
      try other.importing(try other.reader(.jsonl, ByteChunks(bytes), photos: photos))
    }
    let other = try TestJournal().open()
    let first = try taken(by: other)
    #expect(first.rowCounts[.refused] == nil && first.rowCounts[.differs] == nil)
    let kept = try other.exported(.jsonl).bytes
    let second = try taken(by: other)
    #expect(second.batch == nil && second.newRecordCount == 0)
    #expect(try other.exported(.jsonl).bytes == kept)
    #expect(try other.check() == [])
    #expect(try other.checkMedia() == MediaReport())
    // Coming home it changes nothing, with its files or without them.
    let exact = try journal.exported(.jsonl).bytes
    for home in [photos, PhotoImport(.keep)] {
      let back = try journal.importing(
        try journal.reader(.jsonl, ByteChunks(bytes), photos: home))
      #expect(back.batch == nil && back.rowCounts[.refused] == nil)
    }
    #expect(try journal.exported(.jsonl).bytes == exact)
    let names = try other.sharedNames()
    var given: [JournalID: JournalRecord] = [:]
    try other.forEachRecord(of: nil, by: Sharing(try SharingJournals.pack.get(), names)) {
      given[$0.record.id] = $0.record
    }
    var records: [JournalRecord] = []
    try other.forEachRecord { records.append($0) }
    // What says nothing of where it was is where its individual is, which may have come with a cell of its own.
    let known = SharingOracle(records) { _ in nil }
    for record in records where record.privacy == .obscured {
      guard let again = given[names.name(of: record.id)] else { continue }
      let position = known.position(record.id)
      #expect(again.position?.latitudeE7 == position?.latitudeE7)
      #expect(again.position?.longitudeE7 == position?.longitudeE7)
    }
  }

  @Test func nobodyLearnsWhoIdentifiedIt() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    var name = Identification(occurrence: walk.bird.id, verbatimName: "Turdus merula")
    name.remarks = Identification.remarks(["by its song", nil], identifiedBy: "Zoe; Quux")
    #expect(name.remarks == "identified by Zoe, Quux; by its song")
    try journal.save(walk.records + [.identification(name)])
    for format in ExportFormat.allCases where format != .archive {
      let (bytes, report) = try journal.exported(format, for: Self.shared())
      let text =
        [.dwca, .kmz].contains(format)
        ? ByteText(try DarwinCoreFiles(bytes).files.values.joined(separator: "\n").utf8)
        : ByteText(bytes)
      #expect(!text.says("Zoe") && !text.says("Quux"), "\(format)")
      if format == .jsonl {
        #expect(text.says("by its song") && text.says("\"who identified it\""))
        #expect(report.sharing.withheld["identification.remarks"] == 1)
        #expect(ByteText(try journal.exported(format).bytes).says("Zoe, Quux"))
      }
    }
  }

  // MARK: - Names

  @Test func othersHaveOtherUUIDs() throws {
    let home = try TestJournal()
    let id = JournalID()
    let name: JournalID
    do {
      let journal = try home.open()
      name = try journal.sharedNames().name(of: id)
      #expect(try journal.sharedNames().name(of: id) == name)
    }
    #expect(try home.open().sharedNames().name(of: id) == name)
    #expect(name.isOfVersion8 && name != id)
    // Another journal has another key.
    #expect(try TestJournal().open().sharedNames().name(of: id) != name)
    #expect(SharedNames(setting: "x") == nil && SharedNames(setting: nil) == nil)
    let journal = try home.open()
    try journal.set(SharedNames.setting, to: "damaged")
    #expect(throws: JournalError.self) { try journal.sharedNames() }
  }

  // MARK: - What is asked

  @Test func aFileIsCalledAfterWhatIsOpenOnly() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    try journal.save(walk.records)
    let shared = try Self.shared()
    #expect(try journal.isOpen(collection: walk.orchard.id, for: shared))
    var bird = walk.bird
    bird.privacy = .obscured
    // The tree was seen on the same walk, which is of the collection.
    try journal.save([.occurrence(bird)])
    #expect(try !journal.isOpen(collection: walk.orchard.id, for: shared))
    #expect(try journal.isOpen(collection: walk.orchard.id, for: .exact))
  }

  @Test func whatIsChosenLeadsToNothingElse() throws {
    let journal = try TestJournal().open()
    var walk = try Walk()
    walk.event.place = nil
    walk.event.position = Position(latitudeE7: 100_000_000, longitudeE7: 0)
    let lion = Occurrence(event: walk.event.id)
    let pack = try SharingJournals.pack.get()
    let view = pack.view
    let found = view.resolve("Panthera leo").taxon
    let taxon = try #require(found)
    let reference = view.reference(to: taxon) ?? STOLJournalTests.taxon(6, "Panthera leo")
    let name = Identification(
      occurrence: lion.id, verbatimName: "Panthera leo", taxon: reference, match: .exact)
    try journal.save(walk.records + [.occurrence(lion), .identification(name)])
    // All of the walk is obscured, and with it the oak, of which nothing else is known, and the wood where it stands.
    let all = String(
      decoding: try journal.exported(.jsonl, of: SightingQuery(), for: Self.shared()).bytes,
      as: UTF8.self)
    #expect(!all.contains("Beech Wood") && !all.contains("Orchard") && !all.contains("Ada"))
    #expect(all.split(separator: "\n").count == 7)
    #expect(all.contains("\"dataGeneralizations\":\"position: the centre of a cell of 0.1 degree"))
    let whole = try journal.exported(.jsonl, for: Self.shared())
    #expect(!String(decoding: whole.bytes, as: UTF8.self).contains("Beech Wood"))
    #expect(
      whole.report.sharing.generalised
        == ["event": 1, "occurrence": 3, "identification": 2, "organism": 1])
    #expect(
      whole.report.sharing.withheld
        == ["person": 1, "note": 1, "measure": 1, "place": 1, "collection": 1])
    // Where it was seen another time too, both are known.
    var visit = Event(kind: .visit, start: try LocalTime("2020-06"))
    visit.place = walk.place.id
    var again = Occurrence(event: visit.id)
    again.organism = walk.tree.id
    try journal.save([.event(visit), .occurrence(again)])
    let later = try journal.exported(.jsonl, for: Self.shared())
    #expect(String(decoding: later.bytes, as: UTF8.self).contains("Beech Wood"))
    #expect(later.report.sharing.generalised["organism"] == nil)
  }

  @Test func aTableSaysWhatWasLeftOut() throws {
    let journal = try TestJournal().open()
    var walk = try Walk()
    walk.place.privacy = .obscured
    try journal.save(walk.records)
    let text = String(
      decoding: try journal.exported(.csv, for: Self.shared()).bytes, as: UTF8.self)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasSuffix("data_generalizations,information_withheld"))
    #expect(lines.dropFirst().allSatisfy { $0.contains("0.1 degree") && $0.contains(",2026-03,") })
  }
}
