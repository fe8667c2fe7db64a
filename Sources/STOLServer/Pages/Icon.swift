/// A small drawing that stands beside a word and means the same: a line in the word's colour.
enum Icon: String {
  case tree = """
    M12 21V8m0 10c-4 0-6-2-6-6m6 4c4 0 6-2 6-6M8.5 9.5a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0\
    m6-4a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0m6 2a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0
    """
  case search = "M16 16l5 5M18 10.5a7.5 7.5 0 1 1-15 0a7.5 7.5 0 1 1 15 0"
  /// Two lines that meet.
  case compare = "M5 3v4c0 4 7 3 7 7m7-11v4c0 4-7 3-7 7v7"
  /// A list with ticks.
  case match = "M10 6h11M10 12h11M10 18h11M3 6l1.5 1.5L7 5M3 12l1.5 1.5L7 11M3 18l1.5 1.5L7 17"
  case heart = """
    M12 20.5c-6-4.6-9-8-9-11.9c0-2.9 2.1-5 4.8-5c1.8 0 3.3 1 4.2 2.5\
    c.9-1.5 2.4-2.5 4.2-2.5c2.7 0 4.8 2.1 4.8 5c0 3.9-3 7.3-9 11.9z
    """
  /// A book with a mark in it.
  case journal = """
    M6 3h13v18H6a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM4 18.5a2 2 0 0 1 2-2h13\
    M11 3v7l2.5-2L16 10V3
    """
  case settings = """
    M4 8h8m5 0h3M4 16h3m5 0h8M17 8a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0\
    m-5 8a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0
    """

  /// It as a part of a page, which a screen reader passes over.
  var html: Html {
    tag(
      "svg", .class("icon"), Attribute("viewBox", "0 0 24 24"), .hidden, Attribute("width", "24"),
      Attribute("height", "24")
    ) {
      tag("path", Attribute("d", rawValue))
    }
  }
}

extension Section {
  /// What stands beside its name.
  var icon: Icon {
    switch self {
    case .tree: .tree
    case .search: .search
    case .compare: .compare
    case .match: .match
    case .favorites: .heart
    case .journal: .journal
    case .settings: .settings
    }
  }
}
