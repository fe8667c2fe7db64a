import GRDB
import STOLFormats
package import STOLTrust

extension JournalFile {
  /// Writes records in a format.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - query: which sightings are meant, with all that they refer to; nil for all records.
  ///   - privacy: for whom it is.
  ///   - writer: what writes, with its version.
  ///   - dataset: what a Darwin Core archive says of itself; of no account for other formats.
  ///   - write: gets the bytes of the file, one piece after another.
  /// - Returns: what was written, and what the format cannot hold.
  /// - Throws: `StoreError`; what `write` throws.
  /// - Complexity: O(n log n); memory does not depend on the records, but for those of treetracker, umilog, subsurface
  ///   and uddf, and on some bytes for each event of the others.
  package func export(
    _ format: ExportFormat, of query: SightingQuery? = nil, for privacy: ExportPrivacy,
    by writer: String, as dataset: DatasetDescription? = nil,
    to write: @escaping ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    if case .shared(let pack) = privacy { try keepSharedCells(threatsOf: pack) }
    var sink = ExportSink(write)
    // Photos are but in formats that have their own records.
    let hasPhotos = format == .json || format == .jsonl
    let sharing = try sharing(
      for: privacy, copying: hasPhotos ? { self.strippedFile(of: $0) } : nil)
    var report: ExportReport
    switch format {
    case .json, .jsonl:
      report = try JournalJSONExport.write(
        self, query, sharing, asDocument: format == .json, by: writer, to: &sink)
    case .csv: report = try export(.csv, query, sharing, write)
    case .tsv: report = try export(.tsv, query, sharing, write)
    case .gpx: report = try GPXExport.write(self, query, sharing, by: writer, to: &sink)
    case .geojson: report = try GeoJSONExport.write(self, query, sharing, to: &sink)
    case .kml: report = try KMLExport.write(self, query, sharing, to: &sink)
    case .kmz:
      let zip = try ZipWriter(write)
      try zip.begin("doc.kml")
      var map = ExportSink { try zip.append($0) }
      report = try KMLExport.write(self, query, sharing, to: &map)
      try map.flush()
      try zip.finish()
    case .treetracker: report = try TreeTrackerExport.write(self, query, sharing, to: &sink)
    case .umilog: report = try UmiLogExport.write(self, query, sharing, to: &sink)
    case .ebird: report = try EBirdExport.write(self, query, sharing, to: &sink)
    case .inaturalist:
      report = try INaturalistExport.write(self, query, sharing, to: &sink)
    case .dwca:
      guard let dataset else {
        throw JournalError.invalid(
          field: "licence", value: "",
          remedy: "say what others may do with the archive, and whose it is")
      }
      report = try DarwinCoreExport.write(self, query, sharing, dataset, to: write)
    case .subsurface: report = try SubsurfaceExport.write(self, query, sharing, to: &sink)
    case .uddf: report = try UDDFExport.write(self, query, sharing, by: writer, to: &sink)
    case .archive:
      guard sharing == nil else {
        throw JournalError.invalid(
          field: "format", value: format.rawValue,
          remedy: "another one for others: an archive has everything exactly")
      }
      return try JournalArchive.write(self, query, by: writer, to: write)
    }
    try sink.flush()
    report.sharing = sharing?.counts ?? SharingCounts()
    return report
  }

  private func export(
    _ form: JournalTable.Form, _ query: SightingQuery?, _ sharing: Sharing?,
    _ write: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    var report = ExportReport()
    report.add(try JournalTable.write(self, query, by: sharing, as: form, to: write))
    return report
  }

  /// Writes an archive, sealed with a passphrase where there is one.
  ///
  /// - Parameters:
  ///   - query: which sightings are meant, with all that they refer to; nil for all records.
  ///   - writer: what writes, with its version.
  ///   - passphrase: what opens it; nil for an archive that anybody can read.
  ///   - cost: what each try of a passphrase costs.
  ///   - write: gets the bytes of the file, one piece after another.
  /// - Returns: what was written.
  /// - Throws: `StoreError`, `SealError`; what `write` throws.
  /// - Complexity: O(n log n + bytes of photos); memory does not depend on it.
  package func archive(
    of query: SightingQuery?, by writer: String, sealedWith passphrase: SecretBytes?,
    cost: PassphraseCost = .standard, to write: @escaping ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    guard let passphrase else {
      return try export(.archive, of: query, for: .exact, by: writer, to: write)
    }
    let sealed = try SealedWriter(passphrase, cost: cost, write)
    let report = try export(.archive, of: query, for: .exact, by: writer, to: sealed.append)
    try sealed.finish()
    return report
  }

  /// What others may have, in one export; nil for oneself.
  func sharing(
    for privacy: ExportPrivacy, copying copy: ((Photo) throws -> MediaFile?)? = nil
  ) throws -> Sharing? {
    guard case .shared(let pack) = privacy else { return nil }
    return Sharing(pack, try sharedNames(), copying: copy)
  }

  /// Whether others may know what a collection is called, and all that is in it exactly.
  ///
  /// - Throws: `StoreError`
  package func isOpen(collection: JournalID, for privacy: ExportPrivacy) throws -> Bool {
    guard let sharing = try sharing(for: privacy) else { return true }
    return try read { database in
      try sharing.begin(self, database)
      guard let head = try RecordReader(database: database).head(collection),
        sharing.level(of: head.id) == .open
      else { return false }
      let members = try Int64.fetchAll(
        database,
        sql: """
          SELECT record_id FROM collection_item WHERE collection_id = ?1
          UNION SELECT o.id FROM collection_item c JOIN occurrence o
            ON o.organism_id = c.record_id OR o.event_id = c.record_id
          WHERE c.collection_id = ?1
          """, arguments: [head.id])
      return members.allSatisfy { sharing.level(of: $0) == .open }
    }
  }
}
