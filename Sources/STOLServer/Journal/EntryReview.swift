import STOLJournal

/// What is about to be kept, in a line: "Oak, 2, 12 m, 46 min, 200 to 60 bar".
enum EntryReview {
  /// The line of what a form says; `title` is what its taxon is called.
  static func line(_ values: Fields, _ title: String?) -> String {
    let profile = values["kind"].flatMap { JournalEntry.Profile(rawValue: $0) } ?? .walk
    let moreCount =
      profile == .tree
      ? 0
      : (values["more"] ?? "").split(whereSeparator: \.isNewline)
        .count { $0.contains { $0 != " " } }
    var parts = [
      title ?? values["taxon"], values["count"], moreCount > 0 ? "and \(moreCount) more" : nil,
    ]
    if profile == .dive {
      parts += [
        values["depth"].map { measured($0, "m") }, values["duration"].map { measured($0, "min") },
        values["tank"].map { tank($0) },
      ]
    }
    parts += [values["when"], values["place"], values["at"]]
    if values["at"] != nil, let metres = values["accuracy"].flatMap({ Int($0) }), metres > 0 {
      parts.append(JournalWords.accuracy(metres, .usual))
    }
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// A number alone with the unit that its field names.
  private static func measured(_ text: String, _ unit: String) -> String {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
      ? "\(text) \(unit)" : text
  }

  /// A tank with its pressures first: "200 to 60 bar, 12 l, EAN32"; as it is where it says something else.
  static func tank(_ text: String) -> String {
    let parts = text.split(separator: ",").map { part in
      String(part.filter { $0 != " " })
    }
    let pressures = parts.filter { $0.hasSuffix("bar") && !$0.hasSuffix("mbar") }
    let others = parts.filter { !pressures.contains($0) }
    return
      (pressures.map { part in
        let ends = part.dropLast(3).split(separator: "-").map { end in
          end.hasSuffix("bar") ? end.dropLast(3) : end
        }
        return ends.joined(separator: " to ") + " bar"
      }
      + others.map { part in
        part.hasSuffix("l") && part.first?.isNumber == true ? "\(part.dropLast()) l" : part
      }).joined(separator: ", ")
  }
}
