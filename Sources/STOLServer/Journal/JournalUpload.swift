import STOLFormats
import STOLJournal
import STOLPack
import STOLSystem
import STOLTrust

/// A file that somebody sent to be imported, kept for as long as it waits for a word.
final class JournalUpload: Sendable {
  /// What tells it from another one.
  let id: String
  /// What it is called, as the browser said.
  let name: String
  /// What the columns of a table say, line by line; nil for what the file says itself.
  let mapping: String?
  /// Whether photos are left out.
  let skipsPhotos: Bool
  private let passphrase: SecretBytes?
  private let file: PrivateFile

  /// Keeps a file for as long as this is there.
  ///
  /// - Throws: `SystemError`
  init(_ file: SentFile, skipsPhotos: Bool, passphrase: SecretBytes?) throws(SystemError) {
    id = "\(JournalID())"
    name = Self.shown(file.name)
    mapping = nil
    if let kept = file.kept { self.file = kept } else { self.file = try .of(file.bytes) }
    self.skipsPhotos = skipsPhotos
    self.passphrase = passphrase
  }

  /// The same file with what somebody says of its columns.
  init(_ other: JournalUpload, mapping: String) {
    id = "\(JournalID())"
    self.mapping = mapping
    (name, file) = (other.name, other.file)
    (skipsPhotos, passphrase) = (other.skipsPhotos, other.passphrase)
  }

  private var path: String { file.path }

  /// The last part of a name, which some browsers send as a path.
  private static func shown(_ name: String) -> String {
    let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    return last.isEmpty ? "file" : String(last.prefix(120))
  }

  /// What it says, with what was decided of its names; nothing is kept where it is a rehearsal.
  ///
  /// - Throws: what makes it unreadable; then nothing is kept.
  func work(
    into journal: JournalFile, _ pack: Pack, decisions: [String: String] = [:], isRehearsal: Bool
  ) throws -> ImportOutcome {
    var options = ImportOptions()
    options.isDryRun = isRehearsal
    let (source, proposal) = try open(into: journal, options)
    let names = DecidedNames(source.reader, in: pack, decisions: decisions)
    var odd = OddRows()
    let summary = try journal.importing(names, options, names: nil) { odd.add($0) }
    return ImportOutcome(
      format: source.format, mapping: mapping ?? proposal, unread: source.unread,
      summary: summary, odd: odd,
      questions: names.questions.sorted {
        ($1.rowCount, $0.verbatimName) < ($0.rowCount, $1.verbatimName)
      }, decidedCount: names.decidedCount)
  }

  private func open(
    into journal: JournalFile, _ options: ImportOptions
  ) throws -> (source: OpenImport, proposal: String?) {
    if let archive = try OpenImport(archiveOfTablesAt: path, as: nil) { return (archive, nil) }
    let proposal = try mapping == nil ? proposal() : nil
    let photos = PhotoImport(skipsPhotos ? .skip : .keep)
    let source = try OpenImport(
      ImportSource.stream(path), fileName: name, as: nil,
      by: try (mapping ?? proposal).map { try TableMapping(contentsOf: $0) } ?? TableMapping(),
      photos: photos, into: journal, options,
      passphrase: {
        guard let passphrase else { throw ImportObstacle.sealed }
        return passphrase
      })
    return (source, proposal)
  }

  /// What a table seems to say, for a person to look over; nil for what needs nothing.
  func proposal() throws -> String? { try TableProposal.text(ofFileAt: path, fileName: name) }

  /// An error in words without the path at which the file happens to lie.
  func words(_ error: any Error) -> String {
    if case JournalError.invalid(field: "--map", let value, let remedy) = error {
      return remedy.contains("--map")
        ? "nobody has said yet what its columns mean: \(value)" : "\(value): \(remedy)"
    }
    let text = (error as? any StolError)?.description ?? "\(error)"
    return text.replacing(path, with: name)
  }
}

/// Why a file cannot be read yet.
enum ImportObstacle: Error {
  /// It is sealed, and nobody gave its passphrase.
  case sealed
}

/// What became of the rows of a file, or would.
struct ImportOutcome: Sendable {
  let format: ImportFormat
  /// What its columns were taken for; nil for what needs no mapping.
  let mapping: String?
  /// The columns that are not taken.
  let unread: [String]
  let summary: ImportSummary
  let odd: OddRows
  /// The names that nobody decided, the most frequent first.
  let questions: [NameQuestion]
  /// How many names were decided.
  let decidedCount: Int
}

/// The rows of a file that a person should look at, refused ones before others.
struct OddRows: Sendable {
  /// As many are kept.
  static let limit = 200

  private(set) var shown: [ImportedRow] = []
  /// How many there are.
  private(set) var count = 0

  /// Takes note of a row.
  mutating func add(_ row: ImportedRow) {
    guard row.refusal != nil || !row.flags.isEmpty else { return }
    count += 1
    if shown.count < Self.limit {
      shown.append(row)
    } else if row.refusal != nil, let place = shown.lastIndex(where: { $0.refusal == nil }) {
      shown.remove(at: place)
      shown.append(row)
    }
  }
}
