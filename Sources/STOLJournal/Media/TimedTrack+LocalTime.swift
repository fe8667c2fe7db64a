import STOLSystem

/// Where a track was at a time as lived.
package struct TrackPlace: Equatable, Sendable {
  /// The place.
  package let fix: PositionFix
  /// The seconds from that time to the nearest point of the track.
  package let nearestS: Int
}

extension TimedTrack {
  /// The moments of the first and of the last point, as a clock shows them that is so many minutes ahead of UTC; nil
  /// where no point says when it was.
  package func span(offsetMin: Int) -> (first: String, last: String)? {
    guard let first = fixes.first, let last = fixes.last else { return nil }
    func text(_ seconds: Int) -> String {
      let (day, second) = (seconds + offsetMin * 60).flooredDivision(by: 86_400)
      let date = CivilDate(days: day)
      return "\(date.year.digits(4))-\(date.month.digits(2))-\(date.day.digits(2)) "
        + "\((second / 3600).digits(2)):\((second / 60 % 60).digits(2))"
    }
    return (text(first.seconds), text(last.seconds))
  }

  /// Where the track was at a time by a clock that is so many minutes ahead of UTC.
  ///
  /// - Parameters:
  ///   - time: the time, to the minute or the second.
  ///   - offsetMin: the minutes.
  ///   - gap: see `place(at:within:)`.
  /// - Returns: nil where nobody knows.
  /// - Complexity: O(log n)
  package func place(at time: LocalTime, offsetMin: Int, within gap: Int) -> TrackPlace? {
    let seconds = time.firstSecond - offsetMin * 60
    guard time.hasTimeOfDay, let fix = place(at: seconds, within: gap) else { return nil }
    let next = firstIndex(from: seconds)
    let around = fixes[max(0, next - 1)..<min(fixes.count, next + 1)]
    let nearest = around.map { abs($0.seconds - seconds) }.min()
    return nearest.map { TrackPlace(fix: fix, nearestS: $0) }
  }
}
