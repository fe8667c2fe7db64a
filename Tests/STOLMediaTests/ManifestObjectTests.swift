import Testing

@testable import STOLMedia

@Suite("Members of manifests")
struct ManifestObjectTests {
  private let good = """
    {"title": "T", "images": [
      {"taxonID": 8, "file": "8.png", "title": "T", "author": "A", "licence": "L", "source": ""},
      {"taxonID": -9, "file": "9.png", "title": "T", "author": "A", "licence": "L", "source": ""}
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

  @Test(arguments: [
    ("\"taxonID\": -9", "\"taxonID\": \"9\"", "taxonID: not an integer"),
    ("\"taxonID\": -9", "\"taxonID\": null", "taxonID: null"),
    ("\"taxonID\": -9", "\"none\": -9", "taxonID: missing"),
    ("\"file\": \"9.png\"", "\"file\": 9", "file: not a text"),
    ("\"file\": \"9.png\"", "\"file\": \"9.png\", \"type\": []", "type: not a text"),
  ])
  func namesTheImageThatIsWrong(_ old: String, _ new: String, _ reason: String) {
    expectError(.imageMalformed(image: "number 2", reason: reason)) {
      try read(good.replacing(old, with: new))
    }
  }

  @Test func saysInOneLineWhatIsWrong() {
    let notJSON = "not JSON, or a number in it no integer of 64 bits"
    let notUTF8 = "not UTF-8 without a byte order mark"
    for (text, reason) in [
      ("", notJSON), ("[", notJSON), (good + "1", notJSON), ("[]", "not an object of JSON"),
      (good.replacing("8,", with: "8.5,"), notJSON), ("{}", "title: missing"),
      (good.replacing("8,", with: "9223372036854775808,"), notJSON),
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
