import Foundation
import STOLData
import STOLTrust

/// The members of a manifest, and their rules: Format/MEDIA.md section 3.
///
/// Those that a maintainer may leave out are optional.
struct ManifestObject: Decodable {
  /// Which rule is broken.
  struct Fault: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  /// The members of the reference to a taxon.
  struct Taxon: Decodable {
    let idSpace: String?
    let id: String
    let name: String
    let authorship: String?
    let year: Int64?
    let rank: String?
    let kingdoms: [String]?
  }

  /// The members of an image.
  struct Image: Decodable {
    let taxon: Taxon
    let file: String
    let title: String
    let author: String
    let licence: String
    let source: String
    let type: String?
    let byteCount: Int64?
    let sha256: String?
  }

  let id: String?
  let release: Int64?
  let buildTime: String?
  let title: String
  let licence: String?
  let images: [Image]

  /// The types, for errors.
  static let typeNames = MediaImageType.allCases.map(\.rawValue).joined(separator: ", ")

  /// The object that a whole manifest is; only the types of its members are checked.
  init(manifest bytes: [UInt8]) throws(MediaError) {
    // The decoder would take UTF-16 and a byte order mark too.
    guard !bytes.contains(0), !bytes.starts(with: [0xEF, 0xBB, 0xBF]),
      let text = String(validating: bytes, as: UTF8.self)
    else { throw .manifestMalformed(reason: "not UTF-8 without a byte order mark") }
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    } catch DecodingError.keyNotFound(let key, _)
      where key.stringValue == "taxon" && text.contains("\"taxonID\"")
    {
      throw .olderManifest
    } catch {
      throw Self.refusal(error)
    }
  }

  /// What is wrong with a manifest that the decoder refuses, and with which image of it.
  private static func refusal(_ error: any Error) -> MediaError {
    let path: [any CodingKey]
    let problem: String
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      (path, problem) = (context.codingPath + [key], "missing")
    case .valueNotFound(_, let context): (path, problem) = (context.codingPath, "null")
    case .typeMismatch(let type, let context):
      path = context.codingPath
      switch type {
      case is String.Type: problem = "not a text"
      case is Int64.Type: problem = "not an integer"
      default:
        let isList = ["images", "kingdoms"].contains(path.last?.stringValue)
        problem = "not an \(isList ? "array" : "object") of JSON"
      }
    default:
      return .manifestMalformed(reason: "not JSON, or a number in it no integer of 64 bits")
    }
    // Of an image the members after its number, of the manifest the last.
    let image = path.firstIndex { $0.intValue != nil }
    let members = path[(image.map { $0 + 1 } ?? max(0, path.count - 1))...]
      .map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }
    let member = members.isEmpty ? "" : members.joined(separator: ".") + ": "
    guard let image = path.lazy.compactMap(\.intValue).first else {
      return .manifestMalformed(reason: member + problem)
    }
    return .imageMalformed(image: "number \(image + 1)", reason: member + problem)
  }

  /// Runs `body`, whose faults are the manifest's.
  func ofManifest<Result>(
    _ body: () throws(Fault) -> Result
  ) throws(MediaError) -> Result {
    do {
      return try body()
    } catch {
      throw .manifestMalformed(reason: error.reason)
    }
  }

  /// What `body` makes of each image; no two may have one name, upper and lower case alike.
  func eachImage<Made>(
    _ body: (Image) throws(Fault) -> Made
  ) throws(MediaError) -> [Made] {
    guard (1...MediaLayout.imageCountLimit).contains(images.count) else {
      throw .manifestMalformed(
        reason: "images: \(images.count), not from 1 to \(MediaLayout.imageCountLimit)")
    }
    var made: [Made] = []
    var names: Set<String> = []
    for (index, image) in images.enumerated() {
      var shown = "number \(index + 1)"
      do throws(Fault) {
        shown = try image.fileName()
        made.append(try body(image))
        guard names.insert(shown.lowercased()).inserted else {
          throw Fault("file: another image has this name")
        }
      } catch {
        throw .imageMalformed(image: shown, reason: error.reason)
      }
    }
    return made
  }

  /// A text without control characters.
  static func text(
    _ text: String?, _ name: String, mayBeEmpty: Bool = false
  ) throws(Fault) -> String {
    guard let text else { throw Fault("\(name): missing") }
    guard !text.isEmpty || mayBeEmpty else { throw Fault("\(name): empty") }
    guard text.utf8.count <= MediaLayout.textLimit else {
      throw Fault("\(name): longer than \(MediaLayout.textLimit) bytes")
    }
    let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard isPlain else { throw Fault("\(name): has a control character") }
    return text
  }

  /// A text, or nil where there is none.
  static func optionalText(_ text: String?, _ name: String) throws(Fault) -> String? {
    text == nil ? nil : try self.text(text, name)
  }

  /// The release of a pack.
  func release(of id: MediaPackID) throws(Fault) -> Release {
    guard let release, let number = UInt32(exactly: release), number > 0 else {
      throw Fault("release: not from 1 to \(UInt32.max)")
    }
    let text = try Self.text(buildTime, "buildTime")
    guard let time = BuildTime(text), time.description == text, let dataset = DatasetID(id.text),
      let release = Release(dataset: dataset, number: number, buildTime: time)
    else { throw Fault("buildTime: not a time as 2026-01-31T12:00:00Z") }
    return release
  }
}

