import STOLMatch
import STOLPack

extension MatchStatus {
  /// The status as stol.h lists it.
  var status: Status {
    switch self {
    case .exact: .exact
    case .synonym: .synonym
    case .fuzzy: .fuzzy
    case .partial: .partial
    case .ambiguous: .ambiguous
    case .notFound: .notFound
    case .invalid: .invalid
    }
  }
}

extension NameDifference {
  /// The number that stol.h gives it.
  var number: UInt8 {
    switch self {
    case .none: 0
    case .ending: 1
    case .scanner: 2
    case .epithet: 3
    case .epithetTwo: 4
    case .genus: 5
    case .genusAndEpithet: 6
    case .genusTwo: 7
    case .uninomial: 8
    case .uninomialTwo: 9
    case .farther: 10
    case .fewerEpithets: 11
    case .genusOnly: 12
    case .hint: 13
    }
  }

  /// What stands for none in C.
  static let unknown = UInt8.max
}

extension NameMatcher.Options {
  /// Options as numbers say them.
  init(leastScore: Int32, flags: UInt32, _ argument: Argument) throws(DoorError) {
    guard (-1...100).contains(leastScore) else {
      throw argument.wrong("has least score \(leastScore): 0 to 100, or -1 for the usual one")
    }
    guard flags < 16 else { throw argument.wrong("has flags \(flags), which no version knows") }
    self.init()
    isStrict = flags & 1 != 0
    allowsHigherTaxa = flags & 2 == 0
    allowsScannerErrors = flags & 4 != 0
    followsGBIF = flags & 8 != 0
    if leastScore >= 0 {
      self.leastScore = Int(leastScore)
    } else if followsGBIF {
      self.leastScore = Self.leastScoreOfGBIF
    }
  }
}

extension PackView {
  /// Matches each row, and says whether there was room for all that was asked for.
  func match(
    _ table: borrowing MatchTable, _ options: NameMatcher.Options, _ matches: inout MatchWriter
  ) throws(DoorError) -> Bool {
    var matcher = NameMatcher(options: options)
    var ahead = ReadingAhead()
    for row in 0..<table.count {
      try ahead.read(row, of: table.names, in: self)
      let name = try table.names.bytes(row)
      guard name.isUTF8 else {
        matches.writeInvalid(row, "the name is no UTF-8")
        continue
      }
      // What is exact has no candidates on the short way.
      if !matches.needsCandidates, try table.hasNameAlone(row),
        let match = matcher.matchPlain(name, in: self)
      {
        matches.write(row, match)
      } else {
        matches.write(row, matcher.match(try table.query(row, name), in: self))
      }
    }
    return matches.hadRoom
  }
}
