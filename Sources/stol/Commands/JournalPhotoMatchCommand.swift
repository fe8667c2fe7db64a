import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem

/// The command `stol journal photo match`.
struct MatchPhotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match", abstract: "Place photos by the time at which a track was somewhere.",
    discussion: """
      A photo without a position gets that of the track at its time, on the line between the two points around \
      it. The clock of a camera is seldom that of UTC, nor quite right: --offset says how far it was ahead, \
      where the photos do not say it. All of it is undone as one.

        stol journal photo match --gpx walk.gpx --offset +02:00
        stol journal media match --gpx walk.gpx --offset -04:00:12 --dry-run
      """)

  @Argument(help: "The UUIDs of photos (default: all).")
  var ids: [String] = []

  @Option(help: ArgumentHelp("The track, GPX 1.0 or 1.1.", valueName: "file"), completion: .file())
  var gpx: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How far the camera was ahead of UTC, of photos that do not say it: +02:00, or -04:00:12.",
      valueName: "offset"))
  var offset: String?

  @Option(
    help: ArgumentHelp(
      "So many seconds the two points may lie apart, or one alone from the photo.",
      valueName: "seconds"))
  var gap = 600

  @Flag(help: "Say where they would be, and keep nothing.")
  var dryRun = false

  @OptionGroup var answers: JournalAnswerOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if !(1...86_400).contains(gap) {
      throw ValidationError("--gap must be from 1 to 86400 seconds, got \(gap)")
    }
    if let offset, clockOffset(offset) == nil {
      throw ValidationError(
        "--offset must be as +02:00 or -04:00:12, at most 18 hours, got \(Escaping.terminal(offset))"
      )
    }
  }

  func run() throws {
    let chunks = try ByteChunks(path: gpx)
    let track = TimedTrack(try GPXTrack.fixes(try chunks.rest(limit: GPXTrack.byteLimit)))
    guard track.count > 0 else {
      throw CommandFailure(
        .usage, "\(Escaping.terminal(gpx)): none of its points says when it was")
    }
    let file = try journal.open(isDryRun: dryRun)
    let chosen = ids.isEmpty ? try all(file) : try unique(ids)
    let (matches, batch) = try file.match(
      chosen, with: track, offsetS: offset.flatMap(clockOffset), gapS: gap, isRehearsal: dryRun)
    var answers = JournalAnswers(
      self.answers, ["latitude", "longitude", "uncertaintyM"], isBatch: true, input: nil,
      isStreamed: false)
    var counts: [String: Int] = [:]
    for (id, match) in zip(chosen, matches) {
      try answers.line(id, input: "") { answers in
        let match = try match.get()
        counts[Self.word(match), default: 0] += 1
        guard case .placed(let position) = match else {
          return try answers.add(Self.word(match), id)
        }
        try answers.add(
          Self.word(match), id,
          [
            position.latitudeText, position.longitudeText,
            position.uncertaintyM.map(String.init),
          ])
      }
    }
    if !journal.quiet {
      let words = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      let end =
        dryRun
        ? "nothing was kept"
        : batch.map { "'stol journal undo \($0)' undoes it" } ?? "nothing changed"
      writeStandardError("stol: \((words + [end]).joined(separator: "; "))\n")
      if counts["no offset", default: 0] > 0 {
        writeStandardError(
          "stol: say by --offset how far the clock of the camera was ahead of UTC\n")
      }
    }
    try answers.finish()
  }

  /// All photos that have no position yet.
  private func all(_ file: JournalFile) throws -> [JournalID] {
    var ids: [JournalID] = []
    try file.eachPhoto { photo in
      if photo.position == nil { ids.append(photo.id) }
    }
    return ids
  }

  private func unique(_ texts: [String]) throws -> [JournalID] {
    var seen: Set<JournalID> = []
    return try texts.map { try journalID($0) }.filter { seen.insert($0).inserted }
  }

  private static func word(_ match: PhotoMatch) -> String {
    switch match {
    case .placed: "placed"
    case .hasPlace: "has a place"
    case .noTime: "no time"
    case .noOffset: "no offset"
    case .noPoint: "no point"
    }
  }
}

/// The seconds of "+02:00" or "-04:00:12"; nil for another text, and for more than 18 hours.
private func clockOffset(_ text: String) -> Int? {
  guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
  let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
  let numbers = parts.compactMap { part in
    part.utf8.count == 2 && part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int(part) : nil
  }
  guard numbers.count == parts.count, (2...3).contains(parts.count),
    numbers.dropFirst().allSatisfy({ $0 < 60 })
  else { return nil }
  let seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
  guard seconds <= 18 * 3600 else { return nil }
  return sign == "-" ? -seconds : seconds
}
