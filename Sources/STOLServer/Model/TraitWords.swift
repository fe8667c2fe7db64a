import Foundation
import STOLPack

/// Traits in words and numbers that a child can read: a label, a rounded value, a unit.
///
/// What no entry knows is shown as the database writes it. Values are rounded for the eye only: programs and
/// comparisons have them as they are.
enum TraitWords {
  /// The groups in which traits are shown.
  enum Group: String, CaseIterable {
    case size = "Size"
    case life = "Life"
    case place = "Food and place"
    case other = "Other"
  }

  private static let entries: [String: (label: String, group: Group)] = [
    "adult_body_mass": ("Weight of an adult", .size), "body_mass": ("Weight", .size),
    "adult_svl": ("Length from snout to vent", .size), "body_size": ("Size of the body", .size),
    "body_length": ("Length of the body", .size), "beak_depth": ("Depth of the beak", .size),
    "beak_length_culmen": ("Length of the beak", .size),
    "tail_length": ("Length of the tail", .size),
    "tarsus_length": ("Length of the lower leg", .size),
    "wing_length": ("Length of the wing", .size),
    "hand_wing_index": ("Hand-wing index: how pointed the wing is", .size),
    "egg_mass": ("Weight of an egg", .life), "gestation": ("Time in the womb", .life),
    "incubation": ("Time until the eggs hatch", .life),
    "litter_or_clutch_size": ("Young or eggs at a time", .life),
    "litter_size_max": ("Most young at a time", .life),
    "longevity_max": ("Greatest known age", .life),
    "maximum_longevity": ("Greatest known age", .life), "nocturnal": ("Active", .life),
    "diet": ("Food", .place), "diet_category": ("Most of the food", .place),
    "habitat": ("Lives in", .place),
  ]
  private static let values: [String: [String: String]] = [
    "nocturnal": ["1": "by night", "0": "not by night"],
    "diet_category": [
      "FruiNect": "fruit and nectar", "Invertebrate": "invertebrates", "Omnivore": "of every kind",
      "PlantSeed": "plants and seeds", "VertFishScav": "vertebrates, fish and carrion",
    ],
  ]
  private static let units = ["d": "days", "y": "years", "count": ""]

  /// What a key is called; without its unit where the values have that.
  static func label(_ key: String, unit: String? = nil) -> String {
    entries[key]?.label ?? Words.trait(key, unit: unit)
  }

  /// The group of a key.
  static func group(_ key: String) -> Group { entries[key]?.group ?? .other }

  /// A value as it is shown.
  static func value(_ trait: Trait) -> String {
    guard entries[trait.key] != nil else { return Words.value(trait) }
    if let words = values[trait.key]?[trait.value] { return words }
    guard let unit = trait.unit, let number = Double(trait.value), number.isFinite else {
      return Words.value(trait)
    }
    if unit == "g", abs(number) >= 1_000_000 { return "\(rounded(number / 1_000_000)) t" }
    if unit == "g", abs(number) >= 1_000 { return "\(rounded(number / 1_000)) kg" }
    if unit == "d", number == 1 { return "1 day" }
    if unit == "y", number == 1 { return "1 year" }
    let word = units[unit] ?? unit
    return word.isEmpty ? rounded(number) : "\(rounded(number)) \(word)"
  }

  /// A number with three digits that count, or as many as stand before its point.
  static func rounded(_ number: Double) -> String {
    guard number != 0 else { return "0" }
    let digits = max(0, 2 - Int(log10(abs(number)).rounded(.down)))
    guard digits < 15, abs(number) < 1e15 else { return "\(number)" }
    var text = String(format: "%.\(digits)f", number)
    if digits > 0 {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    let parts = text.split(separator: ".", maxSplits: 1)
    guard let whole = parts.first.flatMap({ Int($0) }) else { return text }
    let sign = number < 0 && whole == 0 ? "-" : ""
    return sign + Words.grouped(whole) + (parts.count > 1 ? "." + parts[1] : "")
  }
}
