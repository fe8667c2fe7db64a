import STOLAnswers
import STOLData
import STOLMedia
import STOLPack

/// A picture of a media pack as pages show it.
struct GalleryPicture: Sendable {
  /// The taxon that it shows.
  let card: TaxonCard
  /// Which of the pictures of this taxon it is, from 0.
  let number: Int
  let caption: MediaCaption

  private var query: KeyValuePairs<String, String?> { ["number": "\(number + 1)"] }
  /// The picture as it is.
  var address: Address { Address(.image(card.address), .page, query) }
  /// It made small.
  var smallAddress: Address {
    Address(.thumbnail(card.address), .page, ["number": "\(number + 1)", "size": "large"])
  }

  func write(to json: inout RowWriter) {
    json.taxon("taxon", card)
    json.text("href", address.text)
    json.text("thumbnail", smallAddress.text)
    json.text("title", caption.title)
    json.text("author", caption.author)
    json.text("licence", caption.licence)
    json.text("source", caption.source)
  }
}

extension Pages {
  /// As many pictures are on one page.
  static let galleryPageSize = 60
  /// As many on the page of a taxon.
  static let galleryExcerptCount = 8

  /// The pictures of a taxon and of all that is in it, or of everything.
  func gallery(_ visit: Visit, of id: TaxonID?) throws -> Reply {
    let shown = try withView(visit) { view, languages -> Gallery in
      let taxon = try id.map { try view.ordinal(of: $0) }
      let places = places(in: taxon, view)
      let pageCount = max(1, (places.count + Self.galleryPageSize - 1) / Self.galleryPageSize)
      let number = min(visit.query.number("page", in: 1...1_000_000) ?? 1, pageCount)
      let shown = places.dropFirst((number - 1) * Self.galleryPageSize)
        .prefix(Self.galleryPageSize)
      let lineage = taxon.map { view.tree.ancestors(of: $0) + [$0] } ?? []
      return Gallery(
        lineage: view.cards(lineage, languages, services.favorites),
        pictures: pictures(at: Array(shown), view, languages), count: places.count, page: number)
    }
    if visit.address.form == .json {
      return .json { json in
        json.taxon("taxon", shown.lineage.last)
        json.objects("pictures", shown.pictures) { json, picture in picture.write(to: &json) }
        json.number("page", shown.page)
        json.number("pageSize", Self.galleryPageSize)
        json.number("pictureCount", shown.count)
      }
    }
    return galleryPage(visit, shown)
  }

  /// One page of pictures.
  private struct Gallery {
    /// The way to the taxon, itself last; empty for everything.
    let lineage: [TaxonCard]
    let pictures: [GalleryPicture]
    /// How many there are on all pages.
    let count: Int
    let page: Int
  }

  private func galleryPage(_ visit: Visit, _ shown: Gallery) -> Reply {
    let (cards, count) = (shown.lineage, shown.count)
    let title = cards.last.map { Words[.picturesOf, ["taxon": $0.title]] } ?? Words[.everyPicture]
    let layout = layout(visit)
    return layout.page(title, in: .tree) {
      if !cards.isEmpty {
        layout.breadcrumb(cards.dropLast(), current: cards.last) { .pictures($0) }
      }
      tag("h1") { title }
      if count == 0 {
        tag("p", .class("lead")) {
          Words[cards.isEmpty ? .noPictureAny : .noPictureOfIt]
        }
        tag("p", .class("actions")) {
          tag("a", .class("button"), .href(Address(.storage))) { Words[.whatIsKept] }
          cards.last.map { card in
            tag("a", .class("button"), .href(Address(.taxon(card.address)))) {
              Words[.aboutTaxon, ["taxon": card.title]]
            }
          }
        }
      } else {
        tag("p", .class("lead")) {
          Words[
            cards.last?.hasChildren == true ? .picturesCountInside : .picturesCount,
            ["pictures": Words[.pictures, count: count].capitalisedFirst]]
          " "
          cards.last.map { card in
            tag("a", .href(Address(.taxon(card.address)))) {
              Words[.aboutTaxon, ["taxon": card.title]]
            }
          }
        }
        Self.gallery(shown.pictures)
        let pageCount = (count + Self.galleryPageSize - 1) / Self.galleryPageSize
        Layout.pages(shown.page, of: pageCount, visit)
      }
    }
  }

  /// Pictures with what they show, who made them, and their licences; each leads to itself at full size.
  static func gallery(_ pictures: [GalleryPicture]) -> Html {
    tag("ul", .class("gallery"), Attribute("data-gallery", "")) {
      for picture in pictures {
        tag("li") {
          tag("figure") {
            tag("a", .class("enlarge"), .href(picture.address)) {
              void(
                "img", Attribute("src", picture.smallAddress.text),
                Attribute(
                  "alt",
                  picture.caption.title.isEmpty ? picture.card.title : picture.caption.title),
                Attribute("width", "240"), Attribute("height", "180"),
                Attribute("loading", "lazy"))
            }
            tag("figcaption") {
              tag("a", .class("taxon"), .href(Address(.taxon(picture.card.address)))) {
                Layout.names(picture.card)
              }
              Layout.credit(picture.caption)
            }
          }
        }
      }
    }
  }

