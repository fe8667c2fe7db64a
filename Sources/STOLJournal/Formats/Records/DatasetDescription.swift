/// What a Darwin Core archive says of itself: who made it, and what others may do with it.
public struct DatasetDescription: Hashable, Sendable {
  /// The licences that GBIF takes.
  public enum Licence: String, CaseIterable, Sendable {
    /// No rights are kept.
    case cc0 = "CC0-1.0"
    /// Whoever uses it says whose it is.
    case by = "CC-BY-4.0"
    /// The same, and not for money.
    case byNC = "CC-BY-NC-4.0"

    /// Where it can be read.
    var address: String {
      switch self {
      case .cc0: "http://creativecommons.org/publicdomain/zero/1.0/legalcode"
      case .by: "http://creativecommons.org/licenses/by/4.0/legalcode"
      case .byNC: "http://creativecommons.org/licenses/by-nc/4.0/legalcode"
      }
    }

    /// What it is called.
    var title: String {
      switch self {
      case .cc0: "Public Domain (CC0 1.0)"
      case .by: "Creative Commons Attribution (CC-BY) 4.0 License"
      case .byNC: "Creative Commons Attribution Non Commercial (CC-BY-NC) 4.0 License"
      }
    }
  }

  /// What others may do with it.
  public var licence: Licence
  /// Whose it is: a person, whose last name stands last.
  public var creator: String
  /// What it is called.
  public var title = "Observations of a field journal"
  /// What it is.
  public var abstract =
    "Organisms that were seen at places, as they were noted in a field journal kept with stol."

  /// A description.
  ///
  /// - Throws: `JournalError.invalid` for a creator or a title without a name.
  public init(licence: Licence, creator: String, title: String? = nil) throws(JournalError) {
    self.licence = licence
    self.creator = creator.trimmed()
    if let title { self.title = title.trimmed() }
    guard !self.creator.isEmpty else {
      throw .invalid(field: "creator", value: creator, remedy: "say whose the records are")
    }
    guard self.title.count >= Self.titleLength else {
      throw .invalid(
        field: "title", value: self.title,
        remedy: "at least \(Self.titleLength) letters, which GBIF wants")
    }
    try requireName(self.creator, "creator")
    try requireName(self.title, "title")
  }

  /// The shortest title that GBIF takes.
  private static let titleLength = 10

  /// The description as a document of EML 2.1.1 by the profile of GBIF.
  ///
  /// - Parameters:
  ///   - id: what tells the data set from others.
  ///   - privacy: what was made less exact, in a sentence; nil where nothing was.
  /// - Returns: the document.
  func eml(id: JournalID, privacy: String?) -> String {
    var xml = XMLText()
    let words = creator.split(separator: " ").map(String.init)
    let given = words.dropLast().joined(separator: " ")
    var name = "<individualName>"
    if !given.isEmpty { name += xml.element("givenName", given) }
    name += xml.element("surName", words.last ?? creator) + "</individualName>"
    let about = [abstract, privacy].compactMap { $0 }.map { xml.element("para", $0) }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <eml:eml xmlns:eml="eml://ecoinformatics.org/eml-2.1.1" \
      xmlns:dc="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xsi:schemaLocation="eml://ecoinformatics.org/eml-2.1.1 \
      http://rs.gbif.org/schema/eml-gbif-profile/1.1/eml.xsd" \
      packageId="urn:uuid:\(id)" system="http://gbif.org" scope="system" xml:lang="eng">
      <dataset>
      <title xml:lang="eng">\(xml.escaped(title))</title>
      <creator>\(name)</creator>
      <metadataProvider>\(name)</metadataProvider>
      <language>eng</language>
      <abstract>\(about)</abstract>
      <intellectualRights><para>This work is licensed under a \
      <ulink url="\(licence.address)"><citetitle>\(licence.title)</citetitle></ulink>.</para>\
      </intellectualRights>
      <contact>\(name)</contact>
      </dataset>
      </eml:eml>

      """
  }
}
