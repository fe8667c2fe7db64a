import STOLPack

/// What is drawn in place of a photograph of a taxon, and what that has to do with it.
///
/// No drawing rather than a false one: a lion is not drawn as a house cat, nor a human as a bear.
struct Depiction: Equatable, Sendable {
  /// What a drawing has to do with the taxon.
  enum Relation: Equatable, Sendable {
    /// It is drawn as all of its kind are.
    case kind
    /// What is drawn is one of many in it.
    case member
    /// It is in the group of which the drawing is the sign.
    case sign
    /// Nothing: no drawing fits.
    case none
  }

  let drawing: CladeDrawing
  let relation: Relation

  /// The depiction of a taxon: as what all in its nearest known clade look like; a clade itself, as one that is in it.
  ///
  /// - Complexity: O(depth)
  init(of taxon: TaxonOrdinal, in view: borrowing PackView) {
    if let drawing = CladeDrawing.members[view.names.scientificName(of: taxon)] {
      self.init(drawing: drawing, relation: .member)
      return
    }
    var next: TaxonOrdinal? = taxon
    var isOther = false
    while let step = next {
      let name = view.names.scientificName(of: step)
      if CladeDrawing.others.contains(name) { isOther = true }
      if let drawing = CladeDrawing.kinds[name] {
        let isSign = drawing.group != nil
        if isSign || !isOther {
          self.init(drawing: drawing, relation: isSign ? .sign : .kind)
          return
        }
      }
      next = view.tree.parent(of: step)
    }
    self.init(drawing: .life, relation: .none)
  }

  init(drawing: CladeDrawing, relation: Relation) {
    self.drawing = drawing
    self.relation = relation
  }

  /// What the drawing is, in a sentence.
  var sentence: String {
    switch relation {
    case .kind: Words[.drawingOfKind, ["drawing": Words.term(drawing.words)]]
    case .member: Words[.drawingOfMember, ["drawing": Words.term(drawing.words)]]
    case .sign:
      Words[
        .drawingSign,
        [
          "drawing": Words.term(drawing.words).capitalisedFirst,
          "group": drawing.group.map(Words.term) ?? Words[.itsGroup],
        ]]
    case .none: Words[.drawingNone]
    }
  }

  /// It as a picture.
  func picture(id: String) -> Picture { drawing.picture(id: id, sentence) }
}
