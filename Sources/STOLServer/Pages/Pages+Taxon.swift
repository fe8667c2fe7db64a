import STOLSystem
import STOLAnswers
import STOLCompare
import STOLData
import STOLMedia
import STOLPack

extension Pages {
  /// As many relatives are on the page of a taxon.
  static let relativeCount = 10
  /// As many of what is below.
  private static let shownChildCount = 12

  /// All that is known of a taxon.
  func taxon(_ visit: Visit, _ id: TaxonID) async throws -> Reply {
    let found = try await describe(id, visit)
    if visit.address.form == .json {
      return .json { found.write(to: &$0) }
    }
    return TaxonPage(found: found, layout: layout(visit)).reply
  }

  /// The closest relatives of a taxon alone.
  func relatives(_ visit: Visit, _ id: TaxonID) async throws -> Reply {
    let limit = visit.query.number("limit", in: LocalCompareService.relativeCounts)
    let relatives = try relatives(of: id, limit ?? Self.relativeCount, visit)
    return .json { TaxonDescription.write(relatives, to: &$0) }
  }

  private func relatives(
    of id: TaxonID, _ limit: Int, _ visit: Visit
  ) throws -> [TaxonDescription.Relative] {
    try withView(visit) { view, languages in
      let taxon = try view.ordinal(of: id)
      var counted: (ancestor: TaxonOrdinal, kinCount: Int)?
      return view.relatives(of: taxon, limit: limit).map { relative in
        if counted?.ancestor != relative.commonAncestor {
          let count = view.kinCount(of: taxon, by: relative.commonAncestor)
          counted = (relative.commonAncestor, count)
        }
        return TaxonDescription.Relative(
          card: view.card(relative.taxon, languages, services.favorites),
          ancestor: view.card(relative.commonAncestor, languages, services.favorites),
          distance: relative.distance, tieCount: relative.tieCount,
          kinCount: counted?.kinCount ?? 1)
      }
    }
  }

  private func describe(_ id: TaxonID, _ visit: Visit) async throws -> TaxonDescription {
    var relatives = try relatives(of: id, Self.relativeCount, visit)
    let pictures = pictured(relatives.map(\.card), visit)
    for place in relatives.indices { relatives[place].card = pictures[place] }
    // A pack without its database, or with a broken one, still has everything else.
    var references: [TaxonCitation]?
    var referencesFailure: String?
    do {
      references = try await snapshot.references(for: id)
    } catch TaxonomyError.noDatabase {
    } catch let error as any StolError {
      referencesFailure = "the references cannot be read: \(error.description)"
    }
    let image = await services.media.image(for: id, in: snapshot.pack)
    return try withView(visit) { [relatives] view, languages in
      let taxon = try view.ordinal(of: id)
      let sources = sources
      let order = visit.query["sort"].flatMap(ChildOrder.init) ?? .prominence
      let below = view.children(of: taxon, by: order, sources.counts)
      let shown = below.prefix(Self.shownChildCount)
      let asked = visit.route.taxon
      let (pictures, pictureCount) = galleryExcerpt(of: taxon, view, languages)
      let parent = view.tree.parent(of: taxon)
      return TaxonDescription(
        mergedFrom: asked == view.address(of: taxon) ? nil : asked?.text,
        card: view.card(taxon, languages, services.favorites),
        ancestors: view.cards(view.tree.ancestors(of: taxon), languages, services.favorites),
        children: view.pictured(view.cards(shown, languages, services.favorites), sources),
        childCount: below.count, order: order,
        isSmall: view.tree.subtree(of: taxon).count <= Self.greatestSubtreeCount,
        facts: sources.counts.facts(of: taxon, in: view),
        surroundings: parent.map { sources.counts.facts(of: $0, in: view) },
        names: view.nameGroups(of: taxon, in: languages), traits: view.traitList(of: taxon),
        relatives: relatives, references: references, sources: view.sources,
        referencesFailure: referencesFailure, image: image, pictures: pictures,
        pictureCount: pictureCount,
        depiction: Depiction(of: taxon, in: view))
    }
  }
}

/// What the page of a taxon shows.
struct TaxonDescription: Sendable {
  /// What was asked for, where its source has merged that into this taxon.
  let mergedFrom: String?
  let card: TaxonCard
  let ancestors: [TaxonCard]
  /// The first of what is directly below, in the order asked for.
  let children: [TaxonCard]
  let childCount: Int
  let order: ChildOrder
  /// Whether all that is in it can be saved as a tree.
  let isSmall: Bool
  /// How much is in it.
  let facts: CladeFacts
  /// How much is in what it stands directly below.
  let surroundings: CladeFacts?
  let names: NameGroups
  let traits: [Trait]
  let relatives: [Relative]
  /// Nil where there is no database beside the pack, or one that cannot be read.
  let references: [TaxonCitation]?
  /// Where its rows may come from, in the order of their numbers.
  let sources: [DataSource]
  /// Why the database cannot be read.
  let referencesFailure: String?
  let image: MediaImage?
  /// Some of the pictures of it and of what is in it, and the number of all.
  let pictures: [GalleryPicture]
  let pictureCount: Int
  /// What stands in place of an image.
  let depiction: Depiction

  /// A close relative.
  struct Relative: Sendable {
    var card: TaxonCard
    let ancestor: TaxonCard
    let distance: Int
    /// How many taxa are related as closely and as many steps away, this one included.
    let tieCount: Int?
    /// How many taxa of the rank have this common ancestor with it, this one included: however many steps
    /// away, none of them is closer than another.
    let kinCount: Int
  }

  /// Whether the rank has a place in the order of ranks.
  var hasPlacedRank: Bool { KnownRanks.place(of: card.taxon.rank.rawValue) != nil }

  /// The closest relative that is neither in the taxon nor around it; nil where only roots are shared.
  var closest: Relative? {
    guard hasPlacedRank else { return nil }
    return relatives.first { relative in
      let ancestor = relative.ancestor
      return ![card.id, relative.card.id].contains(ancestor.id) && !ancestor.taxon.isImplied
    }
  }

  func write(to json: inout RowWriter) {
    json.taxon("taxon", card)
    json.text("mergedFrom", mergedFrom)
    json.taxa("lineage", ancestors + [card])
    json.number("childCount", childCount)
    json.taxa("children", children)
    facts.write(to: &json)
    json.number("pictureCount", pictureCount)
    let areNumbers = card.taxon.hasJSONNumberID
    Schema.write(
      "names", names.languages.flatMap(\.names) + names.synonyms, areJSONNumbers: areNumbers,
      to: &json)
    Schema.write("traits", traits, to: &json)
    Self.write(relatives, to: &json)
    Schema.write(
      "references", references ?? [], from: sources, areJSONNumbers: areNumbers, to: &json)
    json.texts("warnings", [referencesFailure].compactMap { $0 })
    guard let image else { return json.text("image", nil) }
    json.object("image") { json in
      json.text("href", Address(.image(card.address)).text)
      json.text("title", image.title)
      json.text("author", image.author)
      json.text("licence", image.licence)
      json.text("source", image.source)
      json.id("taxonID", (ancestors + [card]).first { $0.id == image.taxonID })
    }
  }

  static func write(_ relatives: [Relative], to json: inout RowWriter) {
    json.objects("relatives", relatives) { json, relative in
      json.taxon("taxon", relative.card)
      json.taxon("lca", relative.ancestor)
      json.number("distance", relative.distance)
      json.number("tieCount", relative.tieCount)
      json.number("kinCount", relative.kinCount)
    }
  }
}
