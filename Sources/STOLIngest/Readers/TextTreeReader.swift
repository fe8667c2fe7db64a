import STOLFormats
import STOLNames
import STOLPack

/// Reads a TextTree: one name a line, two spaces for each level
/// (github.com/gbif/text-tree, its README).
///
///     Abies Mill. [genus]
///       Abies alba Mill. [species] {ID=17 VERN=de:Weißtanne}  # a comment
///         =Pinus picea L. [species]
///
/// - "=", "≡" and "*" stand before synonyms of what is above them, "$" before basionyms, "†" before
///   extinct and "?" before doubtful taxa.
/// - In braces ID is the id, VERN vernacular names with their languages, ENV traits `habitat`. Other
///   keys are named in the report.
/// - A name without an id has its rank, name and authorship for one, and a number where several have.
struct TextTreeReader {
  private let files: SourceFiles
  private let intake: Intake

  init(_ files: SourceFiles, _ intake: Intake) {
    self.files = files
    self.intake = intake
  }

  /// The tree in a source: a file that ends in .txtree, else the only file if it reads as one.
  static func file(in files: SourceFiles) throws -> String? {
    if let name = files.names.first(where: { $0.lowercased().hasSuffix(".txtree") }) { return name }
    guard files.names.count == 1 else { return nil }
    return try isTree(files.names[0], in: files) ? files.names[0] : nil
  }

  /// Whether the first lines of a file are those of a tree: a rank in brackets ends the first one, and
  /// one of the next is indented.
  private static func isTree(_ name: String, in files: SourceFiles) throws -> Bool {
    let head = try files.head(of: name)
    var isRead = false
    let stream = SourceStream(name: name) { () throws(FormatError) in
      defer { isRead = true }
      return isRead ? [] : head
    }
    var lines = TableReader(stream, .lines(head: head), onFinding: { _, _ in })
    var count = 0
    while count < 20, try lines.next() {
      guard let line = try? TextTreeLine(lines.wholeText) else { return false }
      guard !line.name.isEmpty else { continue }
      if count == 0, line.rank.isEmpty || line.depth > 0 { return false }
      if line.depth > 0, !line.rank.isEmpty { return true }
      count += 1
    }
    return false
  }

  func read() throws {
    guard let file = try Self.file(in: files) ?? (files.names.count == 1 ? files.names[0] : nil)
    else {
      throw FormatError.missingFile(path: files.path, name: "NAME.txtree")
    }
    intake.metadata = try DatasetMetadata(of: files, findings: intake.findings)
    intake.account.begin(file)
    var tooLong: FormatError?
    var lines = TableReader(
      try files.open(file), .lines(head: try files.head(of: file)), fileName: file,
      onFinding: { [findings = intake.findings, files] finding, example in
        findings.ofRows(finding, example)
        // What is below a line that is left out would be nobody's.
        if finding == .rowTooLong {
          tooLong = .unreadable(path: files.path, reason: "\(example()), which no name has")
        }
      })
    var unread: [String: String] = [:]
    var ids: [String: Int] = [:]
    // The way from the root to the line before.
    var path: [(id: String, isSynonym: Bool)] = []
    while try lines.next() {
      let number = lines.line
      if let tooLong { throw tooLong }
      let line: TextTreeLine
      do throws(TextTreeLine.Failure) {
        line = try TextTreeLine(lines.wholeText)
      } catch {
        throw FormatError.line(file: file, line: number, reason: error.description)
      }
      guard !line.name.isEmpty else { continue }
      guard line.depth <= path.count else {
        throw FormatError.line(
          file: file, line: number,
          reason: "it is indented by \(2 * line.depth) spaces, below a line with "
            + "\(2 * (path.count - 1)); each level has two")
      }
      try intake.countRow()
      path.removeSubrange(line.depth...)
      var usage = usage(line, number)
      usage.id = line.infos.first { $0.key == "ID" }?.value ?? ""
      if usage.id.isEmpty {
        let id = usage.stableID
        ids[id, default: 0] += 1
        usage.id = ids[id] == 1 ? id : "\(id) (\(ids[id] ?? 0))"
      }
      if let parent = path.last(where: { !$0.isSynonym })?.id {
        if line.isSynonym { usage.acceptedIDs = [parent] } else { usage.parentID = parent }
      }
      path.append((usage.id, line.isSynonym))
      try intake.add(usage)
      if !usage.name.isEmpty { try addFurther(line, usage, &unread) }
    }
    if let tooLong { throw tooLong }
    intake.account.noteUnread(unread)
  }

  private func usage(_ line: TextTreeLine, _ number: Int) -> SourceUsage {
    var usage = SourceUsage()
    usage.line = number
    usage.rank = intake.rank(line.rank, line: number)
    let text = intake.clean(line.name, line: number)
    let parts = intake.nameParts(text, rank: usage.rank, line: number)
    usage.name = parts.canonicalName
    usage.authorship = parts.authorship
    usage.year = parts.year
    usage.sensu = parts.phrase
    usage.status = line.isSynonym ? .synonym : line.isDoubtful ? .doubtful : .accepted
    if line.isSynonym { usage.statusText = line.isHomotypic ? "homotypic synonym" : "synonym" }
    if line.isBasionym { usage.nomenclaturalStatus = "basionym" }
    usage.code = line.infos.first { $0.key == "CODE" }?.value ?? ""
    return usage
  }

