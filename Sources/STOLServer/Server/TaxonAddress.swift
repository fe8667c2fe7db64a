import STOLData
import STOLPack

/// A taxon in an address: what its id is an id of, and the id as the source writes it.
///
/// Written `ncbi:9689`, so that a bookmark never leads to what has the same number in another database; where a
/// database does not say what its ids are ids of, `unstated-1a2b3c4d:6` with a mark of that database. The
/// short form is the number alone, as addresses of older pages have it; it redirects.
struct TaxonAddress: Hashable, Sendable {
  /// The id space, or `unstated` with the mark of a database; nil in the short form.
  let idSpace: String?
  /// The id; in the short form, and for a root that no source has, the number that stands for the taxon.
  let id: String

  /// The short form.
  init(short id: TaxonID) { self.init(idSpace: nil, id: "\(id.rawValue)") }

  private init(idSpace: String?, id: String) {
    self.idSpace = idSpace
    self.id = id
  }

  /// The address of a taxon with this id, which a root that no source has lacks.
  init(idSpace: String, sourceID: String?, id: TaxonID) {
    guard let sourceID else {
      self.init(short: id)
      return
    }
    self.init(idSpace: idSpace, id: sourceID)
  }

  /// What stands in the path: letters, digits, hyphens, underscores and tildes as they are, others escaped.
  var text: String {
    guard let idSpace else { return id }
    return idSpace + ":" + Self.escaped(id)
  }

  /// Reads a segment of a path; every address has one form.
  init?(segment: some StringProtocol) {
    if let number = TaxonID(decimal: segment) {
      self.init(short: number)
      return
    }
    guard let colon = segment.firstIndex(of: ":"),
      let id = Self.unescaped(segment[segment.index(after: colon)...]), !id.isEmpty,
      TaxonReference.isIDSpace(String(segment[..<colon]))
    else { return nil }
    self.init(idSpace: String(segment[..<colon]), id: id)
    guard text == segment else { return nil }
  }

  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescaped(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension PackView {
  /// The address of a taxon.
  func address(of taxon: TaxonOrdinal) -> TaxonAddress {
    TaxonAddress(idSpace: addressSpace, sourceID: sourceID(of: taxon), id: ids[taxon])
  }
}
