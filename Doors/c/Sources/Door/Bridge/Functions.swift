public import CDoor
import STOLPack

// The functions of stol.h but those about texts: each checks its arguments and hands spans on.
// SAFETY: every `unsafe` here passes a pointer of C on to what checks it, or writes through one that
// `Argument.place` has checked.

/// `stol_open` of stol.h.
@_cdecl("stol_open")
public func openPack(
  _ path: UnsafePointer<CChar>?, _ pack: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let opened = unsafe try Argument(2, "pack").place(pack)
    unsafe opened.pointee = nil
    unsafe opened.pointee = try OpenPack(path: Argument(1, "path").requiredText(path)).handle
    return 0
  }
}

/// `stol_close` of stol.h.
@_cdecl("stol_close")
public func closePack(_ pack: OpaquePointer?) { unsafe OpenPack.close(pack) }

/// `stol_get_facts` of stol.h.
@_cdecl("stol_get_facts")
public func getFacts(
  _ pack: OpaquePointer?, _ facts: UnsafeMutablePointer<stol_facts>?,
  _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let argument = Argument(2, "facts")
    let place = unsafe try argument.place(facts)
    let size = unsafe place.pointee.size
    guard size >= MemoryLayout<Int>.size, size <= Argument.greatestSize else {
      throw argument.wrong("has size \(UInt(bitPattern: size))")
    }
    var known = pack.facts
    unsafe known.size = place.pointee.size
    unsafe withUnsafeBytes(of: known) { bytes in
      let start = UnsafeMutableRawPointer(place)
      unsafe start.copyMemory(
        from: bytes.baseAddress.unsafelyUnwrapped, byteCount: min(size, bytes.count))
      // Of what a later version would say, this one knows nothing.
      guard size > bytes.count else { return }
      unsafe (start + bytes.count).initializeMemory(
        as: UInt8.self, repeating: 0, count: size - bytes.count)
    }
    return 0
  }
}

/// `stol_taxa_of_ids` of stol.h.
@_cdecl("stol_taxa_of_ids")
public func taxaOfIDs(
  _ pack: OpaquePointer?, _ ids: UnsafePointer<Int64>?, _ count: Int,
  _ taxa: UnsafeMutablePointer<UInt32>?, _ statuses: UnsafeMutablePointer<UInt8>?,
  _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let count = try Argument(3, "count").count(count)
    let ids = unsafe try Argument(2, "ids").span(ids, count)
    var taxa = unsafe try Argument(4, "taxa").mutableSpan(taxa, count)
    var statuses = unsafe try Argument(5, "statuses").mutableSpan(statuses, count, isOptional: true)
    let view = pack.view
    guard !view.ids.areTexts else { throw .textIDs }
    view.taxa(ofIDs: ids, &taxa, &statuses)
    return 0
  }
}

/// `stol_ids_of_taxa` of stol.h.
@_cdecl("stol_ids_of_taxa")
public func idsOfTaxa(
  _ pack: OpaquePointer?, _ taxa: UnsafePointer<UInt32>?, _ count: Int,
  _ ids: UnsafeMutablePointer<Int64>?, _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let count = try Argument(3, "count").count(count)
    let taxa = unsafe try Argument(2, "taxa").span(taxa, count)
    var ids = unsafe try Argument(4, "ids").mutableSpan(ids, count)
    let view = pack.view
    guard !view.ids.areTexts else { throw .textIDs }
    try view.ids(of: taxa, &ids)
    return 0
  }
}

/// `stol_lca_pairs` of stol.h.
@_cdecl("stol_lca_pairs")
public func lcaPairs(
  _ pack: OpaquePointer?, _ a: UnsafePointer<UInt32>?, _ b: UnsafePointer<UInt32>?, _ count: Int,
  _ ancestors: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let count = try Argument(4, "count").count(count)
    let a = unsafe try Argument(2, "a").span(a, count)
    let b = unsafe try Argument(3, "b").span(b, count)
    var ancestors = unsafe try Argument(5, "ancestors").mutableSpan(ancestors, count)
    try pack.view.ancestors(ofPairs: a, b, &ancestors)
    return 0
  }
}

