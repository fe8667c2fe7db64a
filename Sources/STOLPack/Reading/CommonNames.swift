/// The languages of a pack in the order in which a person wants names.
///
/// Made once for a list of taxa. A wish such as "pt-BR" takes Brazilian Portuguese, else Portuguese,
/// else that of any other region, else English: the lookup of RFC 4647, section 3.4, which goes on
/// to close relatives.
public struct LanguagePreference: Sendable {
  /// The language where nothing else is wished or found.
  public static let fallback = "en"

  /// The position of each language row in the order, or nil if it is not wanted.
  private let positions: [UInt16?]
  /// The rows of the language that was asked for, as far as a pack has it; none where none was.
  public let wished: Set<LanguageRow>

  /// The preference that a BCP 47 tag amounts to; nil is English.
  ///
  /// - Complexity: O(number of languages)
  public init(_ tag: String?, in names: borrowing NameView) {
    let tags = names.languages.all.map { $0.lowercased() }
    var positions = [UInt16?](repeating: nil, count: tags.count)
    var next: UInt16 = 0
    var wished: Set<LanguageRow> = []
    let chain = tag.map { Self.chain($0) } ?? []
    for (number, wanted) in (chain + [Self.fallback]).enumerated() {
      for isExact in [true, false] {
        for (row, language) in tags.enumerated() where positions[row] == nil {
          guard isExact ? language == wanted : language.hasPrefix(wanted + "-") else { continue }
          positions[row] = next
          if number < chain.count { wished.insert(LanguageRow(rawValue: row)) }
          next += next == .max ? 0 : 1
        }
      }
    }
    self.positions = positions
    self.wished = wished
  }

  /// The tag and what is left of it when its last parts are dropped: RFC 4647, section 3.4.
  package static func chain(_ tag: String) -> [String] {
    var parts = tag.lowercased().split { $0 == "-" || $0 == "_" }
    var chain: [String] = []
    while !parts.isEmpty {
      chain.append(parts.joined(separator: "-"))
      parts.removeLast()
      // A letter alone announces what follows it.
      if let last = parts.last, last.count == 1 { parts.removeLast() }
    }
    return chain
  }

  /// The position of a language row, or nil if nobody asked for it.
  func position(of language: LanguageRow) -> UInt16? {
    language.rawValue < positions.count ? positions[language.rawValue] : nil
  }
}

/// The names of a taxon in one language.
public struct NamesOfLanguage: Hashable, Sendable {
  /// The BCP 47 tag.
  public let language: String
  /// The names: the preferred one first, then in the order of the source.
  public let names: [TaxonName]
}

/// All names of a taxon but the scientific one.
public struct NameGroups: Hashable, Sendable {
  /// The names that people use, by language: that of the preference first, then by tag.
  public let languages: [NamesOfLanguage]
  /// The scientific synonyms, in the order of the source.
  public let synonyms: [TaxonName]
}

extension PackView {
  /// The name to show for a taxon: of the languages wanted the first in which it has one, and there the
  /// preferred one, else the first.
  ///
  /// - Returns: nil if it has none in these languages.
  /// - Complexity: O(log n + number of its names)
  public func commonName(
    of taxon: TaxonOrdinal, in preference: borrowing LanguagePreference
  ) -> NameOrdinal? {
    guard taxa.hasCommonName(taxon) else { return nil }
    var best: (position: UInt16, isPreferred: Bool, name: NameOrdinal)?
    for name in names.furtherNames(of: taxon) {
      guard names.type(of: name) != .synonym,
        let position = preference.position(of: names.language(of: name))
      else { continue }
      let isPreferred = names.isPreferred(name)
      if let best,
        best.position < position || best.position == position && (best.isPreferred || !isPreferred)
      {
        continue
      }
      best = (position, isPreferred, name)
    }
    return best?.name
  }

  /// All names of a taxon but the scientific one, the languages wanted first.
  ///
  /// - Complexity: O(k log k) for k names
  public func nameGroups(
    of taxon: TaxonOrdinal, in preference: borrowing LanguagePreference
  ) -> NameGroups {
    var groups: [LanguageRow: [TaxonName]] = [:]
    var synonyms: [TaxonName] = []
    for (number, name) in zip(names.furtherNames(of: taxon), furtherNames(of: taxon)) {
      if name.nameType == .synonym {
        synonyms.append(name)
      } else {
        groups[names.language(of: number), default: []].append(name)
      }
    }
    var rows: [(position: UInt16, row: LanguageRow)] = []
    for row in groups.keys { rows.append((preference.position(of: row) ?? .max, row)) }
    rows.sort { $0 < $1 }
    return NameGroups(
      languages: rows.map { entry in
        let group = groups[entry.row] ?? []
        return NamesOfLanguage(
          language: names.languages[entry.row],
          names: group.filter { $0.isPreferred } + group.filter { !$0.isPreferred })
      },
      synonyms: synonyms)
  }
}
