public import CDoor
import STOLMatch
import STOLPack

// The functions of stol.h that take texts or give them.
// SAFETY: every `unsafe` here passes a pointer of C on to what checks it, or writes through one that
// `Argument.place` has checked.

extension DoorError {
  static let textIDs = DoorError(.textIDs, "ids of this pack are texts")
}

/// `stol_dataset_text` of stol.h.
@_cdecl("stol_dataset_text")
public func datasetText(
  _ pack: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ text: UnsafeMutablePointer<UInt8>?,
  _ room: Int, _ needed: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let key = unsafe try Argument(2, "key").requiredText(key)
    let room = try Argument(4, "room").count(room)
    var span = unsafe try Argument(3, "text").mutableSpan(text, room)
    let place = unsafe try Argument(5, "needed").place(needed)
    unsafe place.pointee = 0
    guard let fact = pack.view.dataset[key] else { return 0 }
    let bytes = Array(fact.utf8) + [0]
    unsafe place.pointee = bytes.count
    try DoorError.check(needed: bytes.count, room: room)
    for index in bytes.indices { span[index] = bytes[index] }
    return 0
  }
}

/// `stol_taxa_of_id_texts` of stol.h.
@_cdecl("stol_taxa_of_id_texts")
public func taxaOfIDTexts(
  _ pack: OpaquePointer?, _ texts: UnsafePointer<stol_texts>?,
  _ taxa: UnsafeMutablePointer<UInt32>?,
  _ statuses: UnsafeMutablePointer<UInt8>?, _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let texts = unsafe try TextColumn(texts, Argument(2, "texts"))
    var taxa = unsafe try Argument(3, "taxa").mutableSpan(taxa, texts.count)
    var statuses = unsafe try Argument(4, "statuses").mutableSpan(
      statuses, texts.count, isOptional: true)
    try pack.view.taxa(ofIDTexts: texts, &taxa, &statuses)
    return 0
  }
}

/// `stol_resolve` of stol.h.
@_cdecl("stol_resolve")
public func resolve(
  _ pack: OpaquePointer?, _ texts: UnsafePointer<stol_texts>?,
  _ options: UnsafePointer<stol_resolve_options>?, _ taxa: UnsafeMutablePointer<UInt32>?,
  _ names: UnsafeMutablePointer<UInt32>?, _ statuses: UnsafeMutablePointer<UInt8>?,
  _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let texts = unsafe try TextColumn(texts, Argument(2, "texts"))
    let view = pack.view
    var filter = SearchFilter()
    if unsafe options != nil {
      let argument = Argument(3, "options")
      let options = unsafe try argument.sized(options)
      guard unsafe options.reserved == 0 else {
        throw argument.wrong("has a reserved field that is set")
      }
      filter = unsafe try view.filter(
        rank: argument.text(options.rank), within: options.within, argument)
    }
    var taxa = unsafe try Argument(4, "taxa").mutableSpan(taxa, texts.count)
    var names = unsafe try Argument(5, "names").mutableSpan(names, texts.count, isOptional: true)
    var statuses = unsafe try Argument(6, "statuses").mutableSpan(
      statuses, texts.count, isOptional: true)
    try view.resolve(texts, filter, &taxa, &names, &statuses)
    return 0
  }
}

/// `stol_texts_of_taxa` of stol.h.
@_cdecl("stol_texts_of_taxa")
public func textsOfTaxa(
  _ pack: OpaquePointer?, _ field: Int32, _ language: UnsafePointer<CChar>?,
  _ taxa: UnsafePointer<UInt32>?, _ count: Int, _ offsets: UnsafeMutablePointer<Int64>?,
  _ bytes: UnsafeMutablePointer<UInt8>?, _ room: Int, _ needed: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    guard let field = TextField(rawValue: field) else { throw .argument(2, "field is \(field)") }
    let language = unsafe try Argument(3, "language").text(language)
    let count = try Argument(5, "count").count(count)
    let room = try Argument(8, "room").count(room)
    let taxa = unsafe try Argument(4, "taxa").span(taxa, count)
    var offsets = unsafe try Argument(6, "offsets").mutableSpan(offsets, count + 1)
    var bytes = unsafe try Argument(7, "bytes").mutableSpan(bytes, room)
    let place = unsafe try Argument(9, "needed").place(needed)
    let needed = try pack.view.texts(field, language, taxa, &offsets, &bytes)
    unsafe place.pointee = needed
    try DoorError.check(needed: needed, room: room)
    return 0
  }
}