  private func addFurther(
    _ line: TextTreeLine, _ usage: SourceUsage, _ unread: inout [String: String]
  ) throws {
    if line.isExtinct, !line.isSynonym {
      try intake.add(.extinct, of: usage.id, isFurther: true)
    }
    for info in line.infos {
      let (key, value) = (info.key, info.value)
      let values = TextTreeLine.values(value)
      switch key {
      case "ID", "CODE": break
      case "ENV" where !line.isSynonym:
        for value in values {
          try intake.add(
            .trait(key: "habitat", value: value.lowercased()), of: usage.id, isFurther: true)
        }
      case "VERN" where !line.isSynonym:
        for value in values {
          let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
          let name = intake.clean(parts.last ?? "", line: usage.line)
          guard !name.isEmpty else { continue }
          let language = parts.count > 1 ? parts[0] : ""
          try intake.add(
            .vernacular(
              name: name, language: intake.language(language, line: usage.line),
              isPreferred: false), of: usage.id, isFurther: true)
        }
      default: unread[key] = ColumnMap.isUnasked
      }
    }
  }
}

extension TableReader {
  /// The first field as it is, with the spaces around it.
  fileprivate var wholeText: String {
    let bytes = bytes(0)
    return String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}

/// One line of a TextTree.
struct TextTreeLine: Equatable {
  /// How many levels it is indented.
  var depth = 0
  /// The name with its authorship; empty where the line says nothing.
  var name = ""
  var rank = ""
  var isSynonym = false
  var isHomotypic = false
  var isBasionym = false
  var isExtinct = false
  var isDoubtful = false
  /// What stands in braces, in its order.
  var infos: [Info] = []

  struct Info: Equatable {
    var key: String
    var value: String
  }

  /// Why a line cannot be read.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads a line.
  ///
  /// - Complexity: O(length)
  init(_ text: String) throws(Failure) {
    var rest = Self.withoutComment(text[...])
    guard !rest.allSatisfy(\.isWhitespace) else { return }
    let indent = rest.prefix { $0.isWhitespace }
    guard indent.allSatisfy({ $0 == " " }) else {
      throw Failure(description: "it is indented with something else than spaces")
    }
    guard indent.count.isMultiple(of: 2) else {
      throw Failure(description: "it is indented by \(indent.count) spaces; each level has two")
    }
    depth = indent.count / 2
    rest = rest.dropFirst(indent.count)
    marks: while let mark = rest.first {
      switch mark {
      case "=", "*": isSynonym = true
      case "≡": (isSynonym, isHomotypic) = (true, true)
      case "$": isBasionym = true
      case "†", "‡": isExtinct = true
      case "?": isDoubtful = true
      default: break marks
      }
      rest = rest.dropFirst()
    }
    rest = Self.trimmed(rest)
    if rest.last == "}", let brace = rest.lastIndex(of: "{") {
      let inside = rest[rest.index(after: brace)...].dropLast()
      // "{?}" after a name is a sign of doubt.
      if inside.contains("=") {
        infos = Self.infos(inside)
        rest = Self.trimmed(rest[..<brace])
      }
    }
    if rest.last == "]", let bracket = rest.lastIndex(of: "[") {
      rank = String(Self.trimmed(rest[rest.index(after: bracket)...].dropLast()))
      rest = Self.trimmed(rest[..<bracket])
    }
    name = String(rest)
  }

  /// Without what "#" begins, at the beginning of the line or behind a space.
  private static func withoutComment(_ line: Substring) -> Substring {
    var isAfterSpace = true
    for index in line.indices {
      if line[index] == "#", isAfterSpace { return line[..<index] }
      isAfterSpace = line[index] == " "
    }
    return line
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// "ID=17 VERN=de:Rote Tanne,nl:Den": a value goes on to the next key.
  private static func infos(_ text: Substring) -> [Info] {
    var infos: [Info] = []
    for word in text.split(separator: " ") {
      if let mark = word.firstIndex(of: "="), mark > word.startIndex,
        word[..<mark].allSatisfy({ $0.isLetter || $0 == "_" })
      {
        infos.append(
          Info(key: word[..<mark].uppercased(), value: String(word[word.index(after: mark)...])))
      } else if !infos.isEmpty {
        infos[infos.count - 1].value += " " + word
      }
    }
    return infos
  }

  /// The values between commas; a doubled one is a comma.
  static func values(_ text: String) -> [String] {
    text.replacing(",,", with: "\u{1}").split(separator: ",")
      .map { trimmingSpaces(String($0).replacing("\u{1}", with: ",")) }
      .filter { !$0.isEmpty }
  }
}
