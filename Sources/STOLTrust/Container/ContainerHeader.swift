/// What a container carries: one gzip member.
public struct ContainerPart: Equatable, Sendable {
  /// What is in it.
  public enum Kind: String, CaseIterable, Sendable, CustomStringConvertible {
    /// The SQLite database.
    case database
    /// The pack that was compiled from it.
    case pack
    /// An archive of images: Format/MEDIA.md.
    case media

    /// The name.
    public var description: String { rawValue }
  }

  /// What is in it.
  public let kind: Kind
  /// Where its bytes begin in the file.
  public let byteOffset: Int
  /// The number of its bytes in the file.
  public let storedByteCount: Int
  /// Their SHA-256.
  public let storedDigest: Digest
  /// The number of its bytes decompressed, if the container says so.
  public let contentByteCount: Int?
  /// Their SHA-256, if the container says so.
  public let contentDigest: Digest?
}

/// The formats of containers.
public enum ContainerFormat: String, Sendable, CustomStringConvertible {
  /// A database without a release.
  case version1 = "1"
  /// A database with a release, readable as version 1 too.
  case version1WithRelease = "1.1"
  /// A database with a release and possibly a pack, or media with a release.
  case version2 = "2"

  /// The version.
  public var description: String { rawValue }
}

/// What a container says of itself.
///
/// Only of a `VerifiedContainer` is it known to be true.
public struct ContainerHeader: Equatable, Sendable {
  /// The format.
  public let format: ContainerFormat
  /// The schema version of the database; 0 with media.
  public let schemaVersion: UInt32
  /// The release, except in plain version 1.
  public let release: Release?
  /// Whose signature it is, except in plain version 1.
  public let keyID: KeyID?
  /// The parts, in the order of their bytes: the database, then possibly the pack; or the media.
  public let parts: [ContainerPart]

  /// The number of the release; 0 where there is none.
  public var releaseNumber: UInt32 { release?.number ?? 0 }

  /// The part of this kind, or nil.
  public func part(_ kind: ContainerPart.Kind) -> ContainerPart? {
    parts.first { $0.kind == kind }
  }

  /// The part of this kind.
  ///
  /// - Throws: `ContainerError.otherContent` if the container carries something else.
  public func requiredPart(_ kind: ContainerPart.Kind) throws(ContainerError) -> ContainerPart {
    guard let part = part(kind) else {
      throw .otherContent(found: parts.first?.kind ?? kind, wanted: kind)
    }
    return part
  }
}

/// The places and limits of Format/CONTAINER.md.
package enum ContainerLayout {
  /// The magic bytes without the version, section 2.
  static let magic: [UInt8] = [0x53, 0x54, 0x4F, 0x4C, 0x00, 0x44, 0x42]
  /// The newest version that this stol reads.
  static let newestVersion = 2
  /// The greatest container: 2 GiB.
  static let fileLimit = 1 << 31
  /// The greatest part, decompressed: 4 GiB.
  static let contentLimit = 1 << 32
  /// The greatest media, decompressed: 2 GiB.
  static let mediaLimit = 1 << 31
  /// What the content of the part `media` begins with, section 5.
  package static let mediaMagic: [UInt8] = [0x89, 0x53, 0x54, 0x4D, 0x0D, 0x0A, 0x1A, 0x0A]
  /// How much is read at once; no less than `GzipHeader.prefixLimit`.
  static let chunkByteCount = 1 << 18

  /// Version 1, section 3.
  enum V1 {
    static let schemaVersion = 8..<12
    static let digest = 12..<44
    static let signature = 44..<108
    static let byteCount = 108
  }

  /// The subfield of version 1.1, section 4, and the same fields in version 2.
  enum ReleaseBlock {
    static let subfieldID = (UInt8(ascii: "S"), UInt8(ascii: "T"))
    static let layoutVersion: UInt32 = 1
    static let number = 4
    static let buildTime = 8
    static let keyID = 16..<24
    static let dataset = 24..<88
    static let contentByteCount = 88
    static let contentDigest = 96..<128
    static let byteCount = 128
  }

  /// Version 2, section 5.
  enum V2 {
    static let domain = Array("stol container 2\0".utf8)
    static let leastReader = 8
    static let schemaVersion = 12
    static let reserved = 16
    static let number = 20
    static let buildTime = 24
    static let keyID = 32..<40
    static let dataset = 40..<104
    static let parts = 104
    static let partByteCount = 96
    static let signature = 296..<360
    static let byteCount = 360
  }

  /// A part in version 2: offsets from its beginning.
  enum Part {
    static let name = 0..<8
    static let storedByteCount = 8
    static let storedDigest = 16..<48
    static let contentByteCount = 48
    static let contentDigest = 56..<88
    static let reserved = 88
  }
}
