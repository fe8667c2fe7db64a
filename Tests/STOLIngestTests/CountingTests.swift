import Foundation
import GRDB
import STOLIngest
import TestSupport
import Testing
import STOLSystem

private enum PythonCounter {
  static let python = "/usr/bin/python3"
  static let isPossible =
    RealSources.isAvailable("dwca/vascan.zip")
    && FileManager.default.isExecutableFile(atPath: python)
}

/// Whole sources against counts by a few lines of another language, which share nothing with stol.
@Suite(
  .enabled(
    if: PythonCounter.isPossible, "needs ../shared/data/reference/dwca/vascan.zip, and Python"))
struct CountingTests {
  /// What every script begins with: synonyms go to their taxon.
  private static let prelude = """
    import sys, zipfile, gzip, collections
    out = collections.Counter()
    def taxon(i):
        seen = 0
        while i in rows and seen < 100:
            accepted = rows[i]
            if not accepted: return i
            i = accepted
            seen += 1
        return None

    """

  private static let vascan =
    prelude + """
      archive = zipfile.ZipFile(sys.argv[1])
      def table(name):
          lines = archive.read(name).decode('utf-8').split('\\n')
          head = lines[0].split('\\t')
          return [dict(zip(head, l.split('\\t'))) for l in lines[1:] if l]
      taxa = table('taxon.txt')
      rows, several = {}, {}
      for t in taxa:
          ids = [a for a in t['acceptedNameUsageID'].split('|') if a and a != t['id']]
          several[t['id']] = ids
          rows[t['id']] = ids[0] if ids else None
      last, seen = None, set()
      for t in taxa:
          i = t['id']
          if not several[i]: out[t['taxonRank']] += 1
          out['synonyms'] += len({taxon(a) for a in several[i]} - {None})
          citation = ' '.join(t['nameAccordingTo'].split())
          if not taxon(i) or not citation: continue
          # What is said of a synonym is said of that name.
          if i != last: last, seen = i, set()
          if citation not in seen: out['references'] += 1
          seen.add(citation)
      for v in table('vernacularname.txt'):
          if taxon(v['id']): out['vernaculars'] += 1
      for d in table('description.txt'):
          if taxon(d['id']): out['traits'] += len({w for w in d['description'].split(',') if w})
      for k, v in out.items(): print(k, v, sep='\\t')

      """

  private static let gbif =
    prelude + """
      lines = gzip.open(sys.argv[1], 'rt', encoding='utf-8').read().split('\\n')
      table = [l.split('\\t') for l in lines if l]
      rows = {r[0]: r[1] if r[3] == 't' else None for r in table}
      for r in table:
          if r[3] == 't': out['synonyms'] += taxon(r[1]) is not None
          else: out[r[5].lower().replace('_', ' ')] += 1
          if r[28] != '\\\\N' and taxon(r[0]): out['references'] += 1
      for k, v in out.items(): print(k, v, sep='\\t')

      """

  private func count(_ script: String, _ path: String) throws -> [String: Int] {
    let folder = try TemporaryFolder()
    let output = folder("counts")
    try folder.write([], to: "counts")
    let file = try #require(FileHandle(forWritingAtPath: output))
    let end = try ChildProcess(PythonCounter.python, ["-c", script, path], output: file).wait()
    #expect(end == .status(0))
    var counts: [String: Int] = [:]
    for line in try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: "\t")
      counts[String(words[0])] = Int(words[1])
    }
    return counts.filter { $0.value > 0 }
  }

  /// What a database and the report of its making say, which must be the same.
  private func ingested(_ kind: SourceKind, _ path: String) throws -> [String: Int] {
    let folder = try TemporaryFolder()
    let report = try Ingestion(IngestSource(kind: kind, path: path)).write(to: folder("a.sqlite"))
    let queue = try DatabaseQueue(path: folder("a.sqlite"))
    return try queue.read { database in
      var counts: [String: Int] = [:]
      for row in try Row.fetchAll(
        database, sql: "SELECT rank, count(*) FROM taxa WHERE id <> -1 GROUP BY rank")
      {
        counts[row[0]] = row[1]
      }
      #expect(counts == report.totals.ranks)
      let totals = report.totals
      for (name, sql, total) in [
        ("synonyms", "names WHERE name_type = 'synonym'", totals.synonyms),
        ("vernaculars", "names WHERE name_type <> 'synonym'", totals.vernaculars),
        ("references", "refs", totals.references), ("traits", "traits", totals.traits),
      ] {
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(sql)") ?? 0
        #expect(count == total, "\(name)")
        if count > 0 { counts[name] = count }
      }
      for file in report.sources[0].files {
        #expect(file.outcomes.values.reduce(0, +) == file.rows, "\(file.name)")
      }
      return counts
    }
  }

  @Test func vascanHasWhatItsFilesHave() throws {
    let path = RealSources.root + "/dwca/vascan.zip"
    let counts = try ingested(.dwca, path)
    #expect(try count(Self.vascan, path) == counts)
    #expect(counts["species", default: 0] > 5000)
  }

  @Test func gbifHasWhatItsTableHas() throws {
    let path = RealSources.root + "/gbif_simple/simple.txt.gz"
    let counts = try ingested(.gbif, path)
    #expect(try count(Self.gbif, path) == counts)
    #expect(counts["species", default: 0] > 5000)
  }
}
