import Foundation
import STOLPack

/// Traits in words and numbers that a child can read: a label, what that means, a rounded value, a unit.
///
/// What no entry knows is shown as the database writes it. Values are rounded for the eye only: programs and
/// comparisons have them as they are.
enum TraitWords {
  /// The groups in which traits are shown.
  enum Group: String, CaseIterable {
    case size = "Size"
    case life = "Life"
    case body = "Body and senses"
    case place = "Food and place"
    case other = "Other"
  }

  /// What a key is called, where it stands, and what it means where its label does not say so.
  struct Entry {
    let label: String
    let group: Group
    let meaning: String?

    init(_ label: String, _ group: Group, _ meaning: String? = nil) {
      (self.label, self.group, self.meaning) = (label, group, meaning)
    }
  }

  /// Keys of AnAge, AVONET, EltonTraits, PanTHERIA, the database of amniotes, and what others write for the same.
  private static let entries: [String: Entry] = [
    "adult_body_mass": Entry("Weight of an adult", .size), "body_mass": Entry("Weight", .size),
    "adult_weight": Entry("Weight of an adult", .size),
    "adult_svl": Entry(
      "Length from snout to vent", .size, "of an adult, without the tail"),
    "body_size": Entry("Size of the body", .size),
    "body_length": Entry("Length of the body", .size),
    "head_body_length": Entry("Length of head and body", .size, "without the tail"),
    "shoulder_height": Entry("Height at the shoulder", .size),
    "height": Entry("Height", .size), "wingspan": Entry("Wingspan", .size, "from tip to tip"),
    "beak_depth": Entry("Depth of the beak", .size, "from top to bottom, at the nostrils"),
    "beak_width": Entry("Width of the beak", .size, "at the nostrils"),
    "beak_length_culmen": Entry(
      "Length of the beak", .size, "along its upper edge, from the skull to the tip"),
    "beak_length_nares": Entry(
      "Length of the beak from the nostrils", .size, "from the nostrils to the tip"),
    "tail_length": Entry("Length of the tail", .size),
    "tarsus_length": Entry("Length of the lower leg", .size, "the tarsus"),
    "wing_length": Entry(
      "Length of the wing", .size, "folded, from the bend to the longest feather"),
    "hand_wing_index": Entry(
      "Hand-wing index", .size, "how pointed the wing is: higher for those that fly far"),
    "birth_weight": Entry("Weight at birth", .life), "egg_mass": Entry("Weight of an egg", .life),
    "gestation": Entry("Time in the womb", .life),
    "incubation": Entry("Time until the eggs hatch", .life),
    "weaning": Entry("Time until it is weaned", .life),
    "litter_or_clutch_size": Entry(
      "Young or eggs at a time", .life, "on average, so it need not be whole"),
    "litter_size": Entry("Young at a time", .life), "clutch_size": Entry("Eggs at a time", .life),
    "litter_size_max": Entry("Most young at a time", .life),
    "litters_or_clutches_per_year": Entry("Times it has young in a year", .life),
    "female_maturity": Entry("Age at which females can have young", .life),
    "male_maturity": Entry("Age at which males can have young", .life),
    "longevity": Entry("Age", .life), "longevity_max": Entry("Greatest known age", .life),
    "maximum_longevity": Entry("Greatest known age", .life),
    "nocturnal": Entry("Active", .body), "diurnal": Entry("Active", .body),
    "activity": Entry("Active", .body), "activity_cycle": Entry("Active", .body),
    "body_temperature": Entry("Temperature of the body", .body),
    "metabolic_rate": Entry("Energy that it uses at rest", .body),
    "diet": Entry("Food", .place), "diet_category": Entry("Most of the food", .place),
    "trophic_level": Entry("Food", .place), "habitat": Entry("Lives", .place),
    "migration": Entry("Moves with the seasons", .place),
    "range_size": Entry("Size of the area where it lives", .place),
  ]
  private static let values: [String: [String: String]] = [
    "nocturnal": ["1": "by night", "0": "not by night"],
    "diurnal": ["1": "by day", "0": "not by day"],
    "activity": activities, "activity_cycle": activities,
    "diet_category": [
      "FruiNect": "fruit and nectar", "Invertebrate": "invertebrates", "Omnivore": "of every kind",
      "PlantSeed": "plants and seeds", "VertFishScav": "vertebrates, fish and carrion",
    ],
    "diet": foods, "trophic_level": foods,
    "habitat": [
      "freshwater": "in fresh water", "marine": "in the sea", "wetland": "in wetlands",
      "forest": "in forests", "mountain": "in the mountains", "coast": "on coasts",
      "grassland": "in grassland", "desert": "in deserts", "polar": "in polar regions",
      "savanna": "in savannas", "urban": "in towns", "cave": "in caves", "soil": "in the soil",
    ],
  ]
  private static let activities = [
    "diurnal": "by day", "nocturnal": "by night", "crepuscular": "at dusk and dawn",
    "cathemeral": "by day and by night",
  ]
  private static let foods = [
    "carnivore": "other animals", "herbivore": "plants", "omnivore": "plants and animals",
    "insectivore": "insects", "piscivore": "fish", "frugivore": "fruit", "nectarivore": "nectar",
    "granivore": "seeds", "parasite": "what it takes from others in or on which it lives",
    "saprotroph": "what has died", "detritivore": "what has died and fallen apart",
  ]
  private static let units: [String: Message] = [
    "d": .days, "days": .days, "y": .years, "yr": .years, "years": .years, "W": .watts,
  ]
  private static let signs = ["count": "", "C": "°C", "degC": "°C", "km2": "km²"]

