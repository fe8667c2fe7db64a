import FuzzSupport
import STOLPack

/// A query made of any bytes: four that say how to search, then the text.
struct SearchInput {
  private static let optionByteCount = 4
  /// Comparing long texts with every name takes long.
  private static let comparedByteCount = 24
  /// And any text so long that only one in so many is.
  private static let comparedOnceIn = 16
  /// Whether to compare the query with every name.
  let isCompared: Bool
  let text: [UInt8]
  let mode: SearchQuery.Mode
  let words: SearchQuery.Words
  let maximumDistance: Int?
  let limit: Int
  /// Which filter, and which row of its table.
  let filter: (kind: Int, row: Int)

  init(_ bytes: [UInt8]) {
    let options = bytes.prefix(Self.optionByteCount) + repeatElement(0, count: 4)
    mode = SearchQuery.Mode.allCases[Int(options[0] >> 5) % SearchQuery.Mode.allCases.count]
    words = options[0] & 4 == 0 ? .anyForm : .asTyped
    let distance = Int(options[0] >> 3 & 3)
    maximumDistance = distance < 3 ? distance : nil
    limit = options[1] == 255 ? .max : Int(options[1])
    filter = (Int(options[2]), Int(options[3]))
    text = Array(bytes.dropFirst(Self.optionByteCount))
    let mixed = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
    isCompared = text.count <= Self.comparedByteCount && mixed % Self.comparedOnceIn == 0
  }

  /// The filter, none for most kinds.
  func searchFilter(_ view: borrowing PackView) -> SearchFilter {
    var result = SearchFilter()
    let row = filter.row
    switch filter.kind {
    case 1: result.rank = RankRow(rawValue: row)
    case 2: result.status = StatusRow(rawValue: row)
    case 3: result.conservation = ConservationRow(rawValue: row)
    case 4:
      result.clade = view.tree.subtree(of: TaxonOrdinal(rawValue: UInt32(row % view.taxonCount)))
    case 5: result.languages = Set([row % 16, row / 16].map { LanguageRow(rawValue: $0) })
    case 6: result.traits = [Set([row % 16, row / 16].map { TraitPair(rawValue: $0) })]
    case 7:
      result.rank = RankRow(rawValue: row % 8)
      result.status = StatusRow(rawValue: row / 8 % 2)
      result.languages = Set([7, row / 16].map { LanguageRow(rawValue: $0) })
    default: break
    }
    return result
  }
}
