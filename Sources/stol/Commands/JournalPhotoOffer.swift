import STOLAnswers
import STOLJournal
import STOLSystem

/// What photos of something say about where and when that was, where nobody says otherwise.
struct PhotoOffer {
  /// The files.
  private(set) var files: [PhotoFile] = []
  /// Where the first one that knows was taken.
  private(set) var position: Position?
  /// When the first one that knows was taken.
  private(set) var time: LocalTime?
  /// The minutes that its clock was ahead of UTC.
  private(set) var utcOffsetMin: Int?
  private var sources: [String] = []

  /// Nothing.
  init() {}

  /// Looks at files.
  ///
  /// - Parameters:
  ///   - paths: the files.
  ///   - hasPosition: whether somebody says where it was.
  ///   - hasTime: whether somebody says when it was.
  /// - Throws: `JournalError.photo` for what is no photo, `SystemError`
  init(_ paths: [String], hasPosition: Bool, hasTime: Bool) throws {
    for path in paths {
      let file = try PhotoFile(path: path)
      files.append(file)
      let exif = file.facts.exif
      if !hasPosition, position == nil, let found = exif.position {
        position = found
        let metres = found.uncertaintyM.map { ", within \($0) m" } ?? ""
        sources.append(
          "\(path) says it was at \(found.latitudeText),\(found.longitudeText)\(metres)")
      }
      if !hasTime, time == nil, let found = exif.time {
        (time, utcOffsetMin) = (found, exif.utcOffsetMin)
        let ahead = exif.utcOffsetMin.map { ", \($0) minutes ahead of UTC" } ?? ""
        sources.append("\(path) says it was on \(found.text)\(ahead)")
      }
    }
  }

  /// Says what is taken from which file, before it is kept.
  func say() {
    for source in sources { writeStandardError("stol: \(Escaping.terminal(source))\n") }
  }
}