/// `stol_texts_of_names` of stol.h.
@_cdecl("stol_texts_of_names")
public func textsOfNames(
  _ pack: OpaquePointer?, _ names: UnsafePointer<UInt32>?, _ count: Int,
  _ offsets: UnsafeMutablePointer<Int64>?, _ bytes: UnsafeMutablePointer<UInt8>?, _ room: Int,
  _ needed: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let count = try Argument(3, "count").count(count)
    let room = try Argument(6, "room").count(room)
    let names = unsafe try Argument(2, "names").span(names, count)
    var offsets = unsafe try Argument(4, "offsets").mutableSpan(offsets, count + 1)
    var bytes = unsafe try Argument(5, "bytes").mutableSpan(bytes, room)
    let place = unsafe try Argument(7, "needed").place(needed)
    let needed = try pack.view.texts(ofNames: names, &offsets, &bytes)
    unsafe place.pointee = needed
    try DoorError.check(needed: needed, room: room)
    return 0
  }
}

/// `stol_match` of stol.h.
@_cdecl("stol_match")
public func match(
  _ pack: OpaquePointer?, _ columns: UnsafePointer<stol_match_columns>?,
  _ options: UnsafePointer<stol_match_options>?, _ matches: UnsafePointer<stol_matches>?,
  _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let table = unsafe try MatchTable(columns, Argument(2, "columns"))
    var chosen = NameMatcher.Options()
    if unsafe options != nil {
      let argument = Argument(3, "options")
      let options = unsafe try argument.sized(options)
      chosen = try NameMatcher.Options(
        leastScore: options.least_score, flags: options.flags, argument)
    }
    var writer = unsafe try MatchWriter(matches, table.count, Argument(4, "matches"))
    guard try pack.view.match(table, chosen, &writer) else {
      throw DoorError(.moreRoom, "the last offsets say how much room reasons and candidates need")
    }
    return 0
  }
}

/// `stol_search` of stol.h.
@_cdecl("stol_search")
public func search(
  _ pack: OpaquePointer?, _ texts: UnsafePointer<stol_texts>?,
  _ options: UnsafePointer<stol_search_options>?, _ offsets: UnsafeMutablePointer<Int64>?,
  _ hits: UnsafePointer<stol_hits>?, _ needed: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<stol_error>?
) -> Int32 {
  unsafe code(error) { () throws(DoorError) in
    let pack = unsafe try OpenPack.of(pack)
    let texts = unsafe try TextColumn(texts, Argument(2, "texts"))
    let view = pack.view
    var query = SearchQuery("", limit: 20)
    if unsafe options != nil {
      let argument = Argument(3, "options")
      let options = unsafe try argument.sized(options)
      guard unsafe options.reserved == 0, unsafe options.reserved_too == 0 else {
        throw argument.wrong("has a reserved field that is set")
      }
      let filter = unsafe try view.filter(
        rank: argument.text(options.rank), within: options.within, argument)
      query = unsafe try SearchQuery(
        mode: options.mode, words: options.words, edits: options.edits, limit: options.limit,
        filter,
        argument)
    }
    var offsets = unsafe try Argument(4, "offsets").mutableSpan(offsets, texts.count + 1)
    var columns = unsafe try HitColumns(hits, Argument(5, "hits"))
    let place = unsafe try Argument(6, "needed").place(needed)
    let needed = try view.search(texts, query, &offsets, &columns)
    unsafe place.pointee = needed
    try DoorError.check(needed: needed, room: columns.room)
    return 0
  }
}
