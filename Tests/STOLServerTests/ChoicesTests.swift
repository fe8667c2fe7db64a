import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLServer

/// Language and theme as they are chosen, kept and shown.
@Suite struct ChoicesTests {
  private let folder: TemporaryFolder
  private let directory: DataDirectory
  private let pages: Pages

  init() throws {
    folder = try TemporaryFolder()
    var rows = Rows()
    let life = rows.add("Biota", "domain", "life")
    rows.add("Panthera leo", "species", below: life, "lion")
    let path = folder.path + "/small.stolpack"
    try rows.write(to: path)
    directory = DataDirectory(override: folder.path + "/home")
    var options = Explorer.Options(directory: directory, version: "stol 0")
    options.packPath = path
    pages = Pages(services: try Services(options), token: "secret")
  }

  private func choose(_ fields: String) async throws -> Reply {
    let form = try #require(Fields(parsing: fields))
    return await pages.reply(
      to: Visit(address: Address(.settings), form: form, language: nil))
  }

  private func page(_ route: Route, _ language: PageLanguage) async -> String {
    await Words.$language.withValue(language) {
      let reply = await pages.reply(
        to: Visit(address: Address(route), form: nil, language: nil))
      return String(decoding: reply.bytes, as: UTF8.self)
    }
  }

  @Test func choicesAreKept() async throws {
    let reply = try await choose("language=de&theme=dark&return=%2Ftree%3Fsort%3Dsize")
    #expect(reply.status == 303)
    #expect(reply.fields.first { $0.name == "location" }?.value == "/tree?sort=size")
    let kept = KeptChoices(in: directory).current
    #expect(kept.language == .de && kept.theme == .dark)
    #expect(try await choose("language=auto&theme=system").status == 303)
    #expect(KeptChoices(in: directory).current == Choices())
  }

  @Test(arguments: [
    "", "language=de", "language=xx&theme=dark", "language=de&theme=blue",
    "theme=dark", "language=DE&theme=dark",
  ])
  func whatIsNoChoiceIsRefused(fields: String) async throws {
    #expect(try await choose(fields).status == 400)
    #expect(pages.services.choices.current == Choices())
  }

  /// Whatever is in the file, the explorer starts.
  @Test(arguments: ["", "language=xx&theme=", "%", "\u{0}\u{FF}", "theme=dark\nlanguage=de"])
  func aDamagedFileIsAsNone(text: String) throws {
    try FileManager.default.createDirectory(
      atPath: directory.path, withIntermediateDirectories: true)
    try text.write(toFile: directory.path + "/explorer.txt", atomically: false, encoding: .utf8)
    let choices = KeptChoices(in: directory).current
    #expect(choices.language == nil)
  }

  @Test func aPageSaysItsLanguageAndDirection() async {
    #expect(await page(.home, .en).contains("<html lang=\"en\" dir=\"ltr\">"))
    #expect(await page(.home, .zh).contains("<html lang=\"zh-Hans\" dir=\"ltr\">"))
    let arabic = await page(.home, .ar)
    #expect(arabic.contains("<html lang=\"ar\" dir=\"rtl\">"))
    #expect(arabic.contains("كل حي من عائلة واحدة"))
  }

  /// The journal speaks English below a header in the language of the page.
  @Test func theJournalSpeaksEnglish() async {
    let page = await page(.journal(.list), .ar)
    #expect(page.contains("<html lang=\"ar\" dir=\"rtl\">"))
    #expect(page.contains("<main id=\"main\" tabindex=\"-1\" lang=\"en\" dir=\"ltr\">"))
  }

  @Test func theThemeIsInTheHeadOfThePage() async throws {
    let dark = "<link rel=\"stylesheet\" href=\"/assets/dark.css\""
    #expect(await page(.home, .en).contains(dark + " media=\"(prefers-color-scheme: dark)\">"))
    _ = try await choose("language=auto&theme=dark")
    #expect(await page(.home, .en).contains(dark + ">"))
    _ = try await choose("language=auto&theme=light")
    #expect(await !page(.home, .en).contains(dark))
  }

  @Test func answersInTwoLanguagesNeverShareATag() {
    let tags = PageLanguage.allCases.map { EntityTag(of: [1, 2, 3], in: $0.tag).text }
    #expect(Set(tags).count == tags.count)
  }
}
