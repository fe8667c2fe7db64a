import STOLAnswers
import STOLJournal
import STOLSystem
import STOLTrust

extension Pages {
  /// The page about the lock, as things stand.
  func lockPage(
    _ visit: Visit, _ protection: JournalProtection, wrong: String? = nil, status: Int = 200
  ) -> Reply {
    layout(visit).page("Lock", in: .journal, hasTwin: status == 200, status: status) {
      journalCrumb
      tag("h1") { Self.title(of: protection) }
      if let wrong {
        tag("div", .class("help"), .role("alert")) { tag("p") { "\(wrong)." } }
      } else if let sentence = visit.query["done"].flatMap({ Self.lockSentences[$0] }) {
        tag("div", .class("help done"), .role("status")) { tag("p") { sentence } }
      }
      switch protection {
      case .none:
        tag("p", .class("lead")) { "Nothing is noted here yet, so there is nothing to lock." }
      case .unprotected: setForm(visit)
      case .locked: lockedForms(visit)
      case .opened: openedForms(visit)
      }
    }
  }

  private static func title(of protection: JournalProtection) -> String {
    switch protection {
    case .none: "No journal yet"
    case .unprotected: "The journal is not locked"
    case .locked: "The journal is locked"
    case .opened: "The journal is open"
    }
  }

  private static let lockSentences = [
    "confirmed": "The recovery code is the right one. Keep it elsewhere than this computer.",
    "recovered": "The journal has a new passphrase, and is open. The recovery code is as it was.",
    "changed": "The journal has a new passphrase.",
    "unlocked": "The journal is not locked any more: it can be read without a passphrase.",
  ]

  /// The way back to the journal.
  var journalCrumb: Html {
    tag("nav", .class("breadcrumb"), .label("Breadcrumb")) {
      tag("ol") { tag("li") { tag("a", .href(Address(.list))) { "Journal" } } }
    }
  }

  private func lockForm(
    _ action: String, _ button: String, class name: String = "button main save",
    @HtmlBuilder fields: () -> Html = { Html() }
  ) -> Html {
    tag(
      "form", .class("entry lock"), Attribute("method", "post"),
      Attribute("action", Address(.lock).text)
    ) {
      void("input", .type("hidden"), .name(RequestGuard.tokenField), .value(token))
      void("input", .type("hidden"), .name("action"), .value(action))
      fields()
      tag("button", .type("submit"), .class(name)) { button }
    }
  }

  private func setForm(_ visit: Visit) -> Html {
    Html {
      tag("p", .class("lead")) {
        "Whoever uses this computer as you do can read it. Locked, it and its photos are encrypted, and only its passphrase opens it."
      }
      if DatabaseKey.isUsable {
        section("Lock it") {
          tag("p") {
            "A recovery code is shown then, once: write it down. Who has lost the passphrase and the code cannot open the journal, and nobody can help."
          }
          lockForm("lock", "Lock the journal") {
            secretField("passphrase", "Passphrase: several words that nobody guesses", isNew: true)
            secretField("again", "The same again", isNew: true)
          }
        }
      } else {
        tag("p") { "This program was built without what encrypts a journal." }
      }
    }
  }

  private func lockedForms(_ visit: Visit) -> Html {
    Html {
      tag("p", .class("lead")) { "Nothing of it is shown." }
      lockForm("open", "Open it") {
        secretField("passphrase", "Passphrase", isNew: false)
      }
      tag("p", .class("note")) {
        "It stays open for these pages until you shut it, or until this program ends; its files stay encrypted."
      }
      if services.journal.isCodeOpen.withLock({ $0 }) { confirmation }
      section("The passphrase is forgotten", id: "forgotten") {
        lockForm("recover", "Give it a new passphrase", class: "button save") {
          codeField("code")
          secretField("passphrase", "New passphrase", isNew: true, id: "new")
          secretField("again", "The same again", isNew: true)
        }
      }
    }
  }

  private func openedForms(_ visit: Visit) -> Html {
    Html {
      tag("p", .class("lead")) {
        "Its files are encrypted. These pages show it until you shut it, or until this program ends."
      }
      lockForm("shut", "Shut it now")
      if services.journal.isCodeOpen.withLock({ $0 }) { confirmation }
      section("Another passphrase") {
        lockForm("change", "Change the passphrase", class: "button save") {
          secretField("old", "Passphrase now", isNew: false)
          secretField("passphrase", "New passphrase", isNew: true, id: "new")
          secretField("again", "The same again", isNew: true)
        }
      }
      section("Another recovery code") {
        tag("p") { "The one before opens nothing then." }
        lockForm("code", "Show a new recovery code", class: "button save") {
          secretField("passphrase", "Passphrase", isNew: false, id: "code-passphrase")
        }
      }
      section("No passphrase any more") {
        tag("p") {
          "All of it is decrypted, and can be read by whoever uses this computer as you do."
        }
        lockForm("unlock", "Decrypt the journal", class: "button danger save") {
          secretField("passphrase", "Passphrase", isNew: false, id: "unlock-passphrase")
        }
      }
    }
  }

  private func codeField(_ id: String) -> Html {
    tag("div", .class("field")) {
      tag("label", .for(id)) { "Recovery code" }
      void(
        "input", .type("text"), .id(id), .name("code"), Attribute("autocomplete", "off"),
        Attribute("autocapitalize", "characters"), Attribute("spellcheck", "false"),
        Attribute("maxlength", "200"), Attribute("aria-describedby", "\(id)-hint"))
      tag("p", .class("note"), .id("\(id)-hint")) {
        "nine groups of four; small letters, spaces and hyphens are of no account"
      }
    }
  }

  private var confirmation: Html {
    section("Is the recovery code written down?", id: "confirm") {
      tag("p") { "Type it as you have written it: so it is sure that it opens the journal." }
      lockForm("confirm", "It is written down", class: "button save") { codeField("written") }
    }
  }

  /// The page that shows a recovery code; nothing shows it again.
  func codePage(_ visit: Visit, _ code: String, _ left: [String]) -> Reply {
    if visit.isOfProgram {
      return .json { json in
        json.text("recoveryCode", code)
        json.texts("readable", left)
      }
    }
    return layout(visit).page("Lock", in: .journal, hasTwin: false) {
      journalCrumb
      tag("h1", Attribute("data-forget", "")) { "The recovery code" }
      tag("p", .class("lead")) {
        "The journal is locked. This code opens it where the passphrase is lost. It is shown this once."
      }
      tag("p", .class("recovery-code"), .id("code-shown")) { tag("code") { code } }
      tag("p") { "Write it on paper, and keep that elsewhere than this computer." }
      confirmation
      if !left.isEmpty {
        section("These files stay readable") {
          tag("p") { "They are none of the journal's own. Delete them, or move them:" }
          itemList(of: left) { path in tag("code") { path } }
        }
      }
    }
  }
}
