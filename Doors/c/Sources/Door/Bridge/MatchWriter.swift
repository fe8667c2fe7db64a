import CDoor
import STOLMatch
import STOLPack

/// Where matches are written: `stol_matches` of stol.h.
struct MatchWriter: ~Escapable, ~Copyable {
  /// Whether all that was weighed is asked for.
  let needsCandidates: Bool
  private let needsReasons: Bool
  private var taxa: MutableSpan<UInt32>
  private var names: MutableSpan<UInt32>
  private var statuses: MutableSpan<UInt8>
  private var differences: MutableSpan<UInt8>
  private var edits: MutableSpan<UInt8>
  private var scores: MutableSpan<UInt8>
  private var reasonOffsets: MutableSpan<Int64>
  private var reasons: MutableSpan<CChar>
  private var reasonByteCount: Int
  private var candidateOffsets: MutableSpan<Int64>
  private var candidateTaxa: MutableSpan<UInt32>
  private var candidateNames: MutableSpan<UInt32>
  private let candidateRoom: Int
  private var candidateCount: Int

  /// The arrays that a struct describes, for so many rows.
  @_lifetime(immortal)
  init(
    _ pointer: UnsafePointer<stol_matches>?, _ count: Int, _ argument: Argument
  ) throws(DoorError) {
    // SAFETY: a copy of a struct whose size has been looked at; `mutableSpan` checks its pointers.
    let matches = unsafe try argument.sized(pointer)
    let needsReasons = unsafe matches.reason_offsets != nil
    let needsCandidates = unsafe matches.candidate_offsets != nil
    let reasonRoom = unsafe try needsReasons ? argument.count(matches.reason_room) : 0
    let candidateRoom = unsafe try needsCandidates ? argument.count(matches.candidate_room) : 0
    let taxa = unsafe try argument.mutableSpan(matches.taxa, count, isOptional: true)
    let names = unsafe try argument.mutableSpan(matches.names, count, isOptional: true)
    let statuses = unsafe try argument.mutableSpan(matches.statuses, count, isOptional: true)
    let differences = unsafe try argument.mutableSpan(matches.differences, count, isOptional: true)
    let edits = unsafe try argument.mutableSpan(matches.edits, count, isOptional: true)
    let scores = unsafe try argument.mutableSpan(matches.scores, count, isOptional: true)
    var reasonOffsets = unsafe try argument.mutableSpan(
      matches.reason_offsets, count + 1, isOptional: true)
    let reasons = unsafe try Argument(argument.number, "matches.reason_bytes").mutableSpan(
      matches.reason_bytes, reasonRoom)
    var candidateOffsets = unsafe try argument.mutableSpan(
      matches.candidate_offsets, count + 1, isOptional: true)
    let candidateTaxa = unsafe try argument.mutableSpan(
      matches.candidate_taxa, candidateRoom, isOptional: true)
    let candidateNames = unsafe try argument.mutableSpan(
      matches.candidate_names, candidateRoom, isOptional: true)
    if needsReasons { reasonOffsets[0] = 0 }
    if needsCandidates { candidateOffsets[0] = 0 }
    self.needsReasons = needsReasons
    self.needsCandidates = needsCandidates
    self.candidateRoom = candidateRoom
    reasonByteCount = 0
    candidateCount = 0
    self.taxa = taxa
    self.names = names
    self.statuses = statuses
    self.differences = differences
    self.edits = edits
    self.scores = scores
    self.reasonOffsets = reasonOffsets
    self.reasons = reasons
    self.candidateOffsets = candidateOffsets
    self.candidateTaxa = candidateTaxa
    self.candidateNames = candidateNames
  }

  /// Whether there was room for all that was written.
  var hadRoom: Bool {
    reasonByteCount <= reasons.count && (!needsCandidates || candidateCount <= candidateRoom)
  }

  /// Writes what became of a row.
  @_lifetime(self: copy self)
  mutating func write(_ row: Int, _ match: borrowing NameMatch) {
    write(
      row, match.status, match.taxon, match.name, match.difference, match.edits, match.score,
      match.reason)
    guard needsCandidates else { return }
    for candidate in match.candidates {
      if candidateCount < candidateTaxa.count {
        candidateTaxa[candidateCount] = candidate.taxon.rawValue
      }
      if candidateCount < candidateNames.count {
        candidateNames[candidateCount] = candidate.name.rawValue
      }
      candidateCount += 1
    }
    candidateOffsets[row + 1] = Int64(candidateCount)
  }

  /// Writes that a row has no name that can be asked for.
  @_lifetime(self: copy self)
  mutating func writeInvalid(_ row: Int, _ reason: String) {
    write(row, .invalid, nil, nil, nil, 0, 0, reason)
    if needsCandidates { candidateOffsets[row + 1] = Int64(candidateCount) }
  }

  @_lifetime(self: copy self)
  private mutating func write(
    _ row: Int, _ status: MatchStatus, _ taxon: TaxonOrdinal?, _ name: NameOrdinal?,
    _ difference: NameDifference?, _ edits: Int, _ score: Int, _ reason: String
  ) {
    if row < taxa.count { taxa[row] = taxon?.rawValue ?? none }
    if row < names.count { names[row] = name?.rawValue ?? none }
    if row < statuses.count { statuses[row] = status.status.rawValue }
    if row < differences.count { differences[row] = difference?.number ?? NameDifference.unknown }
    if row < self.edits.count { self.edits[row] = UInt8(clamping: edits) }
    if row < scores.count { scores[row] = UInt8(clamping: score) }
    guard needsReasons else { return }
    let utf8 = reason.utf8
    if utf8.count <= reasons.count - reasonByteCount {
      var index = reasonByteCount
      for byte in utf8 {
        reasons[index] = CChar(bitPattern: byte)
        index += 1
      }
    }
    reasonByteCount += utf8.count
    reasonOffsets[row + 1] = Int64(reasonByteCount)
  }
}
