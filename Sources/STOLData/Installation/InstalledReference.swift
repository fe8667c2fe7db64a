/// The reference database that is installed, as `reference.txt` in the folder of databases states it.
///
/// The file is one line for each field, a word and its value; Format/DATABASE.md, "Where it
/// is installed". It is replaced as a whole: whoever reads it finds one generation, never half of two.
public struct InstalledReference: Equatable, Sendable {
  /// Grows with every import; names the folder of database and pack.
  public let generation: Int
  /// Whether queries go to it and not to the bundled database.
  public var isActive: Bool
  /// The dataset; nil for a container that names none.
  public let dataset: String?
  /// The number of the release; 0 for a container that names none.
  public let releaseNumber: UInt32
  /// When the database was built, `2026-01-31T12:00:00Z`.
  public let buildTime: String?
  /// Whose signature the container bore.
  public let keyID: String
  /// The SHA-256 of the database, in hexadecimal digits.
  public let digest: String

  /// A reference with all that is known of it.
  public init(
    generation: Int, isActive: Bool, dataset: String?, releaseNumber: UInt32, buildTime: String?,
    keyID: String, digest: String
  ) {
    self.generation = generation
    self.isActive = isActive
    self.dataset = dataset
    self.releaseNumber = releaseNumber
    self.buildTime = buildTime
    self.keyID = keyID
    self.digest = digest
  }

  /// What it is in a few words, "mammals, release 3"; nil for one that names no dataset.
  package var datasetTitle: String? { dataset.map { "\($0), release \(releaseNumber)" } }

  private static let firstLine = "stol-reference-1"

  /// The file's text.
  var fileText: String {
    var lines = [Self.firstLine, "generation \(generation)", "active \(isActive ? "yes" : "no")"]
    if let dataset { lines.append("dataset \(dataset)") }
    lines.append("release \(releaseNumber)")
    if let buildTime { lines.append("built \(buildTime)") }
    lines += ["key \(keyID)", "digest \(digest)"]
    return lines.map { $0 + "\n" }.joined()
  }

  /// What a file's text states, or nil if it is damaged.
  init?(fileText text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first == Self.firstLine[...], lines.popLast() == "" else { return nil }
    var fields: [Substring: Substring] = [:]
    for line in lines.dropFirst() {
      guard let space = line.firstIndex(of: " "), fields[line[..<space]] == nil else { return nil }
      fields[line[..<space]] = line[line.index(after: space)...]
    }
    guard let generation = fields["generation"].flatMap({ Int($0) }), generation > 0,
      let active = fields["active"], active == "yes" || active == "no",
      let release = fields["release"].flatMap({ UInt32($0) }),
      let key = fields["key"], let digest = fields["digest"]
    else { return nil }
    self.init(
      generation: generation, isActive: active == "yes",
      dataset: fields["dataset"].map(String.init),
      releaseNumber: release, buildTime: fields["built"].map(String.init), keyID: String(key),
      digest: String(digest))
  }
}