extension ManifestObject.Taxon {
  /// The greatest number of kingdoms, for nothing is in so many.
  private static let kingdomLimit = 16

  /// The reference to the taxon that an image shows.
  func reference() throws(ManifestObject.Fault) -> TaxonReference {
    let idText = try ManifestObject.text(id, "taxon.id")
    if let idSpace, !TaxonReference.isIDSpace(idSpace) {
      throw .init("taxon.idSpace: not the name of an id space, as ncbi or col")
    }
    let kingdoms = kingdoms ?? []
    guard kingdoms.count <= Self.kingdomLimit else {
      throw .init("taxon.kingdoms: more than \(Self.kingdomLimit)")
    }
    guard let year = year.map({ Int(exactly: $0) }) ?? .some(nil) else {
      throw .init("taxon.year: too great")
    }
    for kingdom in kingdoms { _ = try ManifestObject.text(kingdom, "taxon.kingdoms") }
    return TaxonReference(
      idSpace: idSpace, id: idText, name: try ManifestObject.text(name, "taxon.name"),
      authorship: try ManifestObject.text(authorship ?? "", "taxon.authorship", mayBeEmpty: true),
      year: year, rank: try ManifestObject.text(rank ?? "", "taxon.rank", mayBeEmpty: true),
      kingdoms: kingdoms)
  }
}

extension ManifestObject.Image {
  /// What people write about the image.
  func about() throws(ManifestObject.Fault) -> MediaEntry.About {
    MediaEntry.About(
      taxon: try taxon.reference(), file: try fileName(),
      title: try ManifestObject.text(title, "title"),
      author: try ManifestObject.text(author, "author"),
      licence: try ManifestObject.text(licence, "licence"),
      source: try ManifestObject.text(source, "source", mayBeEmpty: true))
  }

  /// The type, or nil where none is stated.
  func statedType() throws(ManifestObject.Fault) -> MediaImageType? {
    guard let type else { return nil }
    guard let known = MediaImageType(rawValue: type) else {
      throw .init("type: none of \(ManifestObject.typeNames)")
    }
    return known
  }

  /// The image with its type, length and digest, which an archive must state.
  func entry() throws(ManifestObject.Fault) -> MediaEntry {
    guard let type = try statedType() else { throw .init("type: missing") }
    guard let byteCount, (1...Int64(MediaLayout.imageLimit)).contains(byteCount) else {
      throw .init("byteCount: not from 1 to \(MediaLayout.imageLimit)")
    }
    guard let digest = sha256.flatMap(Hexadecimal.bytes).flatMap({ Digest($0) }) else {
      throw .init("sha256: not 64 lower-case hexadecimal digits")
    }
    return MediaEntry(about: try about(), type: type, byteCount: Int(byteCount), digest: digest)
  }

  /// A name that is no path on any system: letters, digits, dot, hyphen and underscore, and no dot
  /// in front.
  func fileName() throws(ManifestObject.Fault) -> String {
    let name = try ManifestObject.text(file, "file")
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isPlain, !name.hasPrefix("."), name.utf8.count <= MediaLayout.fileNameLimit else {
      throw .init(
        "file: not 1 to \(MediaLayout.fileNameLimit) letters of ASCII, digits, dots, hyphens and "
          + "underscores, the first no dot")
    }
    return name
  }
}
