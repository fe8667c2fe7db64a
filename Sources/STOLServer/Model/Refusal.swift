import STOLImport
import STOLMedia
import STOLSystem
import STOLTrust

/// Why a signed file is not taken, in words for whoever sent it, who need not know the command.
struct Refusal: Equatable, Sendable {
  /// What is wrong, of which each has another remedy.
  enum Kind: Equatable, Sendable {
    case otherFile, database, images, notArrived, damaged, signature, revoked, newer, older
    case otherDataset, faulty, unkept, cancelled, other
    case tooLong(Int64)
  }

  let kind: Kind
  /// The same in the words of the engine, in English, for programs.
  let reason: String

  static let otherFile = Refusal(.otherFile, "not a stol container (the magic bytes are missing)")
  static let cancelled = Refusal(.cancelled, "the import was cancelled")
  static func tooLong(_ limit: Int64) -> Refusal {
    Refusal(.tooLong(limit), "the file is longer than \(Words.bytes(limit))")
  }
  static func notArrived(_ reason: String) -> Refusal {
    Refusal(.notArrived, "the file did not arrive: \(reason)")
  }

  init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// What an import or an installation threw.
  init(_ error: any Error) {
    if error is CancellationError {
      self = .cancelled
    } else {
      self.init(Self.kind(of: error), "\(error)")
    }
  }

  private static func kind(of error: any Error) -> Kind {
    switch error {
    case let error as ContainerError: kind(of: error)
    case MediaError.container(let error): kind(of: error)
    case MediaError.downgrade, ImportError.downgrade: .older
    case MediaError.newerArchive, ImportError.incompatibleSchema: .newer
    case MediaError.file, is SystemError: .unkept
    case MediaError.archiveTruncated, MediaError.lengthMismatch, MediaError.manifestChecksum,
      MediaError.imageChecksum:
      .damaged
    case is MediaError, ImportError.unexpectedSchema, ImportError.otherPack: .faulty
    case ImportError.otherDataset: .otherDataset
    default: .other
    }
  }

  private static func kind(of error: ContainerError) -> Kind {
    switch error {
    case .fileUnreadable: .unkept
    case .notAStolFile: .otherFile
    case .newerFormat: .newer
    case .revokedKey: .revoked
    case .signatureInvalid: .signature
    case .keyOfKeyrings, .mediaCorrupt, .databaseCorrupt: .faulty
    case .otherContent(.media, _): .images
    case .otherContent: .database
    case .unknownKey, .keyOutOfScope: .other
    default: .damaged
    }
  }

  /// What is wrong and what to do, in the language of the page; nil where only the engine has words for it.
  ///
  /// - Parameter ending: what names of the files end with that are wanted.
  /// - Returns: a sentence or two.
  func words(ending: String) -> String? {
    switch kind {
    case .otherFile: Words[.refusedOtherFile, ["ending": ending]]
    case .database: Words[.refusedDatabase]
    case .images: Words[.refusedImages]
    case .notArrived: Words[.refusedNotArrived]
    case .damaged: Words[.refusedDamaged]
    case .signature: Words[.refusedSignature]
    case .revoked: Words[.refusedRevoked]
    case .newer: Words[.refusedNewer]
    case .older: Words[.refusedOlder, ["choice": Words[.takeOlder]]]
    case .otherDataset: Words[.refusedOtherDataset, ["choice": Words[.takeOther]]]
    case .faulty: Words[.refusedFaulty]
    case .unkept: Words[.refusedUnkept]
    case .cancelled: Words[.refusedCancelled]
    case .tooLong(let limit): Words[.refusedTooLong, ["bytes": Words.bytes(limit)]]
    case .other: nil
    }
  }

  /// It as a part of a page; what the engine says stays English.
  func html(ending: String) -> Html {
    let words = words(ending: ending)
    let needsReason = words == nil || kind == .faulty || kind == .unkept
    return Html {
      words.map { words in tag("p", .class("lead")) { words } }
      if needsReason {
        tag("p", .class(words == nil ? "lead" : "note"), .lang("en"), Attribute("dir", "ltr")) {
          reason.capitalisedFirst + "."
        }
      }
      tag("p") { Words[.nothingLost] }
    }
  }
}