  // MARK: - Which ones

  /// A picture, by its taxon and which of that one's it is.
  typealias PicturePlace = (taxon: TaxonOrdinal, number: Int)

  /// The pictures in a clade, or of everything, in the order of the taxonomy.
  private func places(in taxon: TaxonOrdinal?, _ view: borrowing PackView) -> [PicturePlace] {
    guard let images else { return [] }
    var places: [PicturePlace] = []
    for owner in images.pictured(in: taxon.map { view.tree.subtree(of: $0) }) {
      for number in 0..<images.ownImageCount(of: view.ids[owner]) { places.append((owner, number)) }
    }
    return places
  }

  private func pictures(
    at places: [PicturePlace], _ view: borrowing PackView,
    _ languages: borrowing LanguagePreference
  ) -> [GalleryPicture] {
    guard let images else { return [] }
    var pictures: [GalleryPicture] = []
    for place in places {
      let captions = images.captions(of: view.ids[place.taxon])
      guard captions.indices.contains(place.number) else { continue }
      pictures.append(
        GalleryPicture(
          card: view.card(place.taxon, languages, services.favorites), number: place.number,
          caption: captions[place.number]))
    }
    return pictures
  }

  /// The pictures for the page of a taxon, and how many there are in all.
  ///
  /// Its own come first, but for the one that the page has as its portrait, then one of each of the best known taxa in it.
  func galleryExcerpt(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, _ languages: borrowing LanguagePreference
  ) -> (pictures: [GalleryPicture], count: Int) {
    let all = places(in: taxon, view)
    let own = all.filter { $0.taxon == taxon && $0.number > 0 }
    var keyed: [(key: Int, place: PicturePlace)] = []
    for place in all where place.taxon != taxon && place.number == 0 {
      keyed.append((view.taxa.prominence(of: place.taxon), place))
    }
    keyed.sort { ($1.key, $0.place.taxon) < ($0.key, $1.place.taxon) }
    let shown = (own + keyed.map(\.place)).prefix(Self.galleryExcerptCount)
    return (pictures(at: Array(shown), view, languages), all.count)
  }

  // MARK: - Files

  /// The image of a taxon: that with a number, from 1, of itself; without one the first, or that of its nearest ancestor
  /// that has one.
  func image(_ visit: Visit, _ id: TaxonID) async -> Reply {
    let image: MediaImage?
    if let number = visit.query.number("number", in: 1...1_000_000) {
      image = try? images?.ownImage(number - 1, of: id)
    } else {
      image = await services.media.image(for: id, in: snapshot.pack)
    }
    guard let image else {
      return problem(visit, 404, Words[.noImage], Words[.noImageText])
    }
    return Reply(contentType: "image/\(image.type.rawValue)", bytes: image.bytes)
  }

  /// A small picture of a taxon itself; where there is none that can be made small, the way to its drawing.
  func thumbnail(_ visit: Visit, _ id: TaxonID) async -> Reply {
    let number = visit.query.number("number", in: 1...1_000_000) ?? 1
    let size: SmallPicture.Size = visit.query["size"] == "large" ? .large : .small
    if let images, images.ownImageCount(of: id) >= number {
      let key = ThumbnailStore.Key(
        library: images.generation, source: snapshot.pack.source, taxon: id, number: number - 1,
        size: size)
      if let file = await services.thumbnails.file(key, in: images) {
        return Reply(contentType: "image/webp", bytes: file)
      }
    }
    guard let taxon = visit.route.taxon else { return notFound(visit.address.path) }
    return .redirect(to: Address(.drawing(taxon), .svg))
  }
}

extension Layout {
  /// What an image shows, who made it, under which licence it is, and where it comes from.
  static func credit(_ caption: MediaCaption) -> Html {
    tag("span", .class("credit")) {
      Words[
        .credit,
        ["title": caption.title, "author": caption.author, "licence": caption.licence]]
      if !caption.source.isEmpty {
        tag("span", .class("source")) {
          " " + Words[.creditSource, ["source": caption.source]]
        }
      }
    }
  }

  /// The way to the pages before and behind one of several.
  static func pages(_ number: Int, of count: Int, _ visit: Visit) -> Html? {
    guard count > 1 else { return nil }
    func address(_ number: Int) -> Address {
      var query = visit.query
      query.set("page", number > 1 ? "\(number)" : nil)
      return Address(visit.route, query: query)
    }
    return tag("nav", .class("pages"), .label(Words[.pages])) {
      if number > 1 { tag("a", .class("button"), .href(address(number - 1))) { Words[.previous] } }
      tag("span") {
        Words[.pageOf, ["number": Words.grouped(number), "count": Words.grouped(count)]]
      }
      if number < count { tag("a", .class("button"), .href(address(number + 1))) { Words[.next] } }
    }
  }
}
