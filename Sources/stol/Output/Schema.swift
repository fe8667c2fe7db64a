import STOLPack

/// The fields of the values of a pack; in JSON their names are those of the seed's types.
enum Schema {
  /// The columns of `writeFields(of:)`; a batch has a `status` of its own.
  static let taxonColumns = [
    "id", "parentID", "rank", "scientificName", "author", "year", "taxonStatus",
    "conservationStatus",
  ]

  static func writeFields(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    let author = view.taxa.authors[view.taxa.author(of: taxon)]
    writeID(of: taxon, view, to: &writer)
    writer.number("parentID", view.tree.parent(of: taxon).map { view.ids[$0] })
    writeRank(of: taxon, view, to: &writer)
    writer.text("scientificName", taxon, view)
    writer.text("author", author.isEmpty ? nil : author)
    writer.number("year", view.taxa.year(of: taxon))
    writer.text("status", view.taxa.statuses[view.taxa.status(of: taxon)])
    writeConservation(of: taxon, view, to: &writer)
  }

  static func writeID(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writer.number("id", view.ids[taxon])
  }

  static func writeRank(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writer.text("rank", view.taxa.ranks[view.taxa.rank(of: taxon)])
  }

  static func writeConservation(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    let code = view.taxa.conservationCodes[view.taxa.conservation(of: taxon)]
    writer.text("conservationStatus", code.isEmpty ? nil : code)
  }

  /// Writes id, rank and scientific name.
  static func writeHead(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writeID(of: taxon, view, to: &writer)
    writeRank(of: taxon, view, to: &writer)
    writer.text("scientificName", taxon, view)
  }

  /// Writes the ids of taxa as one text.
  static func writeIDs(
    _ name: String, of taxa: [TaxonOrdinal], _ view: borrowing PackView,
    to writer: inout RowWriter
  ) {
    writer.text(name) { output in
      for (index, taxon) in taxa.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ";")) }
        output.append(decimal: view.ids[taxon].rawValue)
      }
    }
  }

  /// Writes a taxon as the value of the field `name`, or as an element for nil.
  static func write(
    _ name: String?, _ taxon: TaxonOrdinal, _ view: borrowing PackView,
    to writer: inout RowWriter
  ) {
    writer.object(name) { writeFields(of: taxon, view, to: &$0) }
  }

  /// Writes an array of taxa.
  static func write(
    _ name: String?, _ taxa: some Sequence<TaxonOrdinal>, _ view: borrowing PackView,
    to writer: inout RowWriter
  ) {
    writer.array(name) { writer in
      for taxon in taxa { write(nil, taxon, view, to: &writer) }
    }
  }

  static func write(_ name: String?, _ traits: [Trait], to writer: inout RowWriter) {
    writer.array(name) { writer in
      for trait in traits {
        writer.object { writer in
          writer.text("key", trait.key)
          writer.text("value", trait.value)
          writer.text("unit", trait.unit)
        }
      }
    }
  }

  static func write(_ name: String?, _ names: [TaxonName], to writer: inout RowWriter) {
    writer.array(name) { writer in
      for name in names {
        writer.object { writer in
          writer.text("name", name.name)
          writer.text("lang", name.lang)
          writer.text("nameType", name.nameType.rawValue)
          writer.bool("isPreferred", name.isPreferred)
        }
      }
    }
  }

  /// Writes the lineage of a taxon, the root first and itself last.
  static func writeLineage(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    write("lineage", view.tree.ancestors(of: taxon) + [taxon], view, to: &writer)
  }
}
