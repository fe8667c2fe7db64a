/// A tree read from Newick text.
struct NewickTree: Equatable {
  var label: String
  var children: [NewickTree]

  static func == (a: NewickTree, b: NewickTree) -> Bool {
    a.label.utf8.elementsEqual(b.label.utf8) && a.children == b.children
  }

  /// The trees in `text`, one after the other; nil where it is ill-formed.
  ///
  /// Simple enough to be trusted: the grammar of Olsen 1990 as four functions over scalars.
  static func parse(_ text: String) -> [NewickTree]? {
    var rest = Array(text.unicodeScalars)[...]
    var trees: [NewickTree] = []
    while !rest.isEmpty {
      guard let tree = tree(&rest), rest.popFirst() == ";" else { return nil }
      trees.append(tree)
      if rest.first == "\n" { rest.removeFirst() }
    }
    return trees
  }

  private static func tree(_ rest: inout ArraySlice<Unicode.Scalar>) -> NewickTree? {
    var children: [NewickTree] = []
    if rest.first == "(" {
      repeat {
        rest.removeFirst()
        guard let child = tree(&rest) else { return nil }
        children.append(child)
      } while rest.first == ","
      guard rest.popFirst() == ")" else { return nil }
    }
    guard let label = rest.first == "'" ? quoted(&rest) : plain(&rest) else { return nil }
    return NewickTree(label: label, children: children)
  }

  private static func quoted(_ rest: inout ArraySlice<Unicode.Scalar>) -> String? {
    var label = String.UnicodeScalarView()
    rest.removeFirst()
    while let scalar = rest.popFirst() {
      if scalar == "'" {
        guard rest.first == "'" else { return String(label) }
        rest.removeFirst()
      }
      label.append(scalar)
    }
    return nil
  }

  /// In a plain label a blank, a quote and brackets are forbidden, and an underscore is a blank.
  private static func plain(_ rest: inout ArraySlice<Unicode.Scalar>) -> String? {
    var label = String.UnicodeScalarView()
    while let scalar = rest.first, !"(),:;".unicodeScalars.contains(scalar) {
      if " '[]\n\t".unicodeScalars.contains(scalar) { return nil }
      label.append(scalar == "_" ? " " : scalar)
      rest.removeFirst()
    }
    return String(label)
  }
}
