import CDoor

/// Where hits are written: `stol_hits` of stol.h.
struct HitColumns: ~Escapable, ~Copyable {
  /// The number of hits that there is room for.
  let room: Int
  private var taxa: MutableSpan<UInt32>
  private var names: MutableSpan<UInt32>
  private var kinds: MutableSpan<UInt8>
  private var classes: MutableSpan<UInt8>
  private var distances: MutableSpan<UInt8>

  /// The columns that a struct describes.
  @_lifetime(immortal)
  init(_ pointer: UnsafePointer<stol_hits>?, _ argument: Argument) throws(DoorError) {
    // SAFETY: a copy of a struct whose size has been looked at; `mutableSpan` checks its pointers.
    let hits = unsafe try argument.sized(pointer)
    let room = unsafe try argument.count(hits.room)
    let taxa = unsafe try argument.mutableSpan(hits.taxa, room, isOptional: true)
    let names = unsafe try argument.mutableSpan(hits.names, room, isOptional: true)
    let kinds = unsafe try argument.mutableSpan(hits.kinds, room, isOptional: true)
    let classes = unsafe try argument.mutableSpan(hits.classes, room, isOptional: true)
    let distances = unsafe try argument.mutableSpan(hits.distances, room, isOptional: true)
    self.room = room
    self.taxa = taxa
    self.names = names
    self.kinds = kinds
    self.classes = classes
    self.distances = distances
  }

  /// Writes a hit in the columns that there are.
  @_lifetime(self: copy self)
  mutating func write(
    _ index: Int, _ taxon: UInt32, _ name: UInt32, _ kind: UInt8, _ matchClass: UInt8,
    _ distance: UInt8
  ) {
    if index < taxa.count { taxa[index] = taxon }
    if index < names.count { names[index] = name }
    if index < kinds.count { kinds[index] = kind }
    if index < classes.count { classes[index] = matchClass }
    if index < distances.count { distances[index] = distance }
  }
}
