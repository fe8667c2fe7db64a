public import STOLData
public import STOLPack

/// The images of all packs at one moment: which taxon has which image, and where it lies.
///
/// Only manifests are in memory. Where several images show one taxon, those of installed packs go
/// before those of bundled ones, packs in the order of their ids, and then the first in the manifest.
public struct MediaLibrary: Sendable {
  /// An image that has not been read.
  struct Location {
    let archive: Int
    let image: Int
  }

  /// An image, whichever library it was found in.
  struct ImageKey: Hashable, Sendable {
    /// The head of its archive, which tells one archive from any other.
    let head: ArchiveHead
    let image: Int
  }

  /// All packs, damaged ones too: the installed ones, then the bundled ones.
  public let packs: [MediaPack]
  /// The archives of those that are not damaged.
  private let archives: [MediaArchive]
  /// The images of each taxon that has some of its own, by its current id, the one to show first.
  private let locations: [TaxonID: [Location]]
  /// The taxa of a taxonomy that have images of their own, in its order.
  private let pictured: [TaxonOrdinal]
  /// Tells a library from those that the same cache read before.
  public internal(set) var generation = 0

  /// Reads the manifests of what is installed in `directory` and of the archives at `bundled`.
  ///
  /// - Parameters:
  ///   - directory: where packs are installed.
  ///   - bundled: paths of archives that came with the app.
  ///   - pack: tells which taxon a reference leads to; an image whose reference leads to none, or to several,
  ///     is not shown. Nil takes ids as they are.
  /// - Complexity: O(bytes of all manifests)
  public init(in directory: DataDirectory, bundled: [String] = [], resolving pack: Pack?) {
    var packs: [MediaPack] = []
    var archives: [MediaArchive] = []
    for (pack, archive) in MediaPackStore(in: directory).opened() {
      packs.append(pack)
      if let archive { archives.append(archive) }
    }
    for path in bundled {
      do {
        let archive = try MediaArchive(path: path)
        packs.append(MediaPack(archive, isBundled: true))
        archives.append(archive)
      } catch {
        packs.append(MediaPack(damagedBundledAt: path, error))
      }
    }
    var locations: [TaxonID: [Location]] = [:]
    let ids = Self.taxa(archives.flatMap { $0.manifest.images.map(\.about.taxon) }, in: pack)
    var next = ids.makeIterator()
    for (number, archive) in archives.enumerated() {
      for index in archive.manifest.images.indices {
        guard let id = next.next() ?? nil else { continue }
        locations[id, default: []].append(Location(archive: number, image: index))
      }
    }
    self.packs = packs
    self.archives = archives
    self.locations = locations
    var pictured: [TaxonOrdinal] = []
    if let view = pack?.view {
      for id in locations.keys { if let taxon = view.ids.taxon(id) { pictured.append(taxon) } }
    }
    self.pictured = pictured.sorted()
  }

  /// The image of a taxon, or of its nearest ancestor in `pack` that has one; nil if none has.
  ///
  /// An id that was merged stands for the taxon that it was merged into.
  ///
  /// - Throws: `MediaError` if the image cannot be read, is damaged, or has been replaced.
  /// - Complexity: O(depth of the taxon), and reading one image
  public func image(for id: TaxonID, in pack: Pack?) throws -> MediaImage? {
    guard let (location, taxon) = locate(id, in: pack) else { return nil }
    return try read(location, of: taxon)
  }

  /// The image of a taxon itself, named by a current id, with a number from 0, which is to be shown first.
  ///
  /// Nil if it has none of that number.
  ///
  /// - Throws: `MediaError` if the image cannot be read, is damaged, or has been replaced.
  /// - Complexity: O(1), and reading one image
  public func ownImage(_ number: Int, of id: TaxonID) throws -> MediaImage? {
    guard let own = locations[id], own.indices.contains(number) else { return nil }
    return try read(own[number], of: id)
  }

  /// How many images show a taxon itself, which is named by a current id.
  ///
  /// - Complexity: O(1)
  public func ownImageCount(of id: TaxonID) -> Int { locations[id]?.count ?? 0 }

  /// The taxa in a clade that have images of their own, in the order of the taxonomy; nil is the whole of it.
  ///
  /// - Complexity: O(log n) for n taxa with images, and O(number of those in the clade)
  public func pictured(in clade: Clade?) -> [TaxonOrdinal] {
    guard let clade else { return pictured }
    func place(of taxon: TaxonOrdinal) -> Int {
      var (low, high) = (0, pictured.count)
      while low < high {
        let middle = (low + high) / 2
        if pictured[middle] < taxon { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return Array(pictured[place(of: clade.lowerBound)..<place(of: clade.upperBound)])
  }

  /// What is said of the images of a taxon itself, which is named by a current id, in the order of their numbers.
  public func captions(of id: TaxonID) -> [MediaCaption] {
    (locations[id] ?? []).map { location in
      MediaCaption(archives[location.archive].manifest.images[location.image])
    }
  }

  /// Where the image for a taxon lies, and whose it is; those in `damaged` are passed over.
  func locate(
    _ id: TaxonID, in pack: Pack?, passingOver damaged: Set<ImageKey> = []
  ) -> (location: Location, taxon: TaxonID)? {
    func image(of taxon: TaxonID) -> Location? {
      locations[taxon]?.first { damaged.isEmpty || !damaged.contains(key(of: $0)) }
    }
    let start = Self.current(id, in: pack)
    if let location = image(of: start) { return (location, start) }
    guard let pack, !locations.isEmpty else { return nil }
    let view = pack.view
    var next = view.ids.taxon(start).flatMap { view.tree.parent(of: $0) }
    while let taxon = next {
      let id = view.ids[taxon]
      if let location = image(of: id) { return (location, id) }
      next = view.tree.parent(of: taxon)
    }
    return nil
  }

  /// Reads and checks an image.
  func read(_ location: Location, of taxon: TaxonID) throws -> MediaImage {
    let archive = archives[location.archive]
    let entry = archive.manifest.images[location.image]
    return MediaImage(
      bytes: try archive.bytes(ofImage: location.image), entry, of: taxon,
      in: archive.manifest.id)
  }

  /// What tells an image from any other.
  func key(of location: Location) -> ImageKey {
    ImageKey(head: archives[location.archive].head, image: location.image)
  }

  /// The taxa that references lead to in a pack, nil for what is not in it, or is several; without one what
  /// their ids are.
  private static func taxa(_ references: [TaxonReference], in pack: Pack?) -> [TaxonID?] {
    guard let pack else { return references.map { TaxonID(sourceText: $0.id) } }
    let view = pack.view
    return view.resolve(references).map { outcome in outcome.taxon.map { view.ids[$0] } }
  }

  /// The id that `id` stands for now; itself where that is not known.
  private static func current(_ id: TaxonID, in pack: Pack?) -> TaxonID {
    guard let pack else { return id }
    let view = pack.view
    return view.ids.resolve(id).taxon.map { view.ids[$0] } ?? id
  }
}

extension MediaPack {
  /// A bundled archive that cannot be read; the pack is what its file is named.
  fileprivate init(damagedBundledAt path: String, _ error: any Error) {
    var name = String(path.split(separator: "/").last ?? "").lowercased()
    if name.hasSuffix(MediaPackStore.suffix) { name.removeLast(MediaPackStore.suffix.count) }
    self.init(
      damaged: MediaPackID(name) ?? .unnamed, byteCount: 0, isBundled: true,
      damage: error as? MediaError ?? .notAnArchive)
  }
}
