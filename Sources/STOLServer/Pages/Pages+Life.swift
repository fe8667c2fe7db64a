import STOLAnswers
import STOLData
import STOLMedia
import STOLPack

/// What the picture of all life is drawn from, as one comes close.
extension Pages {
  /// So many boxes are opened at once at most.
  static let greatestOpenedCount = 8
  /// What an answer has in bytes, beside the first box that is opened.
  static let boxesByteCount = 22_000
  /// What the way to a taxon has of that at most.
  private static let wayByteCount = 16_000
  /// Longer names are cut, with an ellipsis.
  private static let greatestNameLength = 80

  /// What is in boxes of the picture of all life, and the way to a taxon through them.
  func boxes(_ visit: Visit) throws -> Reply {
    let known = ["at", "to", "lang"]
    if let unknown = visit.query.pairs.first(where: { !known.contains($0.name) }) {
      return problem(
        visit, 400, "Unknown field",
        "“\(unknown.name)” is none of: \(known.joined(separator: ", "))")
    }
    var texts = visit.query.all("at")
    if texts.isEmpty { texts = [visit.query["to"] ?? Self.allLife] }
    guard texts.count <= Self.greatestOpenedCount else {
      return problem(
        visit, 400, "Too many boxes",
        "at most \(Self.greatestOpenedCount) are opened at once, and these are \(texts.count)")
    }
    var boxes = LifeBoxes(services.counts.counts(of: snapshot.pack))
    var asked: [LifeBox] = []
    for text in texts {
      let found = withView(visit) { view, _ in
        box(text).flatMap { boxes.has($0, in: view) ? $0 : nil }
      }
      guard let found else { return noBox(text, visit) }
      asked.append(found)
    }
    var end: TaxonOrdinal?
    if let text = visit.query["to"] {
      guard case .taxon(let taxon)? = box(text) else { return noBox(text, visit) }
      end = taxon
    }
    return withView(visit) { view, languages in
      var writer = LifeWriter(
        boxes: boxes, budget: Self.boxesByteCount, nameLength: Self.greatestNameLength,
        images: images)
      return .json { json in
        let isWhole = writer.writeWay(to: end, Self.wayByteCount, &json, view, languages)
        json.bool("isWholePath", isWhole)
        json.array("opened") { json in
          for (index, box) in asked.enumerated() where index == 0 || writer.budget > 0 {
            // Each has its part of what is left.
            writer.write(box, writer.budget / (asked.count - index), &json, view, languages)
          }
        }
      }
    }
  }

  /// How all roots together are named.
  static let allLife = "all"

  /// The box of a name, as answers have it.
  private func box(_ text: String) -> LifeBox? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    var holder: TaxonOrdinal?
    if parts[0] != Self.allLife {
      guard let address = TaxonAddress(segment: parts[0]) else { return nil }
      var place = located(address)
      if case .elsewhere(let current) = place { place = located(current) }
      guard case .here(let id) = place,
        let taxon = try? snapshot.pack.view.ordinal(of: id)
      else { return nil }
      holder = taxon
    }
    switch parts.count {
    case 1: return holder.map(LifeBox.taxon) ?? .all
    case 3:
      guard let first = Int(parts[1]), let end = Int(parts[2]), 0 <= first, first < end else {
        return nil
      }
      return .group(of: holder, first..<end)
    default: return nil
    }
  }

  private func noBox(_ text: String, _ visit: Visit) -> Reply {
    problem(
      visit, 404, "No such box",
      "“\(text)” is none in the active database: begin with “\(Self.allLife)” or with a taxon, as in "
        + "ncbi:9681, and go on with what answers name")
  }
}

/// Writes boxes as programs read them, within a budget of bytes.
private struct LifeWriter {
  var boxes: LifeBoxes
  var budget: Int
  let nameLength: Int
  /// The pictures that there are of taxa.
  let images: MediaLibrary?

  /// What a box has in bytes beside its names.
  private static let boxByteCount = 165

