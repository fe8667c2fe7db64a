import STOLAnswers
import STOLData
import STOLMedia
import STOLTrust

/// Whose signatures count: keys, each looked at before it is trusted.
extension Pages {
  /// The keys that are trusted, and how to add one.
  func keys(_ visit: Visit) async -> Reply { await keys(visit, wrong: nil, status: 200) }

  private func keys(_ visit: Visit, wrong: String?, status: Int) async -> Reply {
    let ring: Keyring
    do {
      ring = try Keyring(folder: services.directory.keys)
    } catch {
      return problem(visit, 409, Words[.notReadOrWritten], error.description, isOfEngine: true)
    }
    if visit.address.form == .json {
      return .json { json in
        json.objects("keys", ring.entries) { json, entry in
          json.text("id", entry.key.id.description)
          json.text("key", entry.key.hexadecimal)
          json.text("role", entry.role.rawValue)
          json.text("label", entry.label)
          json.texts("datasets", entry.scope?.names ?? [])
          json.bool("isRevoked", ring.revokedIDs.contains(entry.key.id))
        }
      }
    }
    var signed: [SignedFiles] = []
    for entry in ring.entries { signed.append(await self.signed(by: entry.key)) }
    let layout = layout(visit)
    return layout.page(Words[.partKeys], in: .settings, status: status) {
      Layout.settingsCrumb
      tag("h1") { Words[.partKeys] }
      tag("p", .class("lead")) { Words[.keysLead] }
      if ring.entries.isEmpty {
        tag("p") { Words[.noKey] }
      } else {
        itemList(class: "cards", item: "card", of: zip(ring.entries, signed)) { entry, signed in
          Self.card(entry, signed, isRevoked: ring.revokedIDs.contains(entry.key.id))
        }
      }
      keyForm(layout, wrong)
    }
  }

  private static func card(
    _ entry: Keyring.Entry, _ signed: SignedFiles, isRevoked: Bool
  ) -> Html {
    Html {
      tag("b") { Layout.name(entry.label ?? Words[.keyOfProgram]) }
      " "
      digits(entry.key.id)
      tag("p") {
        if isRevoked {
          Words[.keyRevoked]
        } else if entry.role.signsKeyrings {
          Words[.signsKeyrings]
        } else if let scope = entry.scope {
          Words[.maySign, ["names": words(scope).joined(separator: Words.comma)]]
        } else {
          Words[.maySignAll]
        }
      }
      signed.html
      tag("details", .class("part")) {
        tag("summary") { Words[.digitsTitle] }
        digits(entry.key)
      }
      if !isRevoked {
        tag(
          "a", .class("button danger"),
          .href(Address(.keysForget, .page, ["key": entry.key.id.description])),
          .label(
            Words[
              .ofTaxon, ["word": Words[.stopTrusting], "taxon": entry.label ?? "\(entry.key.id)"]])
        ) { Words[.stopTrusting] }
      }
    }
  }

  private static func words(_ scope: KeyScope) -> [String] {
    scope.datasets.map(\.text).sorted() + (scope.includesUnnamed ? [Words[.unnamedFiles]] : [])
  }

  /// A key as its owner has it, in groups that are easily compared.
  static func digits(_ key: VerifyingKey) -> Html {
    tag("p") { tag("code", .class("digits"), Attribute("dir", "ltr")) { grouped(key.hexadecimal) } }
  }

  /// Its short name, in groups too.
  static func digits(_ id: KeyID) -> Html {
    tag("code", Attribute("dir", "ltr")) { grouped(id.description) }
  }

