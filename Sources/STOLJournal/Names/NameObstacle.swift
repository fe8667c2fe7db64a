/// What keeps a name that a database has from being an identification.
enum NameObstacle: Equatable {
  /// Somebody doubted it, by a word or by "?".
  case doubt(String)
  /// Another author's use of the name is meant, and so not the taxon that has it.
  case usage(String)
  /// Something stands in it or beside it that is no part of a name.
  case unread(String)
  /// As a whole it cannot be read as the name of one taxon.
  case noName
  /// A word of it is an initial, or a few letters with a point.
  case abbreviated
  /// Letters of other alphabets, or signs, look like those of the name.
  case letters
  /// The sign of a hybrid stands before a name that is none of a hybrid.
  case hybrid
  /// What stands behind it may be who named it, or something else.
  case authors(String)
  /// The database has other authors for it.
  case otherAuthors(String)
  /// The database has another year for it than what stands behind it.
  case otherYear(String, Int)
  /// The genus that a row states is not the one that was found.
  case genus(String)
  /// It is not within the taxon that was asked for.
  case outside

  /// Why it is none, as the end of a sentence.
  var sentence: String {
    switch self {
    case .doubt(let text): "whoever wrote it was not sure: \"\(text)\""
    case .usage(let text): "the use of somebody else is meant: \"\(text)\""
    case .unread(let text): "it is not sure what this in it means: \"\(text)\""
    case .noName: "it cannot be read as the name of one taxon"
    case .abbreviated: "it is abbreviated, and may be short for others, too"
    case .letters: "some of its letters or signs only look like those of the name"
    case .hybrid: "it has the sign of a hybrid, and the name that is known has none"
    case .authors(let text):
      "\"\(text)\" behind the name may be who named it, or something else"
    case .otherAuthors(let text): "the database has other authors for the name than \"\(text)\""
    case .otherYear(let text, let year):
      "the database has another year for the name than \"\(text)\": \(year)"
    case .genus(let text): "the row has another genus: \"\(text)\""
    case .outside: "not within the taxon that was asked for"
    }
  }
}
