import STOLAnswers
import STOLMedia
import STOLTrust

/// Packs of images: what is installed, another one, and the end of one.
extension Pages {
  /// What names of packs end with.
  static let mediaEnding = ".stol-media"

  /// Who takes the signed files that are sent to a route.
  func taker(of route: Route) -> (any UploadTaker)? {
    switch route {
    case .databasesImport: imports
    case .mediaImport: mediaInstalls
    default: nil
    }
  }

  /// The packs that are installed, and how to install another.
  func media(_ visit: Visit) async -> Reply {
    let packs = await services.media.availableMediaPacks()
    if visit.address.form == .json {
      return .json { json in
        json.objects("packs", packs) { json, pack in
          json.text("id", pack.id.text)
          json.text("title", pack.title)
          json.text("licence", pack.licence)
          json.number("releaseNumber", Int(pack.releaseNumber))
          json.number("imageCount", pack.imageCount)
          json.number("byteCount", Int(pack.byteCount))
          json.text("key", pack.keyID)
          json.text("problem", pack.problem)
        }
      }
    }
    let state = await mediaInstalls.state
    let layout = layout(visit)
    return layout.settingsPage(Words[.packsOfImages]) {
      if packs.isEmpty {
        tag("p", .class("lead")) { Words[.noPack] }
      } else {
        itemList(class: "cards", item: "card", of: packs) { pack in Self.card(pack) }
        tag("p") { tag("a", .href(Address(.pictures(nil)))) { Words[.everyPicture] } }
      }
      sendPack(state, layout)
      tag("p") { tag("a", .href(Address(.keys))) { Words[.partKeys] } }
    }
  }

  /// A pack, and whose it is.
  private static func card(_ pack: MediaPack) -> Html {
    Html {
      tag("b") { Layout.name(name(of: pack)) }
      " "
      Words[.images, count: pack.imageCount] + Words.comma + Words.bytes(pack.byteCount)
      if let day = pack.buildTime?.prefix(10) {
        tag("p", .class("note")) {
          Words[.releaseMade, ["number": "\(pack.releaseNumber)", "day": String(day)]]
          if let licence = pack.licence { " " + Words[.ofLicence, ["licence": licence]] }
          if let key = pack.keyID.flatMap({ KeyID($0) }) {
            " "
            Html(.signedWith, ["key": digits(key)])
          }
        }
      }
      if let damage = pack.damage {
        tag("p", .class("note")) {
          Refusal(damage).words(ending: mediaEnding) ?? damage.description
        }
      } else if pack.isKeyRevoked {
        tag("p", .class("note")) { Words[.packKeyRevoked] }
      }
      if !pack.isBundled {
        tag(
          "a", .class("button danger"),
          .href(Address(.mediaDelete, .page, ["pack": pack.id.text])),
          .label(Words[.ofTaxon, ["word": Words[.deleteAsk], "taxon": name(of: pack)]])
        ) { Words[.deleteAsk] }
      }
    }
  }

  static func name(of pack: MediaPack) -> String {
    pack.title.isEmpty ? pack.id.text : pack.title
  }

  private func sendPack(_ state: MediaInstalls.State, _ layout: Layout) -> Html {
    tag("section", .id("import"), Attribute("data-import", Address(.mediaImport).text)) {
      tag("h2") { Words[.installPack] }
      switch state {
      case .receiving, .running:
        tag("p") {
          Words[.importRuns]
          " "
          tag("a", .href(Address(.mediaImport))) { Words[.seeHowFar] }
        }
      case .none, .untrusted, .done, .failed:
        if case .untrusted = state {
          tag("p") {
            Words[.fileWaits]
            " "
            tag("a", .href(Address(.mediaImport))) { Words[.decide] }
          }
        }
        tag("p") { Html(.importHint, ["ending": Self.code(Self.mediaEnding)]) }
        layout.action(.mediaImport, Words[.installIt], class: "button main", hasFile: true) {
          tag("label", .class("choose")) {
            void("input", .type("checkbox"), .name("downgrade"), .value("yes"))
            " " + Words[.takeOlder]
          }
          Self.fileField(Self.mediaEnding)
        }
      }
    }
  }

