import STOLPack

/// The traits of a taxon, grouped for a page, and the plainest of them as sentences.
struct TraitSheet {
  /// A key with its values.
  struct Row {
    let label: String
    let meaning: String?
    let values: [String]
  }

  private let traits: [Trait]
  /// The keys in the order of their first value.
  private let keys: [String]

  init(of traits: [Trait]) {
    self.traits = traits
    var keys: [String] = []
    for trait in traits where !keys.contains(trait.key) { keys.append(trait.key) }
    self.keys = keys
  }

  private func values(of key: String) -> [Trait] { traits.filter { $0.key == key } }

  /// The groups that have a trait.
  var groups: [(title: String, rows: [Row])] {
    TraitWords.Group.allCases.compactMap { group in
      let rows = keys.filter { TraitWords.group($0) == group }.map { key in
        let traits = values(of: key)
        return Row(
          label: TraitWords.label(key, unit: traits.first?.unit),
          meaning: TraitWords.meaning(key), values: traits.map(TraitWords.value))
      }
      return rows.isEmpty ? nil : (Words.term(group.rawValue), rows)
    }
  }

  /// Weight, age, activity, food and place, each only where it is known what the values say.
  var sentences: [String] {
    [
      number(of: ["adult_body_mass", "adult_weight"]).map { Words[.factWeightAdult, ["value": $0]] }
        ?? number(of: ["body_mass"]).map { Words[.factWeight, ["value": $0]] },
      number(of: ["maximum_longevity", "longevity_max"]).map {
        Words[.factAge, ["value": $0]]
      },
      activity,
      words(of: ["diet", "trophic_level"]).map { Words[.factFood, ["value": $0]] },
      words(of: ["habitat"]).map { Words[.factPlace, ["value": $0]] },
    ].compactMap(\.self)
  }

  /// When it is active; where it is only known when not, that.
  private var activity: String? {
    for key in ["nocturnal", "diurnal", "activity", "activity_cycle"] {
      guard let said = words(of: [key]) else { continue }
      if let opposite = TraitWords.opposite(of: values(of: key)) {
        return Words[.factInactive, ["value": opposite]]
      }
      return Words[.factActive, ["value": said]]
    }
    return nil
  }

  /// The one value of the first of some keys that has one, if it is a number with a unit.
  private func number(of keys: [String]) -> String? {
    for key in keys {
      let values = values(of: key)
      guard values.count == 1, values[0].unit != nil,
        let number = Double(values[0].value), number.isFinite, number > 0
      else { continue }
      return TraitWords.value(values[0])
    }
    return nil
  }

  /// The values of the first of some keys that has any, in words, if there are words for all.
  private func words(of keys: [String]) -> String? {
    for key in keys {
      let values = values(of: key)
      let words = values.compactMap(TraitWords.words)
      guard !words.isEmpty, words.count == values.count else { continue }
      return words.formatted
    }
    return nil
  }
}
