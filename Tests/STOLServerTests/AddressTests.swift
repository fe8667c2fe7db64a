import STOLPack
import TestSupport
import Testing

@testable import STOLServer

@Suite("Addresses")
struct AddressTests {
  private static let routes: [Route] =
    Route.fixed + [
      .tree(9689), .icicle(9689), .taxon(9689), .taxon(-5),
      .taxon(TaxonAddress(short: TaxonID(rawValue: .max))),
      .taxon(Self.address("4CGXP")), .tree(Self.address("https://x.org/1?a=b.json")),
      .lineage(Self.address("Genus Ä 1%")),
      .lineage(1), .relatives(1), .image(1), .drawing(1), .thumbnail(1), .pictures(1),
      .asset("look.css"),
    ]

  private static func address(_ id: String) -> TaxonAddress {
    TaxonAddress(idSpace: "col", sourceID: id, id: 0)
  }

  @Test func taxaAreWrittenWithWhatTheirIDsAreIDsOf() {
    #expect(Address(.taxon(Self.address("4CGXP")), .json).path == "/taxon/col:4CGXP.json")
    let unstated = TaxonAddress(idSpace: "unstated-0a1b2c3d", sourceID: "7", id: 7)
    #expect(Address(.taxon(unstated)).path == "/taxon/unstated-0a1b2c3d:7")
    #expect(Address(.tree(Self.address("a/b.c"))).path == "/tree/col:a%2Fb%2Ec")
    // One form only, and no id space that none can have.
    for path in [
      "/taxon/col:", "/taxon/:1", "/taxon/COL:1", "/taxon/col:a%2fb", "/taxon/col:%41",
      "/taxon/col:a%2",
      "/taxon/col:a.b", "/taxon/col:a+b", "/taxon/col:%FF", "/taxon/9:1", "/taxon/col:1:2",
    ] {
      #expect(Address(path: path) == nil, "\(path)")
    }
  }

  @Test(arguments: routes) func everyRouteHasOnePathInEachOfItsForms(route: Route) throws {
    #expect(Route(path: route.path) == route)
    for form in [Form.page, .json, .svg] {
      let address = Address(route, form)
      if route.forms.contains(form) {
        #expect(Address(path: address.path) == address, "\(address.path)")
      } else if !route.path.contains(".") {
        #expect(Address(path: address.path) == nil, "\(address.path)")
      }
    }
  }

  @Test(arguments: [
    "", "x", "//", "//tree", "/tree/", "/Tree", "/tree/01", "/tree/+1", "/tree/1/2", "/taxon",
    "/taxon/", "/taxon/x", "/taxon/9223372036854775808", "/taxon/1/", "/taxon/1/x", "/taxon/1.5",
    "/taxon/1/lineage/", "/../tree", "/./tree", "/%74ree", "/tree%2f1", "/assets", "/assets/a/b",
    "/.json", "/.svg", "/tree.json.json", "/index", "/settings/x", "/openapi", "http://a/tree",
  ])
  func otherPathsLeadNowhere(path: String) {
    if let address = Address(path: path) { Issue.record("\(path) is \(address)") }
  }

  @Test func fieldsAreReadAsABrowserWritesThem() throws {
    let fields = try #require(
      Fields(parsing: "q=pantera+leo&x=&taxon=1&taxon=%C3%A9%26%3D&=z&flag"))
    #expect(fields["q"] == "pantera leo")
    #expect(fields["x"] == nil)
    #expect(fields.all("taxon") == ["1", "é&="])
    #expect(fields["flag"] == nil)
    #expect(Fields(parsing: "")?.pairs.isEmpty == true)
  }

  @Test(arguments: ["q=%", "q=%4", "q=%zz", "q=%ff", "%=1"])
  func brokenEscapesAreRefused(text: String) { #expect(Fields(parsing: text) == nil) }

  @Test func tooManyFieldsAreRefused() {
    let one = Array(repeating: "a=1", count: Fields.greatestCount)
    #expect(Fields(parsing: one.joined(separator: "&")) != nil)
    #expect(Fields(parsing: (one + ["a=1"]).joined(separator: "&")) == nil)
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var fields = Fields()
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        let scalars = (0..<6).compactMap { _ in
          Unicode.Scalar(UInt32.random(in: 0..<0x2FFF, using: &generator))
        }
        fields.append(
          "f\(Int.random(in: 0...2, using: &generator))", String(String.UnicodeScalarView(scalars)))
      }
      #expect(Fields(parsing: fields.text) == fields, "seed \(seed)")
    }
  }

  @Test(arguments: [
    "https://evil.example/", "//evil.example", "/nowhere", "", "javascript:alert(1)",
  ])
  func aFormCannotSendTheBrowserElsewhere(text: String) {
    #expect(Address(returning: text) == nil)
  }
}
