import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem

/// From where a receiver's position is taken.
struct FixOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where, as a receiver says it: a GPX file, or nmea:FILE or nmea:- for sentences of NMEA 0183.",
      valueName: "file"),
    completion: .file())
  var fix: String?

  @Option(
    help: ArgumentHelp(
      "Ask for no better fix than below so many metres (default: what is good by 'stol journal accuracy', 10).",
      valueName: "metres"))
  var good: Int?

  func validate() throws {
    if let good, !(1...100_000).contains(good) {
      throw ValidationError("--good must be from 1 to 100000 metres, got \(good)")
    }
    if good != nil, fix == nil {
      throw ValidationError("--good says how exact a --fix must be: give that too")
    }
  }

  /// The best fix that there is; nil where none is asked for.
  ///
  /// Of NMEA sentences no more are read once one is good: a receiver never ends.
  func best(
    _ file: JournalFile, acceptsNullIsland: Bool, isQuiet: Bool
  ) throws -> PositionFix? {
    guard let fix else { return nil }
    let goodM = try good ?? file.accuracyThresholds().acceptableM
    var choice = FixChoice(goodM: goodM, acceptsNullIsland: acceptsNullIsland)
    var (faultCount, strayCount) = (0, 0)
    if fix.hasPrefix("nmea:") {
      let path = String(fix.dropFirst("nmea:".count))
      var reader = NMEAReader(try ByteChunks(path: path == "-" ? nil : path))
      while !choice.isGood, let next = try reader.next() {
        guard choice.take(next), !isQuiet, !choice.isGood else { continue }
        let metres = next.position.uncertaintyM.map { "\($0) m" } ?? "an unknown distance"
        writeStandardError("stol: within \(metres), waiting for a better fix\n")
      }
      (faultCount, strayCount) = (reader.faultCount, reader.strayCount)
    } else {
      let chunks = try ByteChunks(path: fix)
      let track = try GPXTrack.read(try chunks.rest(limit: GPXTrack.byteLimit))
      strayCount = track.faultCount
      for next in track.fixes { choice.take(next) }
    }
    var passedOver: [String] = []
    if choice.nullIslandCount > 0 {
      passedOver.append("\(choice.nullIslandCount) at 0,0 (--accept-null-island takes such)")
    }
    if strayCount > 0 { passedOver.append("\(strayCount) nowhere on the globe") }
    guard let best = choice.best else {
      if faultCount > 0 {
        passedOver.append("\(faultCount) lines are no sentences with a checksum")
      }
      let others = passedOver.map { "; \($0)" }.joined()
      throw CommandFailure(.usage, "\(Escaping.terminal(fix)): has no fix\(others)")
    }
    if !isQuiet {
      if !passedOver.isEmpty {
        writeStandardError("stol: passed over \(passedOver.joined(separator: ", "))\n")
      }
      say(best, choice.count, goodM)
    }
    return best
  }

  private func say(_ best: PositionFix, _ count: Int, _ goodM: Int) {
    let position = best.position
    let metres = position.uncertaintyM.map { "within \($0) m" } ?? "nobody knows how exact"
    let among = count == 1 ? "the only fix" : "the best of \(count) fixes"
    writeStandardError(
      "stol: took \(position.latitudeText),\(position.longitudeText), \(metres), \(among)\n")
    if let uncertainty = position.uncertaintyM, uncertainty >= goodM {
      writeStandardError("stol: below \(goodM) m would be good\n")
    }
  }
}
