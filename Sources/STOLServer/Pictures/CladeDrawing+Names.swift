extension CladeDrawing {
  /// Clades, by their scientific names in several sources, of which each member looks like the drawing;
  /// for signs, of which it is the sign.
  static let kinds = table([
    .person: ["Homo"],
    .simian: ["Simiiformes", "Hominidae", "Hylobatidae", "Cercopithecidae", "Platyrrhini"],
    .cat: ["Felis"],
    .bigCat: ["Panthera"],
    .dog: ["Canidae"],
    .bear: ["Ursus", "Ursinae"],
    .bat: ["Chiroptera"],
    .mouse: ["Murinae", "Mus", "Rattus", "Apodemus", "Peromyscus"],
    .elephant: ["Elephantidae"],
    .whale: [
      "Mysticeti", "Balaenidae", "Balaenopteridae", "Eschrichtiidae", "Neobalaenidae",
    ],
    .perchingBird: ["Passeriformes"],
    .owl: ["Strigiformes"],
    .lizard: [
      "Iguania", "Lacertidae", "Iguanidae", "Agamidae", "Dactyloidae", "Phrynosomatidae",
      "Liolaemidae", "Tropiduridae", "Gekkonidae", "Varanidae", "Teiidae",
    ],
    .snake: [
      "Serpentes", "Colubridae", "Elapidae", "Viperidae", "Pythonidae", "Boidae",
      "Typhlopidae", "Leptotyphlopidae", "Lamprophiidae", "Homalopsidae", "Dipsadidae",
      "Natricidae", "Uropeltidae",
    ],
    .turtle: ["Testudines"],
    .crocodile: ["Crocodylia"],
    .frog: ["Anura"],
    .salamander: ["Caudata", "Urodela"],
    .fish: [
      "Cyprinidae", "Salmonidae", "Percidae", "Cichlidae", "Characidae", "Labridae",
      "Lutjanidae", "Sparidae", "Clupeidae", "Pomacentridae",
    ],
    .shark: [
      "Selachii", "Selachimorpha", "Carcharhiniformes", "Lamniformes", "Hexanchiformes",
      "Squaliformes", "Orectolobiformes", "Heterodontiformes",
    ],
    .ray: ["Batoidea", "Myliobatiformes", "Rajiformes", "Torpediniformes"],
    .bee: [
      "Apidae", "Vespidae", "Halictidae", "Andrenidae", "Megachilidae", "Colletidae",
      "Melittidae",
    ],
    .butterfly: ["Lepidoptera"],
    .beetle: ["Coleoptera"],
    .fly: [
      "Muscidae", "Drosophilidae", "Calliphoridae", "Sarcophagidae", "Tachinidae",
      "Tephritidae", "Anthomyiidae",
    ],
    .spider: ["Araneae"],
    .scorpion: ["Scorpiones"],
    .crab: ["Brachyura"],
    .snail: ["Helicidae", "Achatinidae", "Hygromiidae", "Camaenidae", "Bradybaenidae"],
    .shell: ["Bivalvia"],
    .octopus: ["Octopoda"],
    .earthworm: ["Crassiclitellata", "Lumbricidae", "Megascolecidae"],
    .jellyfish: ["Scyphozoa", "Semaeostomeae", "Rhizostomeae"],
    .starfish: ["Asteroidea"],
    .urchin: ["Echinoidea"],
    .conifer: ["Pinopsida", "Pinidae", "Pinales", "Cupressales", "Coniferopsida"],
    .grass: ["Poaceae"],
    .tree: ["Fagaceae", "Quercus", "Fagus", "Acer", "Ulmaceae", "Tilia", "Ginkgoaceae"],
    .fern: ["Polypodiales", "Osmundales"],
    .moss: ["Bryopsida", "Bryophytina", "Hypnales", "Dicranales"],
    .seaweed: ["Fucales", "Laminariales", "Ulvales"],
    .mushroom: ["Amanita"],
    .feather: ["Aves"],
    .flower: ["Magnoliopsida", "Angiospermae", "Magnoliophyta"],
    .sprout: ["Spermatophyta"],
    .bacteria: ["Bacteria"],
    .archaea: ["Archaea"],
    .virus: ["Viruses"],
  ])

  /// Clades that are shown, on their own pages only, as one of many that are in them.
  static let members = table([
    .butterfly: ["Metazoa", "Animalia"],
    .fish: ["Chordata", "Craniata", "Vertebrata", "Actinopterygii", "Actinopteri", "Teleostei"],
    .bear: ["Mammalia", "Theria", "Eutheria", "Carnivora", "Caniformia", "Ursidae"],
    .cat: ["Feliformia", "Felidae", "Felinae"],
    .bigCat: ["Pantherinae"],
    .simian: ["Primates", "Haplorrhini"],
    .mouse: ["Rodentia", "Myomorpha", "Muroidea", "Muridae"],
    .elephant: ["Proboscidea"],
    .whale: ["Cetacea"],
    .perchingBird: ["Aves", "Neognathae"],
    .lizard: ["Reptilia", "Sauropsida", "Lepidosauria", "Squamata"],
    .frog: ["Amphibia"],
    .shark: ["Chondrichthyes", "Elasmobranchii"],
    .bee: ["Arthropoda", "Hexapoda", "Insecta", "Hymenoptera"],
    .fly: ["Diptera", "Brachycera"],
    .spider: ["Arachnida"],
    .crab: ["Crustacea", "Malacostraca", "Decapoda"],
    .snail: ["Mollusca", "Gastropoda", "Stylommatophora"],
    .octopus: ["Cephalopoda"],
    .earthworm: ["Annelida", "Clitellata"],
    .jellyfish: ["Cnidaria"],
    .starfish: ["Echinodermata"],
    .sprout: ["Viridiplantae", "Plantae", "Streptophyta", "Embryophyta", "Tracheophyta"],
    .fern: ["Polypodiopsida"],
    .moss: ["Bryophyta"],
    .grass: ["Poales"],
    .tree: ["Fagales"],
    .seaweed: ["Phaeophyceae"],
    .mushroom: ["Fungi", "Dikarya", "Basidiomycota", "Agaricomycetes", "Agaricales"],
  ])

  /// Clades in those of `kinds` that look otherwise.
  static let others: Set<String> = [
    // Salamanders without hind legs, sharks that are flat or have a saw, rays that are not flat.
    "Sirenidae", "Amphiumidae", "Squatiniformes", "Squatinidae", "Pristiophoriformes",
    "Rhinopristiformes", "Pristiformes", "Pristidae", "Rhinobatidae", "Rhinidae",
    // Beetles with short wing cases, and a flea that is no beetle to look at.
    "Staphylinidae", "Strepsiptera",
    // Bivalves like a worm or a razor; sea urchins like a coin or a heart; stars of many arms.
    "Teredinidae", "Solenidae", "Pharidae", "Irregularia", "Clypeasteroida", "Spatangoida",
    "Solasteridae", "Labidiasteridae", "Heliasteridae", "Bambusoideae", "Gnetopsida", "Gnetidae",
  ]

  private static func table(_ names: [CladeDrawing: [String]]) -> [String: CladeDrawing] {
    var table: [String: CladeDrawing] = [:]
    for (drawing, clades) in names {
      for clade in clades { table[clade] = drawing }
    }
    return table
  }
}
