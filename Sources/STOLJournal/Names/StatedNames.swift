import STOLNames
import STOLPack

/// What a text is the name of by its own words, whatever a database knows: for who states that it is that of a taxon.
struct StatedNames {
  private let names: Set<String>

  /// The names that a text states: all of it, or all but what is beside them.
  init(_ text: String) {
    var reader = NameReader()
    var texts = [text]
    if let (name, remark) = WrittenName.withoutRemark(text), WrittenName.isOfForm(remark) {
      texts.append(name)
    }
    var names: Set<String> = [Self.plain(text)]
    for text in texts {
      let written = WrittenName(text, &reader)
      switch written.obstacle {
      // Whose database knew the authors, or the name without its sign, could tell.
      case nil, .authors?, .letters?, .hybrid?: names.insert(Self.plain(written.canonicalName))
      default: continue
      }
      for (whole, _) in written.wholes {
        names.insert(Self.plain(WrittenName(whole, &reader).canonicalName))
      }
    }
    let alternatives = WrittenName.alternatives(in: text)
    let genera = Set(alternatives.compactMap { $0.split(separator: " ").first.map(String.init) })
    if genera.count == 1, let genus = genera.first { names.insert(Self.plain(genus)) }
    names.remove("")
    self.names = names
  }

  /// Whether a name is one of them.
  func contains(_ name: String) -> Bool { names.contains(Self.plain(name)) }

  /// A name without what two may write differently: case, marks on letters, markers of ranks, signs of hybrids.
  private static func plain(_ name: String) -> String {
    Folder.fold(name).replacing("×", with: " ").split(separator: " ")
      .filter { $0 != "x" && $0.last != "." }.joined(separator: " ")
  }
}
