/// Where somebody was at any time, by the points of a track.
package struct TimedTrack: Sendable {
  let fixes: [(seconds: Int, fix: PositionFix)]

  /// The points of a track that say when they were.
  package init(_ fixes: [PositionFix]) {
    // Of one moment the first point holds.
    var seen: Set<Int> = []
    let timed = fixes.compactMap { fix in fix.seconds.map { (seconds: $0, fix: fix) } }
    self.fixes = timed.filter { seen.insert($0.seconds).inserted }
      .sorted { $0.seconds < $1.seconds }
  }

  /// How many points there are.
  package var count: Int { fixes.count }

  /// The place at a moment: on the line between the points before and after it.
  ///
  /// The point lies within the metres of both of them, and of the way to the nearer one; nobody knows where these are
  /// not known.
  ///
  /// - Parameters:
  ///   - seconds: the moment, from 1970.
  ///   - gap: so many seconds the two points may lie apart, or the only one from the moment.
  /// - Returns: nil where the track has no such points.
  /// - Complexity: O(log n)
  package func place(at seconds: Int, within gap: Int) -> PositionFix? {
    let next = firstIndex(from: seconds)
    let after = next < fixes.count ? fixes[next] : nil
    if let after, after.seconds == seconds { return after.fix }
    let before = next > 0 ? fixes[next - 1] : nil
    guard let before, let after else {
      // Somebody may stand at either end of a track for a while.
      let only = before ?? after
      return only.flatMap { abs($0.seconds - seconds) <= gap ? $0.fix : nil }
    }
    guard after.seconds - before.seconds <= gap else { return nil }
    return Self.between(before, after, at: seconds)
  }

  /// The first point that is not before a moment.
  func firstIndex(from seconds: Int) -> Int {
    var (low, high) = (0, fixes.count)
    while low < high {
      let middle = (low + high) / 2
      if fixes[middle].seconds < seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func between(
    _ a: (seconds: Int, fix: PositionFix), _ b: (seconds: Int, fix: PositionFix), at seconds: Int
  ) -> PositionFix {
    let share = Double(seconds - a.seconds) / Double(b.seconds - a.seconds)
    func mean(_ a: Int, _ b: Int) -> Int { a + Int((Double(b - a) * share).rounded()) }
    let (from, to) = (a.fix.position, b.fix.position)
    let turn = 360 * Position.unitsPerDegree
    // Over 180 degrees east it goes on in the west.
    var east = to.longitudeE7 - from.longitudeE7
    if east > turn / 2 { east -= turn } else if east < -turn / 2 { east += turn }
    var longitude = mean(from.longitudeE7, from.longitudeE7 + east)
    if longitude > turn / 2 {
      longitude -= turn
    } else if longitude < -turn / 2 {
      longitude += turn
    }
    var position = Position(
      latitudeE7: mean(from.latitudeE7, to.latitudeE7), longitudeE7: longitude)
    if let one = from.uncertaintyM, let other = to.uncertaintyM {
      let way = min(position.distanceM(to: from), position.distanceM(to: to))
      position.uncertaintyM = min(20_040_000, max(one, other) + Int(way.rounded(.up)))
    }
    let elevation = a.fix.elevationCm.flatMap { one in b.fix.elevationCm.map { mean(one, $0) } }
    return PositionFix(position: position, elevationCm: elevation, seconds: seconds)
  }
}

/// What became of a photo for which a place was looked for.
public enum PhotoMatch: Equatable, Sendable {
  /// It is there now.
  case placed(Position)
  /// It had a place already.
  case hasPlace
  /// Nobody knows when it was taken, to the minute.
  case noTime
  /// Nobody knows how far the clock of the camera was ahead of UTC.
  case noOffset
  /// The track has no points around that time.
  case noPoint
}

extension JournalFile {
  /// Gives photos without a position the place where a track was when they were taken; all of it is one batch.
  ///
  /// - Parameters:
  ///   - ids: the photos, each once.
  ///   - track: the track.
  ///   - offsetS: the seconds that the clock was ahead of UTC of a camera whose photo does not say it; nil where nobody
  ///     knows.
  ///   - gapS: see `TimedTrack.place`.
  ///   - isRehearsal: whether nothing is kept.
  /// - Returns: what became of each, or why it is no photo, and the batch that undoes it.
  /// - Throws: `StoreError`; then nothing has changed.
  package func match(
    _ ids: [JournalID], with track: TimedTrack, offsetS: Int?, gapS: Int, isRehearsal: Bool = false
  ) throws -> (matches: [Result<PhotoMatch, JournalError>], batch: Int64?) {
    var found: [JournalID: PhotoMatch] = [:]
    let (results, batch) = try edit(ids, isRehearsal: isRehearsal) { record throws(JournalError) in
      guard case .photo(var photo) = record else {
        throw .otherKind(id: record.id, found: record.kind.rawValue, needed: "photo")
      }
      let (match, fix) = Self.match(photo, track, offsetS, gapS)
      found[record.id] = match
      guard let fix else { return record }
      photo.position = fix.position
      photo.elevationCm = photo.elevationCm ?? fix.elevationCm
      return .photo(photo)
    }
    return (
      zip(ids, results).map { id, result in result.map { _ in found[id] ?? .hasPlace } }, batch
    )
  }

  private static func match(
    _ photo: Photo, _ track: TimedTrack, _ offsetS: Int?, _ gapS: Int
  ) -> (PhotoMatch, PositionFix?) {
    guard photo.position == nil else { return (.hasPlace, nil) }
    guard let time = photo.time, time.hasTimeOfDay else { return (.noTime, nil) }
    guard let offset = photo.utcOffsetMin.map({ $0 * 60 }) ?? offsetS else {
      return (.noOffset, nil)
    }
    guard let fix = track.place(at: time.firstSecond - offset, within: gapS) else {
      return (.noPoint, nil)
    }
    return (.placed(fix.position), fix)
  }
}
