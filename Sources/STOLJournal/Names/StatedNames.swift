import STOLNames
import STOLPack

/// What a text is the name of by its own words, whatever a database knows: for who states that it is that of a taxon.
struct StatedNames {
  private let names: Set<String>

  /// The names that a text states: all of it, or all but what is beside them.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - kingdoms: those of the taxon that it is said to be.
  init(_ text: String, in kingdoms: [String] = []) {
    var reader = NameReader()
    var names: Set<String> = [Self.plain(text)]
    let written = WrittenName(text, &reader)
    switch written.obstacle {
    case _ where written.cultivar != nil && !Self.mayBeCultivated(kingdoms): break
    // Whose database knew the authors, or the name without its sign, could tell.
    case nil, .authors?, .letters?, .abbreviated?, .hybrid?:
      names.insert(Self.plain(written.canonicalName))
      for (whole, _) in written.wholes {
        names.insert(Self.plain(WrittenName(whole, &reader).canonicalName))
      }
    default: break
    }
    let alternatives = WrittenName.alternatives(in: text)
    let genera = Set(alternatives.compactMap { $0.split(separator: " ").first.map(String.init) })
    if genera.count == 1, let genus = genera.first { names.insert(Self.plain(genus)) }
    names.remove("")
    self.names = names
  }

  /// Whether a name is one of them.
  func contains(_ name: String) -> Bool { names.contains(Self.plain(name)) }

  /// Whether what is in some kingdoms is a plant, or may be one.
  static func mayBeCultivated(_ kingdoms: [String]) -> Bool {
    !KingdomNames.areApart(kingdoms, ["Plantae"])
  }

  /// A name without what two may write differently: case, marks on letters, markers of ranks, signs of hybrids.
  private static func plain(_ name: String) -> String {
    Folder.fold(name).replacing("×", with: " ").split(separator: " ")
      .filter { $0 != "x" && $0.last != "." }.joined(separator: " ")
  }
}
