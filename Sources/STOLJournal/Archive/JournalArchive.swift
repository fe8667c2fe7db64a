import STOLFormats
import STOLSystem
import STOLTrust

/// All of a journal in one file: a tar archive, which may be sealed with a passphrase, Format/JOURNAL.md.
///
/// The files of photos stand before the records, so that who reads it from its beginning has what a record names.
package enum JournalArchive {
  /// What the names of archives end with.
  static let fileExtension = "stoljournal"
  static let headName = "stol-journal.json"
  static let endName = "end.json"
  static let formatName = "stol-journal-archive"
  static let version = 1
  /// Records are written in parts of about so many bytes.
  static let partByteCount = 4 << 20

  /// What an archive begins with, sealed or not.
  package enum Form {
    /// A tar archive.
    case open
    /// One that is sealed with a passphrase.
    case sealed

    /// The form of an archive by the first bytes of it; nil where it is none.
    package init?(_ head: [UInt8]) {
      if head.starts(with: SealedForm.magic) {
        self = .sealed
      } else if head.starts(with: JournalArchive.headName.utf8 + [0]) {
        self = .open
      } else {
        return nil
      }
    }
  }

  /// The form of the archive at `path`; nil where there is none.
  static func form(ofFileAt path: String) -> Form? {
    guard let file = try? RegularFile(path: path, followsLinks: true),
      let head = try? file.bytes(at: 0, limit: 64)
    else {
      return nil
    }
    return Form(head)
  }

  static func name(of digest: Digest) -> String {
    let digits = "\(digest)"
    return "media/\(digits.prefix(2))/\(digits.dropFirst(2))"
  }

  static func partName(_ number: Int, _ digest: Digest) -> String {
    let digits = String(number)
    let zeros = String(repeating: "0", count: max(0, 6 - digits.count))
    return "records/\(zeros)\(digits)-\(digest).jsonl.zst"
  }

  /// The last entry, which tells a whole archive from one that is cut off.
  static func end(fileCount: Int, partCount: Int, recordCount: Int) -> [UInt8] {
    Array(
      "{\"files\":\(fileCount),\"parts\":\(partCount),\"records\":\(recordCount)}\n".utf8)
  }
}
