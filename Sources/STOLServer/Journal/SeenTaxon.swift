import STOLAnswers
import STOLData
import STOLJournal
import STOLPack

/// What a page says of a reference to a taxon: what it was called then, and what the active database has.
struct SeenTaxon: Sendable {
  let reference: TaxonReference
  /// The taxon that it leads to; nil where it leads to none, or may be several.
  let card: TaxonCard?
  /// What it leads to, in a word or two.
  let outcome: String
  /// The taxa that it may be.
  let candidates: [TaxonCard]

  /// The fields of an address that limit a list to it.
  var filterText: String { card?.address.text ?? reference.written }

  /// What it is called in the active database, or where that has it not, what it was called.
  var scientificName: String {
    card?.taxon.scientificName ?? (reference.name.isEmpty ? reference.written : reference.name)
  }

  /// The names: the common one first.
  var names: Html {
    Html {
      card?.commonName.map { Layout.common($0.text, language: $0.language) }
      Self.scientific(scientificName)
    }
  }

  /// What there is to know about the reference, where it is not simply the taxon.
  var remark: String? {
    switch outcome {
    case "same": before
    case "merged": [before, "part of this since"].compactMap(\.self).joined(separator: ", ")
    case "by name", "by synonym":
      ["found \(outcome) in this database", before].compactMap(\.self).joined(separator: ", ")
    case "ambiguous": "may be one of several taxa of this database"
    case "deleted": "no longer in this database"
    default: "not in this database"
    }
  }

  /// What it was called, where that is not what it is called in the active database.
  private var before: String? {
    scientificName == reference.name || reference.name.isEmpty
      ? nil : "called \(reference.name) when this was noted"
  }

  static func scientific(_ name: String) -> Html {
    tag("i", .class("scientific"), .lang("la")) { tag("bdi") { name } }
  }
}

extension Pages {
  /// What the active database has for references.
  ///
  /// - Complexity: O(number), and a look-up for each
  func seen(
    _ references: some Sequence<TaxonReference>, _ visit: Visit
  ) -> [TaxonReference: SeenTaxon] {
    let references = Array(Set(references))
    return withView(visit) { view, languages in
      let outcomes = view.resolve(references)
      var seen: [TaxonReference: SeenTaxon] = [:]
      for (reference, outcome) in zip(references, outcomes) {
        seen[reference] = SeenTaxon(
          reference: reference,
          card: outcome.taxon.map { view.card($0, languages, services.favorites) },
          outcome: outcome.word,
          candidates: view.cards(outcome.candidates, languages, services.favorites))
      }
      return seen
    }
  }
}

extension RowWriter {
  /// A reference to a taxon as a member: what it was called when it was noted.
  mutating func reference(_ name: String, _ reference: TaxonReference?) {
    guard let reference else { return null(name) }
    object(name) { json in
      json.text("reference", reference.written)
      json.text("scientificName", reference.name)
      json.text("authorship", reference.authorship.isEmpty ? nil : reference.authorship)
      json.text("rank", reference.rank.isEmpty ? nil : reference.rank)
    }
  }

  /// A position as a member, in degrees.
  mutating func position(_ name: String, _ position: Position?) {
    guard let position else { return null(name) }
    object(name) { json in
      json.number("latitude", exact: position.latitude)
      json.number("longitude", exact: position.longitude)
      json.number("uncertaintyM", position.uncertaintyM)
    }
  }
}