  /// Digits in groups of four.
  static func grouped(_ digits: String) -> String {
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, index % 4 == 0 { text += " " }
      text.append(digit)
    }
    return text
  }

  // MARK: - Adding

  private func keyForm(_ layout: Layout, _ wrong: String? = nil) -> Html {
    section(Words[.addKey], id: "add") {
      if let wrong { tag("p", .class("note"), .role("alert")) { wrong } }
      tag("p") { Html(.addKeyHint, ["ending": Self.code(VerifyingKey.fileSuffix)]) }
      layout.action(.keys, Words[.lookAtKey], class: "button main", hasFile: true) {
        tag("div", .class("field file")) {
          tag("label", .for("key-file")) { Words[.chooseFile] }
          void(
            "input", .type("file"), .id("key-file"), .name("file"),
            Attribute("accept", VerifyingKey.fileSuffix))
        }
        tag("div", .class("field")) {
          tag("label", .for("key-text")) { Words[.orItsLine] }
          void(
            "input", .type("text"), .id("key-text"), .name("text"),
            Attribute("autocomplete", "off"), Attribute("spellcheck", "false"),
            Attribute("dir", "ltr"), Attribute("placeholder", "stol-ed25519 …"))
        }
      }
    }
  }

  /// Looks at a key that was sent; nothing is trusted by that.
  func addKey(_ visit: Visit, _ form: Fields) async -> Reply {
    let bytes = visit.file?.bytes ?? Array((form["text"] ?? "").utf8)
    if SigningKey.begins(bytes) {
      return await keys(
        visit, wrong: Words[.isSecretKey, ["ending": VerifyingKey.fileSuffix]], status: 400)
    }
    // An editor may have saved it with other ends of lines; pasted, it may have blanks around it.
    let text = String(validating: bytes, as: UTF8.self)?
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let key = text.flatMap({ try? VerifyingKey(fileText: $0) }) else {
      return await keys(
        visit, wrong: Words[.isNoKey, ["ending": VerifyingKey.fileSuffix]], status: 400)
    }
    var name = visit.file?.name ?? ""
    if name.hasSuffix(VerifyingKey.fileSuffix) { name.removeLast(VerifyingKey.fileSuffix.count) }
    return .seeOther(
      Address(
        .keysTrust, .page,
        ["key": key.hexadecimal, "name": name.isEmpty ? nil : String(name.prefix(64))]))
  }

  // MARK: - Deciding

  /// The way to a decision about a file that waits.
  func decision(_ signer: UnknownSigner, from route: Route, _ layout: Layout) -> Html {
    let known = (try? Keyring(folder: services.directory.keys))?.trustedKeys
      .first { signer.isSigned(by: $0) }
    return Html {
      tag("h1") { Words[.whoMadeIt] }
      tag("p", .class("lead")) {
        if let release = signer.release {
          Words[.saysItIs, ["name": release.dataset.text, "number": "\(release.number)"]]
        } else {
          Words[.saysNothing]
        }
        if let key = signer.keyID {
          " "
          Html(.signedWith, ["key": Self.digits(key)])
        }
      }
      tag("p") { Words[.waitsForYou] }
      if let known {
        tag("p") {
          tag(
            "a", .class("button main"),
            .href(Address(.keysTrust, .page, ["key": known.hexadecimal]))
          ) { Words[.lookAtKey] }
        }
      } else {
        keyForm(layout)
      }
      layout.action(route, Words[.letItGo], ["action": "cancel"])
    }
  }

  /// The page on which somebody decides about a key.
  func keysTrust(_ visit: Visit) async -> Reply {
    guard let key = Self.key(visit.query) else { return .seeOther(Address(.keys)) }
    return await trustPage(visit, key, visit.query)
  }

  private static func key(_ fields: Fields) -> VerifyingKey? {
    fields["key"].flatMap { try? VerifyingKey(hexadecimal: $0) }
  }

  private func trustPage(
    _ visit: Visit, _ key: VerifyingKey, _ fields: Fields, wrong: String? = nil
  ) async -> Reply {
    let signed = await signed(by: key)
    let name = fields["name"]
    let asked = Set(fields.all("dataset"))
    let isAnswered = visit.form != nil
    let layout = layout(visit)
    return layout.page(Words[.trustTitle], in: .settings, status: wrong == nil ? 200 : 400) {
      Layout.settingsCrumb
      tag("h1") { Words[.trustTitle] }
      if let wrong { tag("p", .class("lead"), .role("alert")) { wrong } }
      tag("p") { Words[.trustText] }
      if let name {
        tag("p", .class("note")) { Html(.nameOfKey, ["name": Layout.name(name)]) }
      }
      section(Words[.digitsTitle]) {
        Self.digits(key)
        tag("p") { Words[.compareHint] }
      }
      section(Words[.whatItSigned]) { signed.html ?? tag("p") { Words[.signedNothing] } }
      section(Words[.whatItMaySign]) {
        layout.action(
          .keysTrust, Words[.trustButton], class: "button main",
          ["key": key.hexadecimal, "name": name ?? ""]
        ) {
          for dataset in Set(signed.datasets.compactMap { $0?.text }).sorted() {
            Self.choice(
              "dataset", dataset, Layout.name(dataset),
              isChosen: !isAnswered || asked.contains(dataset))
          }
          if signed.datasets.contains(nil) {
            Self.choice(
              "unnamed", "yes", Html(Words[.unnamedFiles]),
              isChosen: !isAnswered || fields["unnamed"] != nil)
          }
          tag("div", .class("field")) {
            tag("label", .for("others")) { Words[.otherNames] }
            void(
              "input", .type("text"), .id("others"), .name("others"),
              .value(fields["others"] ?? ""), Attribute("autocomplete", "off"),
              Attribute("spellcheck", "false"), Attribute("dir", "ltr"))
          }
          Self.choice("compared", "yes", Html(Words[.haveCompared]), isChosen: false)
        }
        tag("a", .class("button"), .href(Address(.keys))) { Words[.doNotTrust] }
      }
    }
  }

  private static func choice(
    _ name: String, _ value: String, _ text: Html, isChosen: Bool
  ) -> Html {
    tag("label", .class("choose")) {
      void(
        "input", .type("checkbox"), .name(name), .value(value),
        Attribute("checked", isSet: isChosen))
      " "
      text
    }
  }

  /// Trusts a key, once somebody says that they compared it.
  func trustKey(_ visit: Visit, _ form: Fields) async throws -> Reply {
    guard let key = Self.key(form) else {
      return await keys(
        visit, wrong: Words[.isNoKey, ["ending": VerifyingKey.fileSuffix]], status: 400)
    }
    let others = (form["others"] ?? "").split { ",; ".contains($0) }.map(String.init)
    let datasets = (form.all("dataset") + others).map { DatasetID($0) }
    guard form["compared"] != nil else {
      return await trustPage(visit, key, form, wrong: Words[.compareFirst])
    }
    let known = datasets.compactMap(\.self)
    guard known.count == datasets.count, !known.isEmpty || form["unnamed"] != nil else {
      return await trustPage(visit, key, form, wrong: Words[.sayWhatItMaySign])
    }
    let files = await signed(by: key)
    let scope = KeyScope(datasets: known, includesUnnamed: form["unnamed"] != nil)
    let refusal = try await changeKeys(visit) { ring throws(KeyError) in
      try ring.add(key, label: form["name"] ?? "", for: scope)
    }
    if let refusal { return refusal }
    guard let waiting = files.waiting.first else { return .seeOther(Address(.keys)) }
    // What waited for this goes on.
    await imports.retry()
    await mediaInstalls.retry()
    return .seeOther(
      Address(waiting.path == mediaInstalls.uploadPath ? .mediaImport : .databasesImport))
  }

  // MARK: - Un-trusting

  private func entry(_ fields: Fields) -> Keyring.Entry? {
    guard let id = fields["key"].flatMap({ KeyID($0) }),
      let ring = try? Keyring(folder: services.directory.keys), !ring.revokedIDs.contains(id)
    else { return nil }
    return ring.entries.first { $0.key.id == id }
  }

  /// Asks whether a key shall not be trusted any more.
  func keysForget(_ visit: Visit) async -> Reply {
    guard let entry = entry(visit.query) else { return .seeOther(Address(.keys)) }
    let signed = await signed(by: entry.key)
    let id = entry.key.id.description
    let layout = layout(visit)
    return layout.page(Words[.stopTitle], in: .settings) {
      tag("h1") { Words[.stopTitle] }
      tag("p", .class("lead")) {
        Layout.name(entry.label ?? Words[.keyOfProgram])
        " "
        Self.digits(entry.key.id)
      }
      signed.html
      tag("p") { Words[.stopText] }
      tag("div", .class("actions")) {
        if entry.label != nil {
          layout.action(
            .keysForget, Words[.stopButton], class: "button danger",
            ["action": "remove", "key": id])
        }
        tag("a", .class("button"), .href(Address(.keys))) { Words[.keepButton] }
      }
      section(Words[.neverAgain]) {
        tag("p") { Words[.neverAgainText] }
        layout.action(
          .keysForget, Words[.neverAgainButton], class: "button danger",
          ["action": "revoke", "key": id])
      }
    }
  }

  func forgetKey(_ visit: Visit, _ form: Fields) async throws -> Reply {
    guard let id = form["key"].flatMap({ KeyID($0) }) else {
      return problem(
        visit, 400, Words[.notTrusted], Words[.isNoKey, ["ending": VerifyingKey.fileSuffix]])
    }
    let refusal: Reply?
    switch form["action"] {
    case "remove":
      refusal = try await changeKeys(visit) { ring throws(KeyError) in try ring.remove(id) }
    case "revoke":
      refusal = try await changeKeys(visit) { ring throws(KeyError) in ring.revoke(id) }
    default:
      return problem(
        visit, 400, Words[.unknownAction], Words[.oneOf, ["choices": "remove, revoke"]])
    }
    if let refusal { return refusal }
    await services.media.reload()
    return .seeOther(Address(.keys))
  }

  /// Changes the keys; what a person can mend is said in words for people.
  private func changeKeys(
    _ visit: Visit, _ change: (inout Keyring) throws(KeyError) -> Void
  ) async throws -> Reply? {
    try services.directory.check()
    do {
      try Keyring.update(folder: services.directory.keys, isPatient: false, change)
      return nil
    } catch {
      switch error {
      case .revoked: return problem(visit, 409, Words[.notTrusted], Words[.keyRevoked])
      case .otherRole: return problem(visit, 409, Words[.notTrusted], Words[.signsOther])
      case .unknown: return problem(visit, 404, Words[.notHere], Words[.noSuchKey])
      case .inUse: return problem(visit, 409, Words[.cannotBeDone], Words[.changedElsewhere])
      default: throw error
      }
    }
  }
}

extension Keyring.Entry {
  /// What the user called it; nil for one that was not added by hand.
  fileprivate var label: String? {
    guard case .added(let label) = origin else { return nil }
    return label.isEmpty ? key.id.description : label
  }
}
