import Testing

@testable import STOLMedia

@Suite("Members of manifests")
struct ManifestObjectTests {
  private let good = """
    {"title": "T", "images": [
      {"taxon": {"idSpace": "ncbi", "id": "8", "name": "N"}, "file": "8.png", "title": "T", "author": "A", "licence": "L", "source": ""},
      {"taxon": {"id": "-9", "name": "N", "year": 8}, "file": "9.png", "title": "T", "author": "A", "licence": "L", "source": ""}
    ]}
    """

  private func read(_ text: String) throws {
    let object = try ManifestObject(manifest: Array(text.utf8))
    _ = try object.eachImage { (image) throws(ManifestObject.Fault) in try image.about() }
  }

  @Test func ignoresMembersThatItDoesNotKnow() throws {
    try read(good)
    let more = "{\"more\": {\"a\": [1.5e3, true, null, \"\\ud83e\\udd81\"]}, \"\u{E9}\": 1, "
    try read(good.replacing("{\"", with: more + "\""))
  }

  @Test func oneOfAnOlderStolIsNotDamaged() {
    let older = good.replacing("{\"id\": \"-9\", \"name\": \"N\", \"year\": 8}", with: "9")
      .replacing("\"taxon\": 9,", with: "\"taxonID\": 9,")
    expectError(.olderManifest) { try read(older) }
    #expect(MediaError.olderManifest.description.contains("stol media sign"))
  }

  @Test(arguments: [
    ("\"id\": \"-9\"", "\"id\": -9", "taxon.id: not a text"),
    ("\"id\": \"-9\"", "\"id\": null", "taxon.id: null"),
    ("\"id\": \"-9\"", "\"none\": \"-9\"", "taxon.id: missing"),
    ("\"year\": 8", "\"year\": \"8\"", "taxon.year: not an integer"),
    ("\"year\": 8", "\"kingdoms\": {}", "taxon.kingdoms: not an array of JSON"),
    ("\"year\": 8", "\"kingdoms\": [\"A\", 1]", "taxon.kingdoms.2: not a text"),
    ("{\"id\": \"-9\", \"name\": \"N\", \"year\": 8}", "9689", "taxon: not an object of JSON"),
    ("\"file\": \"9.png\"", "\"file\": 9", "file: not a text"),
    ("\"file\": \"9.png\"", "\"file\": \"9.png\", \"type\": []", "type: not a text"),
  ])
  func namesTheImageThatIsWrong(_ old: String, _ new: String, _ reason: String) {
    expectError(.imageMalformed(image: "number 2", reason: reason)) {
      try read(good.replacing(old, with: new))
    }
  }

  @Test(arguments: [
    ("\"id\": \"-9\"", "\"id\": \"\"", "taxon.id: empty"),
    (
      "\"id\": \"-9\"", "\"id\": \"-9\", \"idSpace\": \"NCBI\"",
      "taxon.idSpace: not the name of an id space, as ncbi or col"
    ),
    ("\"name\": \"N\", \"year\"", "\"name\": \"\", \"year\"", "taxon.name: empty"),
    ("\"year\": 8", "\"rank\": \"a\\nb\"", "taxon.rank: has a control character"),
  ])
  func namesTheRuleThatAReferenceBreaks(_ old: String, _ new: String, _ reason: String) {
    expectError(.imageMalformed(image: "9.png", reason: reason)) {
      try read(good.replacing(old, with: new))
    }
  }

  @Test func saysInOneLineWhatIsWrong() {
    let notJSON = "not JSON, or a number in it no integer of 64 bits"
    let notUTF8 = "not UTF-8 without a byte order mark"
    for (text, reason) in [
      ("", notJSON), ("[", notJSON), (good + "1", notJSON), ("[]", "not an object of JSON"),
      (good.replacing("\"year\": 8", with: "\"year\": 8.5"), notJSON), ("{}", "title: missing"),
      (good.replacing("\"year\": 8", with: "\"year\": 9223372036854775808"), notJSON),
      ("{\"title\": \"\", \"images\": {}}", "images: not an array of JSON"),
      ("{\"title\": \"\", \"images\": []}", "images: 0, not from 1 to 10000"),
      ("\u{FEFF}" + good, notUTF8), (good.map { "\($0)\u{0}" }.joined(), notUTF8),
    ] {
      expectError(.manifestMalformed(reason: reason)) { try read(text) }
    }
    expectError(.imageMalformed(image: "number 1", reason: "not an object of JSON")) {
      try read("{\"title\": \"\", \"images\": [1]}")
    }
  }

  @Test(arguments: [
    ("", "[", ""), ("{\"more\": ", "{\"a\": ", "1"), ("{\"more\": [", "[],", "1]}"),
    ("{\"more\": [", "1,", "1]}"), ("{\"images\": [", "{},", "{}]}"),
    ("{\"images\": [{", "\"\":1,", "\"\":1}]}"),
  ])
  func endsWithTheWorstThatAStrangerCanWrite(_ start: String, _ piece: String, _ end: String) {
    let count = MediaLayout.manifestLimit / piece.utf8.count
    let worst = start + String(repeating: piece, count: count) + end
    #expect(throws: MediaError.self) { try read(worst) }
  }
}