  /// Writes the way to a taxon, none for nil; whether it is there as a whole.
  mutating func writeWay(
    to taxon: TaxonOrdinal?, _ limit: Int, _ json: inout RowWriter,
    _ view: borrowing PackView, _ languages: borrowing LanguagePreference
  ) -> Bool {
    let way = taxon.map { boxes.way(to: $0, in: view) } ?? []
    let start = budget
    var count = 0
    json.array("path") { json in
      for step in way {
        budget -= Self.cost(step.box, view) + 6 * step.sizes.count
        guard start - budget <= limit else { break }
        count += 1
        json.object { json in
          writeFields(of: step.box, step.sizes[step.index], &json, view, languages)
          json.number("index", step.index)
          json.array("sizes") { json in for size in step.sizes { json.number(nil, size) } }
        }
      }
    }
    return count == way.count
  }

  /// Writes a box and what is in it.
  mutating func write(
    _ box: LifeBox, _ limit: Int, _ json: inout RowWriter,
    _ view: borrowing PackView, _ languages: borrowing LanguagePreference
  ) {
    var rest = limit
    let position = boxes.open(box, in: view, budget: &rest, cost: Self.cost)
    budget -= limit - rest
    write(position, boxes.size(of: box, in: view), &json, view, languages)
  }

  private mutating func write(
    _ position: Int, _ size: Int, _ json: inout RowWriter,
    _ view: borrowing PackView, _ languages: borrowing LanguagePreference
  ) {
    let entry = boxes.entries[position]
    json.object { json in
      writeFields(of: entry.box, size, &json, view, languages)
      guard !entry.boxes.isEmpty else { return }
      json.array("boxes") { json in
        for below in entry.boxes {
          write(below, boxes.entries[below].size, &json, view, languages)
        }
      }
    }
  }

  /// About how many bytes a box has.
  private static func cost(_ box: LifeBox, _ view: borrowing PackView) -> Int {
    guard case .taxon(let taxon) = box else { return boxByteCount * 2 / 3 }
    let name = min(view.names.scientificName(of: taxon).utf8.count, 120)
    return boxByteCount + name + (view.taxa.hasCommonName(taxon) ? 50 : 0)
  }

  private mutating func writeFields(
    of box: LifeBox, _ size: Int, _ json: inout RowWriter,
    _ view: borrowing PackView, _ languages: borrowing LanguagePreference
  ) {
    json.text("box", Self.name(of: box, in: view))
    switch box {
    case .all: break
    case .group(_, let range): json.number("memberCount", range.count)
    case .taxon(let taxon):
      let label = TaxonLabel(taxon, in: view, languages)
      json.text("scientificName", cut(label.scientificName))
      if let name = label.commonName {
        json.text("commonName", cut(name))
        json.text("commonNameLang", label.language)
      }
      json.text("rank", label.rank)
      let code = view.taxa.conservationCodes[view.taxa.conservation(of: taxon)]
      if !code.isEmpty { json.text("conservationStatus", code) }
      let depiction = Depiction(of: taxon, in: view)
      if depiction.relation != .none { json.text("drawing", depiction.drawing.rawValue) }
      if let images, images.ownImageCount(of: label.id) > 0 { json.bool("hasPicture", true) }
      json.number("branch", Icicle.branch(of: label.id))
    }
    json.number("speciesCount", boxes.speciesCount(of: box, in: view))
    json.number("size", size)
    json.bool("isOpenable", LifeBoxes.isOpenable(box, in: view))
  }

  private static func name(of box: LifeBox, in view: borrowing PackView) -> String {
    func text(_ taxon: TaxonOrdinal?, _ view: borrowing PackView) -> String {
      taxon.map { view.address(of: $0).text } ?? Pages.allLife
    }
    return switch box {
    case .all: Pages.allLife
    case .taxon(let taxon): text(taxon, view)
    case .group(let holder, let range):
      "\(text(holder, view)),\(range.lowerBound),\(range.upperBound)"
    }
  }

  private func cut(_ name: String) -> String {
    name.count <= nameLength ? name : name.prefix(nameLength - 1) + "…"
  }
}
