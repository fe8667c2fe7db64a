import STOLPack

/// A drawing that stands for a taxon of which there is no photograph.
enum CladeDrawing: String, CaseIterable, Sendable {
  case mammal, cat, whale, bird, lizard, snake, turtle, frog, fish, shark
  case insect, butterfly, beetle, spider, crab, snail, worm, jellyfish, starfish
  case conifer, flower, grass, tree, fern, moss, sprout, seaweed, mushroom
  case bacteria, archaea, virus
  /// For whatever has none of its own: a small tree of life.
  case life

  /// The drawing of a taxon: that of its nearest ancestor, or of itself, that has one.
  ///
  /// - Complexity: O(depth)
  init(of taxon: TaxonOrdinal, in view: borrowing PackView) {
    var next: TaxonOrdinal? = taxon
    while let step = next {
      if let drawing = Self.byName[view.names.scientificName(of: step)] {
        self = drawing
        return
      }
      next = view.tree.parent(of: step)
    }
    self = .life
  }

  /// What it shows.
  var words: String {
    switch self {
    case .insect, .archaea: "an \(rawValue)"
    case .grass, .moss, .seaweed, .bacteria: rawValue
    case .life: "the tree of life"
    default: "a \(rawValue)"
    }
  }

  /// It as a picture of 120 by 120; `id` tells it from others on a page.
  ///
  /// It keeps its light colours in the dark, as a photograph does.
  func picture(id: String) -> Picture {
    let ground = Paint(className: "ground", fill: Palette.branches[ground - 1])
    return Picture(
      kind: "drawing", id: id, title: "Drawing of \(words)",
      description: "It stands for a photograph that is not there.", width: 120, height: 120,
      margin: 0,
      marks: [.shape(Box(x: 0, y: 0, width: 120, height: 120).shape(ground))]
        + parts.map { .shape($0.html) })
  }

  /// The scientific names of clades, as several sources have them, and what is drawn for them.
  static let byName: [String: CladeDrawing] = {
    let names: [CladeDrawing: [String]] = [
      .mammal: ["Mammalia"],
      .cat: ["Felidae", "Feliformia"],
      .whale: [
        "Cetacea", "Mysticeti", "Odontoceti", "Balaenidae", "Balaenopteridae",
        "Delphinidae", "Eschrichtiidae", "Monodontidae", "Neobalaenidae", "Phocoenidae",
        "Physeteridae", "Kogiidae", "Ziphiidae", "Iniidae", "Platanistidae", "Pontoporiidae",
        "Lipotidae",
      ],
      .bird: ["Aves"],
      .lizard: ["Lepidosauria", "Reptilia", "Squamata", "Crocodylia", "Sauropsida"],
      .snake: [
        "Serpentes", "Colubridae", "Elapidae", "Viperidae", "Pythonidae", "Boidae",
        "Typhlopidae", "Leptotyphlopidae", "Lamprophiidae", "Homalopsidae", "Dipsadidae",
        "Natricidae", "Uropeltidae",
      ],
      .turtle: ["Testudines"],
      .frog: ["Amphibia"],
      .fish: [
        "Actinopteri", "Actinopterygii", "Cladistia", "Dipneusti", "Dipneustomorpha",
        "Coelacanthiformes", "Coelacanthimorpha", "Hyperoartia", "Myxini",
      ],
      .shark: ["Chondrichthyes", "Elasmobranchii"],
      .insect: ["Insecta", "Hexapoda"],
      .butterfly: ["Lepidoptera"],
      .beetle: ["Coleoptera"],
      .spider: ["Arachnida"],
      .crab: ["Malacostraca", "Crustacea"],
      .snail: ["Mollusca", "Gastropoda"],
      .worm: ["Annelida", "Nematoda", "Clitellata", "Platyhelminthes"],
      .jellyfish: ["Cnidaria", "Ctenophora"],
      .starfish: ["Echinodermata"],
      .conifer: ["Pinopsida", "Pinales", "Cupressales", "Coniferopsida"],
      .flower: ["Magnoliopsida", "Angiospermae", "Asparagales", "Liliales"],
      .grass: ["Liliopsida", "Poales"],
      .tree: ["Fagales", "Salicaceae", "Sapindaceae", "Ulmaceae", "Moraceae", "Ginkgoopsida"],
      .fern: ["Polypodiopsida"],
      .moss: ["Bryopsida", "Bryophyta", "Marchantiophyta", "Sphagnopsida"],
      .sprout: ["Viridiplantae", "Plantae", "Streptophyta", "Tracheophyta"],
      .seaweed: ["Rhodophyta", "Phaeophyceae", "Chlorophyta", "Ulvophyceae"],
      .mushroom: ["Fungi", "Basidiomycota", "Ascomycota"],
      .bacteria: ["Bacteria"],
      .archaea: ["Archaea"],
      .virus: ["Viruses"],
    ]
    var byName: [String: CladeDrawing] = [:]
    for (drawing, clades) in names {
      for clade in clades { byName[clade] = drawing }
    }
    return byName
  }()

  /// The colour of what lies behind it.
  private var ground: Int {
    switch self {
    case .mammal, .turtle, .beetle, .grass: 4
    case .cat, .mushroom, .conifer: 2
    case .whale, .fish, .shark, .jellyfish, .seaweed, .starfish, .bird: 3
    case .butterfly, .spider, .bacteria: 5
    case .lizard, .snake, .insect, .tree: 1
    case .frog, .flower, .worm, .crab: 6
    case .fern, .moss, .sprout, .archaea: 7
    case .snail, .virus, .life: 8
    }
  }
}

/// A part of a drawing, in a square of 120 by 120.
struct DrawingPart: Sendable {
  /// The colours that a drawing has.
  enum Tint: String, Sendable {
    case ink, soft, warm, accent, heart, paper, clay, moss

    fileprivate var colour: String {
      switch self {
      case .ink: Palette.ink
      case .soft: Palette.lineStrong
      case .warm: Palette.warm
      case .accent: Palette.accent
      case .heart: Palette.heart
      case .paper: Palette.paper
      case .clay: Palette.branches[0]
      case .moss: Palette.branches[1]
      }
    }
  }

  let html: Html

  /// A shape filled.
  static func fill(_ tint: Tint, _ d: String) -> DrawingPart {
    DrawingPart(html: path(d, Paint(className: "fill-\(tint.rawValue)", fill: tint.colour)))
  }

  /// A line with round ends.
  static func line(_ tint: Tint, _ width: Double, _ d: String) -> DrawingPart {
    let paint = Paint(
      className: "line-\(tint.rawValue)", fill: "none", stroke: tint.colour, strokeWidth: width)
    let ends = [Attribute("stroke-linecap", "round"), Attribute("stroke-linejoin", "round")]
    return DrawingPart(html: path(d, paint, ends))
  }

  /// An ellipse filled.
  static func oval(
    _ tint: Tint, _ x: Double, _ y: Double, _ rx: Double, _ ry: Double
  ) -> DrawingPart {
    fill(
      tint,
      "M\((x - rx).svg) \(y.svg)A\(rx.svg) \(ry.svg) 0 1 1 \((x + rx).svg) \(y.svg)"
        + "A\(rx.svg) \(ry.svg) 0 1 1 \((x - rx).svg) \(y.svg)Z")
  }

  /// A circle filled.
  static func dot(_ tint: Tint, _ x: Double, _ y: Double, _ radius: Double) -> DrawingPart {
    oval(tint, x, y, radius, radius)
  }
}
