import Testing

@testable import STOLPack
@testable import STOLServer

@Suite struct TraitWordsTests {
  @Test(arguments: [
    (403.32, "403"), (13.15, "13.2"), (5.0, "5"), (0.0833333, "0.0833"), (1234.5, "1,234"),
    (99949.4, "99,949"), (0.1, "0.1"), (0, "0"), (-0.25, "-0.25"), (-1500, "-1,500"),
    (1e-20, "1e-20"), (1e300, "1e+300"), (9.999, "10"), (20.7, "20.7"),
  ])
  func threeDigitsCount(number: Double, text: String) {
    #expect(TraitWords.rounded(number) == text)
  }

  /// However it is rounded, it is no further away than half a unit of its third digit.
  @Test func roundingIsNeverFar() throws {
    for step in 0..<2_000 {
      let number = Double(step + 1) * 0.037 * Double(1 + step % 97)
      let text = TraitWords.rounded(number).filter { $0 != "," }
      let shown = try #require(Double(text))
      #expect(abs(shown - number) <= max(0.5, number * 0.005) && abs(shown / number - 1) <= 0.006)
    }
  }

  @Test func whatIsNotKnownIsShownAsItIs() {
    #expect(TraitWords.label("petal_length_mm", unit: "mm") == "Petal length")
    #expect(TraitWords.label("nocturnal") == "Active")
    #expect(TraitWords.group("petal_length_mm") == .other)
  }

  @Test(arguments: [
    ("body_mass", "161000", "g", "161 kg"), ("body_mass", "0.0123", "g", "12.3 mg"),
    ("body_mass", "5400000", "g", "5.4 t"), ("adult_svl", "990", "cm", "9.9 m"),
    ("maximum_longevity", "0.0833333", "y", "1 month"), ("longevity_max", "0.5", "y", "6 months"),
    ("longevity_max", "1", "y", "1 year"), ("gestation", "108.25", "d", "108 days"),
    ("incubation", "1", "d", "1 day"), ("litter_or_clutch_size", "1.04", "count", "1.04"),
    ("nocturnal", "1", "", "by night"), ("activity_cycle", "diurnal", "", "by day"),
    ("habitat", "coast", "", "on coasts"), ("habitat", "some_where", "", "some where"),
    ("wing_length", "74.26", "mm", "74.3 mm"),
  ])
  func aValueIsPlain(key: String, value: String, unit: String, text: String) {
    let trait = Trait(key: key, value: value, unit: unit.isEmpty ? nil : unit)
    #expect(TraitWords.value(trait) == text)
  }

  /// A sentence is said only where it is known what all values say, and a number only where there is one.
  @Test func sentencesAreOfWhatIsKnown() {
    func sentences(_ traits: (String, String, String?)...) -> [String] {
      TraitSheet(of: traits.map { Trait(key: $0.0, value: $0.1, unit: $0.2) }).sentences
    }
    #expect(sentences(("adult_body_mass", "161000", "g")) == ["An adult weighs 161 kg."])
    #expect(sentences(("body_mass", "12", "g"), ("body_mass", "14", "g")) == [])
    #expect(sentences(("body_mass", "NaN", "g"), ("body_mass", "12", nil)) == [])
    #expect(sentences(("maximum_longevity", "27", "y")) == ["The greatest known age is 27 years."])
    #expect(sentences(("nocturnal", "0", nil)) == ["It is not active by night."])
    #expect(sentences(("activity", "diurnal", nil)) == ["It is active by day."])
    #expect(
      sentences(("habitat", "forest", nil), ("habitat", "coast", nil))
        == ["It lives in forests and on coasts."])
    #expect(sentences(("habitat", "forest", nil), ("habitat", "under stones", nil)) == [])
    #expect(sentences(("diet", "herbivore", nil)) == ["Its food is plants."])
  }

  /// Every trait is in one group, once, and every group that is shown has one.
  @Test func groupsHaveEveryTraitOnce() {
    let keys = ["wing_length", "diet", "petal_length_mm", "gestation", "diet", "body_temperature"]
    let groups = TraitSheet(of: keys.map { Trait(key: $0, value: "1", unit: nil) }).groups
    #expect(groups.map(\.title) == ["Size", "Life", "Body and senses", "Food and place", "Other"])
    #expect(groups.flatMap(\.rows).map(\.values.count).reduce(0, +) == keys.count)
    #expect(groups.flatMap(\.rows).count == Set(keys).count)
  }
}
