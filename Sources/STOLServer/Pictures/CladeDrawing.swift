/// A drawing that stands for a taxon of which there is no photograph.
enum CladeDrawing: String, CaseIterable, Sendable {
  case person, simian, cat, bigCat, dog, bear, bat, mouse, elephant, whale
  case perchingBird, owl, lizard, snake, turtle, crocodile, frog, salamander, fish, shark, ray
  case bee, butterfly, beetle, fly, spider, scorpion, crab
  case snail, shell, octopus, earthworm, jellyfish, starfish, urchin
  case conifer, grass, tree, fern, moss, seaweed, mushroom
  /// The signs of whole groups, of which the members look too different.
  case feather, flower, sprout, bacteria, archaea, virus
  /// For whatever has none of its own: a small tree of life.
  case life

  /// What it shows.
  var words: String {
    switch self {
    case .simian: "a monkey or ape"
    case .bigCat: "a big cat"
    case .dog: "a dog, fox or wolf"
    case .mouse: "a mouse or rat"
    case .perchingBird: "a perching bird"
    case .bee: "a bee or wasp"
    case .butterfly: "a butterfly or moth"
    case .shell: "a shell of two halves"
    case .urchin: "a sea urchin"
    case .tree: "a tree or shrub"
    case .elephant, .owl, .octopus, .earthworm: "an \(rawValue)"
    case .grass, .moss, .seaweed, .bacteria, .archaea: rawValue
    case .life: "the tree of life"
    default: "a \(rawValue)"
    }
  }

  /// The group whose sign it is, or nil where it is a drawing of what it shows.
  var group: String? {
    switch self {
    case .feather: "birds"
    case .flower: "flowering plants"
    case .sprout: "seed plants"
    case .bacteria, .archaea: rawValue
    case .virus: "viruses"
    case .life: "all life"
    default: nil
    }
  }

  /// It as a picture of 120 by 120; `id` tells it from others on a page.
  ///
  /// It keeps its light colours in the dark, as a photograph does.
  func picture(id: String, _ description: String) -> Picture {
    let ground = Paint(className: "ground", fill: Palette.branches[ground - 1])
    return Picture(
      kind: "drawing", id: id, title: Words[.drawingTitle, ["drawing": Words.term(words)]],
      description: description, width: 120,
      height: 120, margin: 0,
      marks: [.shape(Box(x: 0, y: 0, width: 120, height: 120).shape(ground))]
        + parts.map { .shape($0.html) })
  }

  /// The colour of what lies behind it.
  private var ground: Int {
    switch self {
    case .bear, .turtle, .beetle, .grass, .simian, .elephant, .scorpion, .mouse: 4
    case .cat, .mushroom, .conifer, .bigCat, .dog, .crocodile, .owl: 2
    case .whale, .fish, .shark, .jellyfish, .seaweed, .starfish, .perchingBird, .ray, .octopus: 3
    case .butterfly, .spider, .bacteria, .bat, .urchin: 5
    case .lizard, .snake, .bee, .tree, .fly: 1
    case .frog, .flower, .earthworm, .crab, .salamander, .feather: 6
    case .fern, .moss, .sprout, .archaea, .person: 7
    case .snail, .shell, .virus, .life: 8
    }
  }
}
