import Foundation
import STOLPack

/// What codes and numbers mean, in words that a child knows.
enum Words {
  /// What a code of the Red List stands for, and what that means: IUCN's own definitions in short.
  ///
  /// IUCN Red List Categories and Criteria, version 3.1, second edition; the codes behind a stroke are
  /// those of version 2.3, RE and NA those of regional lists.
  static func conservation(_ code: String) -> (title: String, sentence: String) {
    switch code.uppercased() {
    case "EX": ("Extinct", "There is no reasonable doubt that the last one has died.")
    case "EW":
      (
        "Extinct in the wild",
        "It is known to survive only in human care, or settled well outside its past range."
      )
    case "RE": ("Regionally extinct", "The last one of this region has died or left it.")
    case "CR":
      ("Critically endangered", "It faces an extremely high risk of extinction in the wild.")
    case "EN": ("Endangered", "It faces a very high risk of extinction in the wild.")
    case "VU": ("Vulnerable", "It faces a high risk of extinction in the wild.")
    case "NT":
      ("Near threatened", "It is not threatened now, but close to it or likely to be soon.")
    case "LC":
      (
        "Least concern",
        "It was assessed, and is neither threatened nor near to it. Many such are widespread and abundant."
      )
    case "DD": ("Data deficient", "Too little is known to assess its risk of extinction.")
    case "NE": ("Not evaluated", "It has not yet been assessed against the criteria.")
    case "NA": ("Not applicable", "It was not assessed for this region.")
    case "LR/CD":
      ("Conservation dependent", "It would be threatened within five years if its care ended.")
    case "LR/NT": ("Near threatened", "It is close to being vulnerable.")
    case "LR/LC": ("Least concern", "It was assessed, and is neither threatened nor near to it.")
    default: (code, "Its status in the Red List is \(code).")
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

  /// "a class", "an order".
  static func withArticle(_ word: String) -> String {
    (word.first.map { "aeiou".contains($0) } == true ? "an " : "a ") + word
  }

  /// "one species", "1,234 species".
  static func count(_ count: Int, _ one: String, _ many: String) -> String {
    count == 1 ? "one \(one)" : "\(grouped(count)) \(many)"
  }

  /// Digits in groups of three.
  static func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (number < 0 ? "-" : "") + text
  }

  /// Bytes in the unit that leaves few digits.
  static func bytes(_ count: Int64) -> String {
    if count < 1000 { return Words.count(Int(count), "byte", "bytes") }
    var (value, unit) = (Double(count) / 1000, "kB")
    for larger in ["MB", "GB"] where value >= 1000 { (value, unit) = (value / 1000, larger) }
    return "\(value < 10 ? String(format: "%.1f", value) : String(format: "%.0f", value)) \(unit)"
  }

  /// Whether a rank says what a taxon is: "no rank" and "unranked" say nothing.
  static func says(_ rank: TaxonRank) -> Bool {
    !["", "no rank", "unranked"].contains(rank.rawValue)
  }

  /// What a synonym of this status is, before it.
  static func synonym(_ status: NameStatus?) -> String {
    switch status {
    case .misapplied: "by mistake called"
    case .misspelling: "misspelt"
    case .inPart, .ambiguous: "in part called"
    default: "also called"
    }
  }

  /// How many are related as closely, as in "one of 4 as close"; nil for one alone.
  static func tie(_ count: Int) -> String? { count > 1 ? "one of \(grouped(count)) as close" : nil }

  /// The name of a language, as in "German" for "de"; the tag itself where it has none.
  static func language(_ tag: String) -> String {
    if tag.isEmpty || tag == "und" { return "Language not stated" }
    return Locale(identifier: "en").localizedString(forIdentifier: tag) ?? tag
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
