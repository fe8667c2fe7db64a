public import STOLGzip
public import STOLSystem

/// Why a container is refused.
public enum ContainerError: Error, Equatable, Sendable {
  /// The file cannot be read: it is missing, a symbolic link, no regular file, or a read failed.
  case fileUnreadable(SystemError)
  /// The file has more bytes than any container.
  case fileTooLarge(bytes: Int)
  /// The file ends too early.
  case truncated(need: Int, got: Int)
  /// The file does not begin with the magic bytes of a container.
  case notAStolFile
  /// The container needs a reader of this version, or a newer one.
  case newerFormat(version: Int)
  /// A header field breaks the rule named by `reason`, at this byte.
  case malformed(offset: Int, reason: String)
  /// The signer is not trusted here; nil where the container does not name it.
  case unknownKey(KeyID?)
  /// The signer's key signs keyrings here, and so no databases.
  case keyOfKeyrings(KeyID)
  /// The signer is not trusted for this dataset, or where it is nil, for files that name none.
  case keyOutOfScope(KeyID, DatasetID?)
  /// The signer's key has been revoked.
  case revokedKey(KeyID)
  /// The signature does not belong to the container, or its signer is neither named nor trusted.
  case signatureInvalid
  /// The bytes of a part, as stored or decompressed, do not have the digest that was signed.
  case checksumMismatch(part: ContainerPart.Kind, isDecompressed: Bool)
  /// A part is no gzip stream.
  case bodyCorrupt(part: ContainerPart.Kind, GzipError)
  /// Bytes follow the end of the container, or of the one gzip member of a part.
  case trailingData(part: ContainerPart.Kind)
  /// A part decompresses to more than `limit` bytes.
  case bodyTooLong(part: ContainerPart.Kind, limit: Int)
  /// A part decompresses to fewer bytes than were signed.
  case bodyTooShort(part: ContainerPart.Kind, expected: Int, got: Int)
  /// The bytes are not those that had been checked: the file changed while it was read.
  case fileChanged
  /// The decompressed database is none, or damaged.
  case databaseCorrupt(detail: String)
  /// The decompressed media are no archive of images.
  case mediaCorrupt
  /// The container carries something else than what is to be installed.
  case otherContent(found: ContainerPart.Kind, wanted: ContainerPart.Kind)
}

extension ContainerError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .fileUnreadable(let error): error.kind
    case .newerFormat, .otherContent: .usage
    case .unknownKey, .keyOfKeyrings, .keyOutOfScope, .revokedKey, .signatureInvalid: .untrusted
    default: .damaged
    }
  }

  /// One line: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .fileUnreadable(let error): error.description
    case .fileTooLarge(let bytes):
      "\(bytes) bytes are more than a container may have (\(ContainerLayout.fileLimit))"
    case .truncated(let need, let got):
      "truncated: \(need) bytes are needed, \(got) are there; get the file again"
    case .notAStolFile:
      "not a stol container (the magic bytes are missing); make one with: stol db sign"
    case .newerFormat(let version):
      "made by a newer stol (container version \(version)); update stol"
    case .malformed(let offset, let reason):
      "corrupt: byte \(offset): \(reason); get the file again"
    case .unknownKey(let id?):
      "signed with the key \(id), which is not trusted here; if you trust its owner: "
        + "stol db keys add NAME.pub --dataset ID"
    case .keyOfKeyrings(let id):
      "signed with the root key \(id), which signs keyrings and no databases; its maker has to sign it with another"
    case .unknownKey(nil):
      "no key is trusted here yet; add the signer's: stol db keys add NAME.pub --unnamed"
    case .keyOutOfScope(let id, let dataset):
      "signed with a key of other datasets: \(KeyError.outOfScope(id, dataset).description)"
    case .revokedKey(let id):
      "signed with the key \(id), which has been revoked; get a newer release"
    case .signatureInvalid:
      "the signature is invalid, or its signer is not trusted here; get the file again, "
        + "or see: stol db keys list"
    case .checksumMismatch(let part, let isDecompressed):
      "corrupt: checksum of the \(isDecompressed ? "decompressed " : "")\(part) differs; "
        + "get the file again"
    case .bodyCorrupt(let part, let error): "corrupt: \(part): \(error)"
    case .trailingData(let part): "corrupt: bytes follow the end of the \(part)"
    case .bodyTooLong(let part, let limit):
      "refused: the \(part) decompresses to more than \(limit) bytes"
    case .bodyTooShort(let part, let expected, let got):
      "corrupt: the \(part) decompresses to \(got) bytes, \(expected) were signed"
    case .fileChanged: "the file changed while it was read; try again with a copy"
    case .databaseCorrupt(let detail): "corrupt: database: \(detail)"
    case .mediaCorrupt: "corrupt: the media do not begin as an archive of images"
    case .otherContent(.media, _):
      "holds images, not a database; install it with: stol media add FILE.stol-media"
    case .otherContent(_, .media):
      "holds a database, not images; install it with: stol db import FILE.stol"
    case .otherContent(let found, let wanted): "holds a \(found), not a \(wanted)"
    }
  }
}
