import Foundation
import STOLPack
import TestSupport
import Testing

/// Hostile tests: damaged packs, each in a child process, so that a trap is a failure and not the end.
struct HostileTests {
  @Test(.disabled(if: Sweep.isAlone, "every run tries all"))
  func verifyReportsEveryBitFlipAndQueriesSurviveIt() async {
    await #expect(processExitsWith: .success) {
      let pack = try HostileSweep()
      var unreported: [Int] = []
      for bit in 0..<pack.bytes.count * 8 {
        var bytes = pack.bytes
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        if !HostileSweep.isDamageReported(in: bytes) { unreported.append(bit) }
      }
      print("bit flips: \(pack.bytes.count * 8), unreported: \(unreported)")
      exit(unreported.isEmpty && pack.hasStayedSmall ? 0 : 1)
    }
  }

  @Test(.disabled(if: Sweep.isAlone, "every run tries all"))
  func verifyReportsEveryTruncationAndQueriesSurviveIt() async {
    await #expect(processExitsWith: .success) {
      let pack = try HostileSweep()
      var unreported: [Int] = []
      for length in 0..<pack.bytes.count {
        if !HostileSweep.isDamageReported(in: Array(pack.bytes[..<length])) {
          unreported.append(length)
        }
      }
      print("truncations: \(pack.bytes.count), unreported: \(unreported)")
      exit(unreported.isEmpty && pack.hasStayedSmall ? 0 : 1)
    }
  }

  /// Random bytes over whole sections, with checksums that nobody checks before `verify`.
  @Test func queriesSurviveRandomDamage() async {
    await #expect(processExitsWith: .success) {
      exit(
        try HostileSweep().staysSmallOverRandomDamage(Sweep.count(few: 5_000, full: 200_000))
          ? 0 : 1)
    }
  }

  /// The same with tries of several levels and stored completions.
  @Test func searchesSurviveRandomDamage() async {
    await #expect(processExitsWith: .success) {
      exit(
        try HostileSweep("many").staysSmallOverRandomDamage(Sweep.count(few: 2_000, full: 50_000))
          ? 0 : 1)
    }
  }
}

/// Asks damaged copies of one vector seventy questions each.
private struct HostileSweep {
  let bytes: [UInt8]
  private let startKilobytes: Int

  /// Behind header and directory, whose checksums are looked at when a pack is opened.
  var firstSectionOffset: Int { 128 + 64 * Int(bytes[12]) }
  private static let memoryLimitKilobytes = 64 * 1024

  init(_ name: String = "life") throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Format/vectors/v2/valid/\(name).stolpack")
    bytes = Array(try Data(contentsOf: path))
    startKilobytes = Memory.peakKilobytes()
  }

  /// Whether the process has grown by less than 64 MiB.
  var hasStayedSmall: Bool { Memory.peakKilobytes() - startKilobytes < Self.memoryLimitKilobytes }

  /// Writes random bytes into `count` copies and asks each; whether that needs little memory.
  func staysSmallOverRandomDamage(_ count: Int) -> Bool {
    let seed = UInt64.random(in: 0...(.max))
    print("random damage, seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<count {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...64, using: &generator) {
        let place = Int.random(in: firstSectionOffset..<bytes.count, using: &generator)
        damaged[place] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = Self.isDamageReported(in: damaged)
    }
    return hasStayedSmall
  }

  /// Asks a pack of these bytes, if they open; whether somebody says that they are damaged.
  static func isDamageReported(in bytes: [UInt8]) -> Bool {
    endIfThisHangs()
    guard let pack = try? Pack(PackBytes(copying: bytes)) else { return true }
    ask(pack)
    return (try? pack.verify()) == nil
  }

  /// Texts that reach every kind of search: one word, several, letters of all lengths, a long one.
  private static let texts = [
    "panthera leo", "pantera loe", "p", "leo", "löwe", "лев", "獅子 x", "king of the besats",
    "le pan", "panthera leoo persica", "qartus ama", "hypothetobacterium",
    String(repeating: "panthera ", count: 9),
  ]

  /// Every search with one session; the answers may be anything.
  private static func search(_ view: borrowing PackView) {
    var session = SearchSession()
    for (number, text) in texts.enumerated() {
      var query = SearchQuery(text, words: number % 2 == 0 ? .asTyped : .anyForm, limit: 10)
      for mode in SearchQuery.Mode.allCases {
        query.mode = mode
        query.maximumDistance = mode == .fuzzy ? 3 : nil
        session.search(query, in: view)
      }
    }
    // Stored completions answer these.
    for text in ["a", "h", "hy", "l", "q", "qu"] {
      session.search(SearchQuery(text, words: .asTyped, limit: 10), in: view)
    }
  }

  /// Seventy questions; the answers may be anything.
  private static func ask(_ pack: Pack) {
    let view = pack.view
    let lion = view.ids.taxon(9689) ?? TaxonOrdinal(rawValue: 3)
    let oak = view.ids.taxon(-7) ?? TaxonOrdinal(rawValue: 7)
    _ = view.ids.resolve(101)
    _ = view.ids.resolve(5000)
    _ = view.ids.resolve(-6000)
    var taxa = [UInt32](repeating: 0, count: 40)
    var found = taxa.mutableSpan
    view.ids.taxa((0..<40).map { Int64($0 * $0 * 313 - 6000) }.span, into: &found)
    _ = view.tree.lowestCommonAncestor(lion, oak)
    _ = view.tree.lowestCommonAncestor((0..<20).map { TaxonOrdinal(rawValue: $0) })
    _ = view.tree.ancestors(of: lion)
    _ = view.tree.roots.map { view.tree.children(of: $0) }
    _ = view.tree.inducedSubtree([lion, oak, TaxonOrdinal(rawValue: 1)])
    _ = view.relatives(of: lion, limit: 10)
    _ = view.compare(lion, oak)
    _ = view.newick(of: TaxonOrdinal(rawValue: 3)) { _ in true }
    _ = (0..<20).map { view.taxon(TaxonOrdinal(rawValue: $0)) }
    _ = (0..<20).map { view.furtherNames(of: TaxonOrdinal(rawValue: $0)) }
    _ = view.traitList(of: lion)
    let languages = LanguagePreference("de-AT", in: view.names)
    _ = view.commonName(of: lion, in: languages)
    _ = view.nameGroups(of: lion, in: languages)
    _ = view.search(SearchQuery("panthera leo", mode: .exact))
    _ = view.search(SearchQuery("p", words: .asTyped))
    _ = view.search(SearchQuery("\"king of\""))
    _ = view.search(SearchQuery("cat house"))
    _ = view.resolve("лев")
    var ahead = NameReadAhead()
    for name in ["Panthera leo", "king", "Quercus", "oak", "x"] {
      ahead.note(Array(name.utf8).span, in: view)
      _ = view.resolvePlain(Array(name.utf8).span)
    }
    ahead.read(in: view)
    _ = ["9689", "x", "-7", "101"].map { view.ids.resolve(sourceID: $0) }
    _ = (0..<50).map { view.record(of: NameOrdinal(rawValue: $0)) }
    _ = (0..<50).map { view.source(ofName: NameOrdinal(rawValue: $0)) }
    _ = view.sources.count + view.sourcedTraits(of: lion).count
    _ = view.linnaeanDistance(lion, oak)
    _ = (0..<12).map { view.isAtOrAbove(lion, RankRow(rawValue: $0)) }
    search(view)
    let tour = EulerTour(of: view.tree)
    _ = tour[min(5, max(0, tour.count - 1))]
    _ = pack.sections
  }
}