/// `stol_lca_lists` of stol.h.
@_cdecl("stol_lca_lists")
public func lcaLists(
  _ pack: OpaquePointer?, _ offsetBits: Int32, _ offsets: UnsafeRawPointer?, _ count: Int,
  _ taxa: UnsafePointer<UInt32>?, _ taxonCount: Int, _ ancestors: UnsafeMutablePointer<UInt32>?,
  _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    guard offsetBits == 32 || offsetBits == 64 else {
      throw .argument(2, "offset_bits is \(offsetBits), not 32 or 64")
    }
    let count = try Argument(4, "count").count(count)
    let taxonCount = try Argument(6, "taxon_count").count(taxonCount)
    let taxa = unsafe try Argument(5, "taxa").span(taxa, taxonCount)
    let lists = unsafe try Offsets(
      offsets, bits: offsetBits, count: count, bound: taxonCount, Argument(3, "offsets"))
    var ancestors = unsafe try Argument(7, "ancestors").mutableSpan(ancestors, count)
    try pack.view.ancestors(ofLists: lists, taxa, &ancestors)
    return 0
  }
}

/// `stol_lineages` of stol.h.
@_cdecl("stol_lineages")
public func lineages(
  _ pack: OpaquePointer?, _ taxa: UnsafePointer<UInt32>?, _ count: Int,
  _ offsets: UnsafeMutablePointer<Int64>?, _ ancestors: UnsafeMutablePointer<UInt32>?, _ room: Int,
  _ needed: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let count = try Argument(3, "count").count(count)
    let room = try Argument(6, "room").count(room)
    let taxa = unsafe try Argument(2, "taxa").span(taxa, count)
    var offsets = unsafe try Argument(4, "offsets").mutableSpan(offsets, count + 1)
    var ancestors = unsafe try Argument(5, "ancestors").mutableSpan(ancestors, room)
    let place = unsafe try Argument(7, "needed").place(needed)
    let needed = try pack.view.lineages(taxa, &offsets, &ancestors)
    unsafe place.pointee = needed
    try DoorError.check(needed: needed, room: room)
    return 0
  }
}

/// `stol_rank_columns` of stol.h.
@_cdecl("stol_rank_columns")
public func rankColumns(
  _ pack: OpaquePointer?, _ taxa: UnsafePointer<UInt32>?, _ count: Int,
  _ ranks: UnsafePointer<UnsafePointer<CChar>?>?, _ rankCount: Int,
  _ ancestors: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let count = try Argument(3, "count").count(count, of: 8 * RankMasks.greatestCount)
    let taxa = unsafe try Argument(2, "taxa").span(taxa, count)
    guard rankCount >= 0, rankCount <= RankMasks.greatestCount else {
      throw .argument(
        5, "rank_count is \(UInt(bitPattern: rankCount)), not 0 to \(RankMasks.greatestCount)")
    }
    let argument = Argument(4, "ranks")
    var words: [String] = []
    for column in 0..<rankCount {
      let ranks = unsafe try argument.checked(ranks)
      unsafe words.append(try Argument(4, "ranks[\(column)]").requiredText(ranks[column]))
    }
    var ancestors = unsafe try Argument(6, "ancestors").mutableSpan(ancestors, count * rankCount)
    let view = pack.view
    try view.rankColumns(taxa, RankMasks(words, view, argument), &ancestors)
    return 0
  }
}

/// `stol_parents` of stol.h.
@_cdecl("stol_parents")
public func parents(
  _ pack: OpaquePointer?, _ taxa: UnsafePointer<UInt32>?, _ count: Int,
  _ parents: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let count = try Argument(3, "count").count(count)
    let taxa = unsafe try Argument(2, "taxa").span(taxa, count)
    var parents = unsafe try Argument(4, "parents").mutableSpan(parents, count)
    try pack.view.forEach(taxa, Argument(2, "taxa"), &parents) { taxon, view in
      view.tree.parent(of: taxon)?.rawValue ?? none
    }
    return 0
  }
}

/// `stol_subtree_ends` of stol.h.
@_cdecl("stol_subtree_ends")
public func subtreeEnds(
  _ pack: OpaquePointer?, _ taxa: UnsafePointer<UInt32>?, _ count: Int,
  _ ends: UnsafeMutablePointer<UInt32>?, _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let count = try Argument(3, "count").count(count)
    let taxa = unsafe try Argument(2, "taxa").span(taxa, count)
    var ends = unsafe try Argument(4, "ends").mutableSpan(ends, count)
    try pack.view.forEach(taxa, Argument(2, "taxa"), &ends) { taxon, view in
      view.tree.subtree(of: taxon).upperBound.rawValue
    }
    return 0
  }
}