  /// All that these tables say, in English.
  static var terms: [String] {
    Group.allCases.map(\.rawValue) + values.values.flatMap(\.values)
      + entries.values.flatMap { [$0.label] + [$0.meaning].compactMap(\.self) }
  }

  /// What a key is called; without its unit where the values have that.
  static func label(_ key: String, unit: String? = nil) -> String {
    entries[key].map { Words.term($0.label) } ?? Words.trait(key, unit: unit)
  }

  /// What a key means where its label does not say so, or nil.
  static func meaning(_ key: String) -> String? {
    entries[key]?.meaning.map(Words.term)
  }

  /// The group of a key.
  static func group(_ key: String) -> Group { entries[key]?.group ?? .other }

  /// The words for a value that is one, or nil.
  static func words(_ trait: Trait) -> String? {
    values[trait.key]?[trait.value].map(Words.term)
  }

  /// A value as it is shown.
  static func value(_ trait: Trait) -> String {
    guard entries[trait.key] != nil else { return Words.value(trait) }
    if let words = words(trait) { return words }
    guard let unit = trait.unit, let number = Double(trait.value), number.isFinite else {
      return Words.value(trait)
    }
    if unit == "g", abs(number) >= 1_000_000 { return "\(rounded(number / 1_000_000)) t" }
    if unit == "g", abs(number) >= 1_000 { return "\(rounded(number / 1_000)) kg" }
    if unit == "g", number != 0, abs(number) < 0.1 { return "\(rounded(number * 1_000)) mg" }
    if unit == "mm", abs(number) >= 1_000 { return "\(rounded(number / 1_000)) m" }
    if unit == "cm", abs(number) >= 100 { return "\(rounded(number / 100)) m" }
    // A month is 30.44 days; nobody counts years by the thousandth.
    if units[unit] == .years, number > 0, number < 1 {
      return counted(.months, digits(of: number * 12, 2))
    }
    let text = digits(of: number)
    if let word = units[unit] { return counted(word, text) }
    let sign = signs[unit] ?? unit
    return sign.isEmpty ? grouped(text) : "\(grouped(text)) \(sign)"
  }

  private static func counted(_ word: Message, _ digits: String) -> String {
    Words[word, amount: Double(digits) ?? 0, as: grouped(digits)]
  }

  /// When it is not active, where that is all that values say.
  static func opposite(of values: [Trait]) -> String? {
    guard values.count == 1, values[0].value == "0" else { return nil }
    switch values[0].key {
    case "nocturnal": return Words.term("by night")
    case "diurnal": return Words.term("by day")
    default: return nil
    }
  }

  /// A number with three digits that count, or as many as stand before its point.
  static func rounded(_ number: Double) -> String { grouped(digits(of: number)) }

  private static func digits(of number: Double, _ count: Int = 3) -> String {
    guard number != 0 else { return "0" }
    let digits = max(0, count - 1 - Int(log10(abs(number)).rounded(.down)))
    guard digits < 15, abs(number) < 1e15 else { return "\(number)" }
    var text = String(format: "%.\(digits)f", number)
    if digits > 0 {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return text
  }

  /// Digits as the language writes them.
  private static func grouped(_ digits: String) -> String {
    let parts = digits.split(separator: ".", maxSplits: 1)
    guard let whole = parts.first.flatMap({ Int($0) }), !digits.contains("e") else {
      return digits
    }
    let sign = digits.hasPrefix("-") && whole == 0 ? "-" : ""
    let fraction = parts.count > 1 ? "\(Words.language.decimalSeparator)\(parts[1])" : ""
    return sign + Words.grouped(whole) + fraction
  }
}
