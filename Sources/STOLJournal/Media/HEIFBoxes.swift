/// What the boxes of a HEIC file (ISO/IEC 23008-12) say about its image, and where what is said beside it lies.
struct HEIFBoxes {
  private(set) var width = 0
  private(set) var height = 0
  /// How the image lies, in the numbers of Exif.
  private(set) var orientation: Int?
  /// Where the Exif structure is; empty where there is none.
  private(set) var exif: [Range<Int>] = []
  /// Where all is that says something beside the image: Exif, XMP, names, words for people, boxes of other programs,
  /// and what no item is.
  private(set) var asides: [Range<Int>] = []

  private let field: ByteField
  private static let boxLimit = 4096
  private static let extentLimit = 4096

  private struct Box {
    let type: String
    let content: ByteField
  }

  /// Reads a file that begins as a HEIC file does.
  init(_ bytes: [UInt8]) throws(PhotoFault) {
    field = ByteField(bytes)
    var meta: ByteField?
    var data: [Range<Int>] = []
    for box in try Self.boxes(in: field) {
      switch box.type {
      case "meta" where meta == nil: meta = box.content
      case "mdat": data.append(box.content.range)
      case "ftyp": break
      default: asides.append(box.content.range)
      }
    }
    guard let meta, let inner = meta.rest(from: 4) else {
      throw .broken(at: 0, "a HEIC file has a box meta")
    }
    let boxes = try Self.boxes(in: inner)
    noteAsides(in: boxes)
    let named = try read(boxes)
    for range in data { asides += Self.gaps(in: range, between: named) }
  }