  /// The field of a signed file.
  static func fileField(_ ending: String) -> Html {
    tag("div", .class("field file"), .id("file-field")) {
      tag("label", .for("file")) { Words[.chooseFile] }
      void("input", .type("file"), .id("file"), .name("file"), Attribute("accept", ending))
    }
  }

  /// A text that is the same in all languages.
  static func code(_ text: String) -> Html {
    tag("code", Attribute("dir", "ltr")) { text }
  }

  // MARK: - Installation

  /// How far an installation is; the page loads itself again until it has ended.
  func mediaImport(_ visit: Visit) async -> Reply {
    if visit.address.form == .json { return await mediaInstalls.reply() }
    let state = await mediaInstalls.state
    let layout = layout(visit)
    return layout.page(
      Words[.installPack], in: .settings, refreshingAfter: state.isBusy ? 1 : nil
    ) {
      Layout.settingsCrumb
      switch state {
      case .none:
        tag("h1") { Words[.noImport] }
      case .receiving(let byteCount):
        tag("h1") { Words[.installing] }
        Self.progress(0, Words[.haveArrived, ["bytes": Words.bytes(byteCount)]], of: .mediaImport)
      case .running(let step):
        tag("h1") { Words[.installing] }
        Self.progress(
          Int(step.fractionCompleted * 100), stage: step.stage.rawValue, of: .mediaImport)
        layout.action(.mediaImport, Words[.cancel], ["action": "cancel"])
      case .untrusted(let signer):
        decision(signer, from: .mediaImport, layout)
      case .done(let pack):
        tag("h1") { Words[.packInstalled] }
        tag("p", .class("lead")) {
          Layout.name(Self.name(of: pack))
          Words.comma + Words[.images, count: pack.imageCount]
        }
        tag("p") {
          tag("a", .class("button main"), .href(Address(.pictures(nil)))) { Words[.everyPicture] }
        }
      case .failed(let refusal):
        tag("h1") { Words[.fileRefused] }
        refusal.html(ending: Self.mediaEnding)
      }
      tag("p") {
        tag("a", .class("button"), .href(Address(.media))) { Words[.packsOfImages] }
      }
    }
  }

  func changeMediaImport(_ visit: Visit, _ form: Fields) async -> Reply {
    switch form["action"] {
    case "cancel": await mediaInstalls.cancel()
    case "retry": await mediaInstalls.retry()
    case nil: return problem(visit, 400, Words[.noFileNamed], Words[.chooseFirst])
    default:
      return problem(visit, 400, Words[.unknownAction], Words[.oneOf, ["choices": "cancel, retry"]])
    }
    return .seeOther(Address(.mediaImport))
  }

  // MARK: - Removal

  private func pack(_ fields: Fields) async -> MediaPack? {
    guard let id = fields["pack"].flatMap({ MediaPackID($0) }) else { return nil }
    return await services.media.availableMediaPacks().first { $0.id == id && !$0.isBundled }
  }

  /// Asks whether a pack shall go.
  func mediaDelete(_ visit: Visit) async -> Reply {
    guard let pack = await pack(visit.query) else { return .seeOther(Address(.media)) }
    return confirmation(
      visit, in: .settings, Words[.deletePackTitle, ["name": Self.name(of: pack)]],
      Words[.deletePackText, ["images": Words[.images, count: pack.imageCount].capitalisedFirst]],
      Words[.delete], back: .media, ["pack": pack.id.text])
  }

  func deleteMedia(_ visit: Visit, _ form: Fields) async throws -> Reply {
    guard let id = form["pack"].flatMap({ MediaPackID($0) }) else {
      return problem(visit, 400, Words[.noSuchPack], Words[.oneOf, ["choices": "pack"]])
    }
    do {
      try await services.media.deleteMediaPack(id: id, isPatient: false)
    } catch MediaError.notInstalled {
      return problem(visit, 404, Words[.noSuchPack], Words[.noPackCalled, ["name": id.text]])
    } catch MediaError.inUse {
      return problem(visit, 409, Words[.cannotBeDone], Words[.changedElsewhere])
    }
    return .seeOther(Address(.media))
  }
}
