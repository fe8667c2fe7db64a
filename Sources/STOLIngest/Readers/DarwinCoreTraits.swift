import STOLNames

extension DarwinCoreExtension {
  /// A trait of a taxon.
  struct Trait: Equatable {
    var key: String
    var value: String
    var unit = ""
  }

  /// How long a value may be, in bytes: more is prose.
  static let valueLimit = 80

  /// A column of GBIF's extension SpeciesProfile, and what it says.
  struct Fact {
    enum Meaning {
      /// "true" says that the trait has this value; all else says nothing.
      case flag(key: String, value: String)
      /// Words, between commas.
      case words(key: String)
      /// A quantity.
      case quantity(key: String, unit: String)
    }

    let term: String
    let meaning: Meaning

    static let all = [
      Fact(term: "isMarine", meaning: .flag(key: "habitat", value: "marine")),
      Fact(term: "isFreshwater", meaning: .flag(key: "habitat", value: "freshwater")),
      Fact(term: "isTerrestrial", meaning: .flag(key: "habitat", value: "terrestrial")),
      Fact(term: "isExtinct", meaning: .flag(key: "extinct", value: "true")),
      Fact(term: "isInvasive", meaning: .flag(key: "invasive", value: "true")),
      Fact(term: "isHybrid", meaning: .flag(key: "hybrid", value: "true")),
      Fact(term: "habitat", meaning: .words(key: "habitat")),
      Fact(term: "lifeForm", meaning: .words(key: "life_form")),
      Fact(term: "livingPeriod", meaning: .words(key: "living_period")),
      Fact(term: "massInGrams", meaning: .quantity(key: "body_mass", unit: "g")),
      Fact(term: "massInGram", meaning: .quantity(key: "body_mass", unit: "g")),
      Fact(term: "sizeInMillimeters", meaning: .quantity(key: "body_size", unit: "mm")),
      Fact(term: "sizeInMillimeter", meaning: .quantity(key: "body_size", unit: "mm")),
      Fact(term: "ageInDays", meaning: .quantity(key: "maximum_longevity", unit: "d")),
    ]

    func traits(_ text: String) -> [Trait] {
      guard !text.isEmpty else { return [] }
      switch meaning {
      case .flag(let key, let value):
        return DarwinCoreExtension.isTrue(text) ? [Trait(key: key, value: value)] : []
      case .words(let key):
        return DarwinCoreExtension.words(text).map { Trait(key: key, value: $0) }
      case .quantity(let key, let unit):
        // Zero and words are no masses, sizes or ages.
        guard let number = Double(text), number > 0, number.isFinite else { return [] }
        return [Trait(key: key, value: text, unit: unit)]
      }
    }
  }

  /// The words between commas, semicolons and bars; none if one of them is prose.
  static func words(_ text: String) -> [String] {
    let words = text.split { $0 == "," || $0 == ";" || $0 == "|" }
      .map { trimmingSpaces(String($0)) }.filter { !$0.isEmpty }
    return words.contains { $0.utf8.count > valueLimit } ? [] : words
  }

  /// "Temperature (STI)" as "temperature_sti"; of an address the last part.
  static func key(_ text: String) -> String {
    let last = text.hasPrefix("http") ? text.split { $0 == "/" || $0 == "#" }.last ?? "" : text[...]
    return last.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
  }

  /// Kinds of descriptions whose texts are lists of words.
  private static let listed: Set<String> = [
    "habit", "growth_form", "growth_habit", "growthform", "lifeform", "life_form", "habitat",
    "lifecycle", "life_cycle", "life_history", "life_zone", "diet", "forma_de_vida", "substrato",
  ]

  /// Kinds that are about names, places or specimens, however short they are.
  private static let excluded: Set<String> = [
    "distribution", "type", "types", "type_material", "materials_examined", "etymology",
    "nomenclature", "citation", "reference", "references", "notes", "synonymy", "name", "diagnosis",
    "description", "general", "conservation_status",
  ]

  /// The traits in a description: words of a kind that is a list of them, and other short texts.
  ///
  /// Sentences are no values: what is longer than a few words or ends with a full stop is left out.
  static func traits(of type: String, _ text: String) -> [Trait] {
    let key = key(type)
    guard !key.isEmpty, !text.isEmpty, !excluded.contains(key), text.utf8.count <= valueLimit,
      !text.hasSuffix("."), !text.contains(". ")
    else { return [] }
    let values = listed.contains(key) ? words(text) : [text]
    return values.map { Trait(key: key, value: $0) }
  }
}
