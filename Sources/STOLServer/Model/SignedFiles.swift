import STOLData
import STOLMedia
import STOLTrust

/// What a key signed of all that is here.
struct SignedFiles: Sendable {
  /// Files that wait until somebody decides about it, whose signatures are of this key for certain.
  var waiting: [UnknownSigner] = []
  /// The reference database.
  var database: InstalledReference?
  /// Packs of images.
  var packs: [MediaPack] = []

  var isEmpty: Bool { waiting.isEmpty && database == nil && packs.isEmpty }

  /// The datasets of those that wait; nil for one that names none.
  var datasets: [DatasetID?] { waiting.map(\.release?.dataset) }

  /// What it signed, as a list; nil where there is nothing.
  var html: Html? {
    guard !isEmpty else { return nil }
    let lines: [String] =
      waiting.map { signer in
        guard let release = signer.release else { return Words[.signedUnnamed] }
        return Words[
          .signedWaiting, ["name": release.dataset.text, "number": "\(release.number)"]]
      }
      + [database].compactMap(\.self).map { Words[.signedDatabase, ["name": $0.title]] }
      + packs.map { Words[.signedPack, ["name": Pages.name(of: $0)]] }
    return itemList(of: lines) { line in Html(line) }
  }
}

extension Pages {
  /// What a key signed.
  func signed(by key: VerifyingKey) async -> SignedFiles {
    var files = SignedFiles()
    if case .untrusted(let signer) = await imports.state { files.waiting.append(signer) }
    if case .untrusted(let signer) = await mediaInstalls.state { files.waiting.append(signer) }
    files.waiting.removeAll { !$0.isSigned(by: key) }
    let installed = try? ReferenceStore(in: services.directory).installed()
    if installed?.keyID == key.id.description { files.database = installed }
    files.packs = await services.media.availableMediaPacks().filter {
      $0.keyID == key.id.description
    }
    return files
  }
}
