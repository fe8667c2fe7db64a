import Foundation
import STOLPack

/// What codes and numbers mean, in words that a child knows.
enum Words {
  /// What a code of the Red List stands for, and what that means: IUCN's own definitions in short.
  ///
  /// IUCN Red List Categories and Criteria, version 3.1, second edition; the codes behind a stroke are
  /// those of version 2.3, RE and NA those of regional lists.
  static func conservation(_ code: String) -> (title: String, sentence: String) {
    guard let (title, sentence) = category(code.uppercased()) else {
      return (code, Words[.otherStatusMeaning, ["code": code]])
    }
    return (Words[title], Words[sentence])
  }

  /// What a code stands for, alone; the code itself where it is not known.
  static func conservationTitle(_ code: String) -> String {
    category(code.uppercased()).map { Words[$0.title] } ?? code
  }

  private static func category(_ code: String) -> (title: Message, sentence: Message)? {
    switch code {
    case "EX": (.extinct, .extinctMeaning)
    case "EW": (.extinctWild, .extinctWildMeaning)
    case "RE": (.extinctRegion, .extinctRegionMeaning)
    case "CR": (.critical, .criticalMeaning)
    case "EN": (.endangered, .endangeredMeaning)
    case "VU": (.vulnerable, .vulnerableMeaning)
    case "NT": (.nearThreatened, .nearThreatenedMeaning)
    case "LC": (.leastConcern, .leastConcernMeaning)
    case "DD": (.dataDeficient, .dataDeficientMeaning)
    case "NE": (.notEvaluated, .notEvaluatedMeaning)
    case "NA": (.notApplicable, .notApplicableMeaning)
    case "LR/CD": (.dependent, .dependentMeaning)
    case "LR/NT": (.nearThreatened, .nearThreatenedOld)
    case "LR/LC": (.leastConcern, .leastConcernOld)
    default: nil
    }
  }

  /// How much danger a code means, as the class of its badge.
  static func danger(_ code: String) -> String {
    switch code.uppercased() {
    case "EX", "EW", "RE": "gone"
    case "CR", "EN", "VU": "threatened"
    case "NT", "LR/NT", "LR/CD": "near"
    case "LC", "LR/LC": "safe"
    default: "unknown"
    }
  }

  /// "a class", "an order"; other languages say it without an article.
  static func withArticle(_ rank: String) -> String {
    guard language == .en else { return self.rank(rank) }
    return (rank.first.map { "aeiou".contains($0) } == true ? "an " : "a ") + rank
  }

  /// "one dive", "1,234 dives", in English.
  static func count(_ count: Int, _ one: String, _ many: String) -> String {
    count == 1 ? "one \(one)" : "\(grouped(count)) \(many)"
  }

  /// Digits in groups of three.
  static func grouped(_ number: some BinaryInteger) -> String { language.grouped(number) }

  /// Bytes in the unit that leaves few digits.
  static func bytes(_ count: Int64) -> String {
    if count < 1000 { return Words[.bytes, count: Int(count)] }
    var (value, unit) = (Double(count) / 1000, Message.kilobytes)
    for larger in [Message.megabytes, .gigabytes] where value >= 1000 {
      (value, unit) = (value / 1000, larger)
    }
    let digits = value < 10 ? String(format: "%.1f", value) : String(format: "%.0f", value)
    return Words[unit, ["number": decimal(digits)]]
  }

  /// A number in digits as the language writes it: with its sign before a fraction.
  static func decimal(_ digits: String) -> String {
    let separator = language.decimalSeparator
    return separator == "." ? digits : String(digits.map { $0 == "." ? separator : $0 })
  }

  /// Whether a rank says what a taxon is: "no rank" and "unranked" say nothing.
  static func says(_ rank: TaxonRank) -> Bool {
    !["", "no rank", "unranked"].contains(rank.rawValue)
  }

  /// What a synonym of this status is, before it.
  static func synonym(_ status: NameStatus?) -> String {
    switch status {
    case .misapplied: Words[.calledByMistake]
    case .misspelling: Words[.calledMisspelt]
    case .inPart, .ambiguous: Words[.calledInPart]
    default: Words[.calledAlso]
    }
  }

  /// How many are related as closely, as in "one of 4 as close"; nil for one alone.
  static func tie(_ count: Int) -> String? {
    count > 1 ? Words[.kinTie, ["count": grouped(count)]] : nil
  }

  /// The name of a language, as in "German" for "de"; the tag itself where it has none.
  static func language(_ tag: String) -> String {
    if tag.isEmpty || tag == "und" { return Words[.noLanguage] }
    return Locale(identifier: language.tag).localizedString(forIdentifier: tag)?
      .capitalisedFirst ?? tag
  }

  /// A key of a trait as a person reads it: "body_length_mm" is "Body length" where values have mm.
  static func trait(_ key: String, unit: String? = nil) -> String {
    var key = key[...]
    if let unit, key.hasSuffix("_" + unit) { key = key.dropLast(unit.count + 1) }
    return key.replacingOccurrences(of: "_", with: " ").capitalisedFirst
  }

  /// A value of a trait with its unit.
  static func value(_ trait: Trait) -> String {
    let value = trait.value.replacingOccurrences(of: "_", with: " ")
    return trait.unit.map { "\(value) \($0)" } ?? value
  }
}