  /// What of a range is in none of others.
  private static func gaps(in range: Range<Int>, between others: [Range<Int>]) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var start = range.lowerBound
    for other in others.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let other = other.clamped(to: range)
      guard !other.isEmpty else { continue }
      if other.lowerBound > start { gaps.append(start..<other.lowerBound) }
      start = max(start, other.upperBound)
    }
    if start < range.upperBound { gaps.append(start..<range.upperBound) }
    return gaps
  }

  /// The boxes that an image is found and shown by.
  private static let metaTypes: Set = [
    "hdlr", "dinf", "pitm", "iloc", "ipro", "iinf", "iprp", "idat", "iref", "grpl",
  ]
  /// Words for people, times, and what anybody may have written.
  private static let wordyProperties: Set = [
    "udes", "altt", "crtt", "mdft", "uuid", "free", "skip",
  ]

  /// Notes what the boxes of an image say beside it.
  private mutating func noteAsides(in boxes: [Box]) {
    for box in boxes {
      if !Self.metaTypes.contains(box.type) { asides.append(box.content.range) }
      // The name of who handles it is behind what it is.
      if box.type == "hdlr", let name = box.content.rest(from: 24) { asides.append(name.range) }
    }
  }

  private static func boxes(in field: ByteField) throws(PhotoFault) -> [Box] {
    var boxes: [Box] = []
    var offset = 0
    while offset < field.count {
      let start = field.range.lowerBound + offset
      guard var length = field.number(at: offset, bytes: 4),
        let name = field.part(at: offset + 4, count: 4)
      else { throw .truncated(at: start, "a box") }
      var headCount = 8
      if length == 1 {
        guard let long = field.number(at: offset + 8, bytes: 8) else {
          throw .truncated(at: start, "a box")
        }
        (length, headCount) = (long, 16)
      } else if length == 0 {
        length = field.count - offset
      }
      guard length >= headCount, boxes.count < boxLimit else {
        throw .broken(at: start, "no box begins so")
      }
      guard let content = field.part(at: offset + headCount, count: length - headCount) else {
        throw .truncated(at: start, "the box that begins there")
      }
      boxes.append(Box(type: name.text, content: content))
      offset += length
    }
    return boxes
  }

  /// Reads what the boxes say, and returns where the data of all items are.
  private mutating func read(_ boxes: [Box]) throws(PhotoFault) -> [Range<Int>] {
    func content(_ type: String) -> ByteField? { boxes.first { $0.type == type }?.content }
    let primary = content("pitm").flatMap { field in
      field.number(at: 4, bytes: field.number(at: 0, bytes: 1) == 0 ? 2 : 4)
    }
    guard let primary, let properties = content("iprp") else {
      throw .broken(
        at: field.range.lowerBound, "a HEIC file names its image (pitm) and its size (iprp)")
    }
    try readProperties(of: primary, try Self.boxes(in: properties))
    let types = try content("iinf").map { field throws(PhotoFault) in try items(field) } ?? [:]
    guard let places = content("iloc") else { return [] }
    let data = content("idat")
    var named: [Range<Int>] = []
    for (item, ranges) in try extents(places, of: Set(types.keys), data: data) {
      named += ranges
      guard let type = types[item] else { continue }
      asides += ranges
      if type == "Exif", exif.isEmpty { exif = ranges }
    }
    if let data { asides += Self.gaps(in: data.range, between: named) }
    return named
  }

  /// The items that say something beside the image, with their types; the names of all are noted.
  private mutating func items(_ field: ByteField) throws(PhotoFault) -> [Int: String] {
    let head = field.number(at: 0, bytes: 1) == 0 ? 6 : 8
    guard let entries = field.rest(from: head) else { return [:] }
    var types: [Int: String] = [:]
    for box in try Self.boxes(in: entries) where box.type == "infe" {
      let version = box.content.number(at: 0, bytes: 1) ?? 0
      let width = version == 3 ? 4 : 2
      guard version > 1 else {
        // The number of the item, that of its protection, and its name.
        if let name = box.content.rest(from: 8) { asides.append(name.range) }
        continue
      }
      if let name = box.content.rest(from: 10 + width) { asides.append(name.range) }
      guard let item = box.content.number(at: 4, bytes: width),
        let type = box.content.part(at: 6 + width, count: 4)?.text
      else { continue }
      if ["Exif", "mime", "uri "].contains(type) { types[item] = type }
    }
    return types
  }

  /// The size of an item, and how it lies.
  private mutating func readProperties(of item: Int, _ boxes: [Box]) throws(PhotoFault) {
    guard let list = boxes.first(where: { $0.type == "ipco" })?.content,
      let links = boxes.first(where: { $0.type == "ipma" })?.content,
      let version = links.number(at: 0, bytes: 1), let flags = links.number(at: 1, bytes: 3),
      let count = links.number(at: 4, bytes: 4)
    else { throw .broken(at: field.range.lowerBound, "the box iprp says no size") }
    let properties = try Self.boxes(in: list)
    for property in properties where Self.wordyProperties.contains(property.type) {
      asides.append(property.content.range)
    }
    let idWidth = version == 0 ? 2 : 4
    let linkWidth = flags & 1 == 1 ? 2 : 1
    var offset = 8
    for _ in 0..<count {
      guard let id = links.number(at: offset, bytes: idWidth),
        let number = links.number(at: offset + idWidth, bytes: 1)
      else { break }
      offset += idWidth + 1
      if id == item {
        for index in 0..<number {
          guard let link = links.number(at: offset + index * linkWidth, bytes: linkWidth) else {
            break
          }
          // The highest bit says that it matters; they are counted from 1.
          let place = (link & (linkWidth == 2 ? 0x7FFF : 0x7F)) - 1
          if properties.indices.contains(place) { take(properties[place]) }
        }
      }
      offset += number * linkWidth
    }
  }

  private mutating func take(_ property: Box) {
    switch property.type {
    case "ispe":
      width = property.content.number(at: 4, bytes: 4) ?? 0
      height = property.content.number(at: 8, bytes: 4) ?? 0
    case "irot":
      // Quarter turns against the clock.
      let turns = (property.content.number(at: 0, bytes: 1) ?? 0) & 3
      orientation = [1, 8, 3, 6][turns]
    default: break
    }
  }

  /// Where the items lie in the file; those that are asked for must lie in it, or in the box idat.
  private func extents(
    _ box: ByteField, of wanted: Set<Int>, data: ByteField?
  ) throws(PhotoFault) -> [(item: Int, ranges: [Range<Int>])] {
    let fault = PhotoFault.broken(
      at: box.range.lowerBound, "the box iloc does not say where all is")
    guard let version = box.number(at: 0, bytes: 1), let sizes = box.number(at: 4, bytes: 2) else {
      throw fault
    }
    let (offsetWidth, lengthWidth) = (sizes >> 12, sizes >> 8 & 15)
    let (baseWidth, indexWidth) = (sizes >> 4 & 15, version > 0 ? sizes & 15 : 0)
    let idWidth = version < 2 ? 2 : 4
    guard let count = box.number(at: 6, bytes: idWidth) else { throw fault }
    var found: [(item: Int, ranges: [Range<Int>])] = []
    var offset = 6 + idWidth
    var leftCount = Self.extentLimit
    for _ in 0..<count {
      guard let item = box.number(at: offset, bytes: idWidth) else { throw fault }
      offset += idWidth
      let method = version > 0 ? (box.number(at: offset, bytes: 2) ?? 0) & 15 : 0
      offset += (version > 0 ? 2 : 0) + 2
      guard let base = box.number(at: offset, bytes: baseWidth),
        let extentCount = box.number(at: offset + baseWidth, bytes: 2)
      else { throw fault }
      offset += baseWidth + 2
      leftCount -= extentCount
      // Offsets are counted in the file, or in the box idat.
      let source = method == 0 ? field : method == 1 ? data : nil
      guard leftCount >= 0, source != nil || !wanted.contains(item) else { throw fault }
      var ranges: [Range<Int>] = []
      for _ in 0..<extentCount {
        offset += indexWidth
        guard let start = box.number(at: offset, bytes: offsetWidth),
          let length = box.number(at: offset + offsetWidth, bytes: lengthWidth)
        else { throw fault }
        offset += offsetWidth + lengthWidth
        guard let source else { continue }
        let (place, isBeyond) = base.addingReportingOverflow(start)
        guard !isBeyond, let part = source.part(at: place, count: length) else {
          throw .truncated(at: source.range.upperBound, "its image data")
        }
        ranges.append(part.range)
      }
      found.append((item, ranges))
    }
    return found
  }
}
