import STOLImport
import STOLPack

/// Reads the members of a manifest and of its images by the rules of Format/MEDIA.md section 3.
struct ManifestObject {
  /// Which rule is broken.
  struct Fault: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  /// The types, for errors.
  static let typeNames = MediaImageType.allCases.map(\.rawValue).joined(separator: ", ")

  private let object: JSONObject

  private init(_ object: JSONObject) { self.object = object }

  /// The object that a whole manifest is.
  init(manifest bytes: [UInt8]) throws(MediaError) {
    do {
      guard case .object(let object) = try JSONReader.value(bytes) else {
        throw JSONReader.Failure(reason: "not an object of JSON")
      }
      self.init(object)
    } catch let error as JSONReader.Failure {
      throw .manifestMalformed(reason: error.reason)
    } catch {
      throw .manifestMalformed(reason: "not JSON")
    }
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
  func images(
    _ body: (ManifestObject) throws(Fault) -> MediaEntry
  ) throws(MediaError) -> [MediaEntry] {
    try images(name: { $0.file }, body)
  }

  /// What `body` makes of each image that has the name `name` gives.
  func images<Image>(
    name: (Image) -> String, _ body: (ManifestObject) throws(Fault) -> Image
  ) throws(MediaError) -> [Image] {
    guard case .array(let values)? = object["images"] else {
      throw .manifestMalformed(reason: "images: not an array")
    }
    guard (1...MediaLayout.imageCountLimit).contains(values.count) else {
      throw .manifestMalformed(
        reason: "images: \(values.count), not from 1 to \(MediaLayout.imageCountLimit)")
    }
    var images: [Image] = []
    var names: Set<String> = []
    for (index, value) in values.enumerated() {
      var shown = "number \(index + 1)"
      do throws(Fault) {
        guard case .object(let object) = value else { throw Fault("not an object of JSON") }
        let one = ManifestObject(object)
        shown = try one.fileName()
        let image = try body(one)
        guard names.insert(name(image).lowercased()).inserted else {
          throw Fault("file: another image has this name")
        }
        images.append(image)
      } catch {
        throw .imageMalformed(image: shown, reason: error.reason)
      }
    }
    return images
  }

  /// What people write about an image.
  func about() throws(Fault) -> MediaEntry.About {
    MediaEntry.About(
      taxonID: TaxonID(rawValue: try integer("taxonID")), file: try fileName(),
      title: try text("title"), author: try text("author"), licence: try text("licence"),
      source: try text("source", mayBeEmpty: true))
  }

  func integer(_ name: String) throws(Fault) -> Int64 {
    guard case .integer(let value)? = object[name] else {
      throw Fault("\(name): not an integer of 64 bits")
    }
    return value
  }

  /// A text without control characters.
  func text(_ name: String, mayBeEmpty: Bool = false) throws(Fault) -> String {
    guard case .text(let text)? = object[name] else { throw Fault("\(name): not a text") }
    guard !text.isEmpty || mayBeEmpty else { throw Fault("\(name): empty") }
    guard text.utf8.count <= MediaLayout.textLimit else {
      throw Fault("\(name): longer than \(MediaLayout.textLimit) bytes")
    }
    let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard isPlain else { throw Fault("\(name): has a control character") }
    return text
  }

  /// A text, or nil where there is none.
  func optionalText(_ name: String) throws(Fault) -> String? {
    switch object[name] {
    case nil, .null?: nil
    default: try text(name)
    }
  }

  /// The release of a pack.
  func release(of id: MediaPackID) throws(Fault) -> Release {
    let number = try integer("release")
    guard (1...Int64(UInt32.max)).contains(number) else {
      throw Fault("release: not from 1 to \(UInt32.max)")
    }
    let text = try text("buildTime")
    guard let time = BuildTime(text), time.description == text, let dataset = DatasetID(id.text),
      let release = Release(dataset: dataset, number: UInt32(number), buildTime: time)
    else { throw Fault("buildTime: not a time as 2026-01-31T12:00:00Z") }
    return release
  }

  /// A name that is no path on any system: letters, digits, dot, hyphen and underscore, and no dot
  /// in front.
  private func fileName() throws(Fault) -> String {
    let name = try text("file")
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
      throw Fault(
        "file: not 1 to \(MediaLayout.fileNameLimit) letters of ASCII, digits, dots, hyphens and "
          + "underscores, the first no dot")
    }
    return name
  }
}
