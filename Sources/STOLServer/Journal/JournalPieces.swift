import STOLAnswers
import STOLJournal
import STOLMedia
import STOLSystem

extension Pages {
  /// A term with what it is, where anything is known.
  func words(_ title: String, _ text: String?) -> Html? {
    guard let text, !text.isEmpty else { return nil }
    return Html {
      tag("dt") { title }
      tag("dd") { tag("bdi") { text } }
    }
  }

  /// The notes and measures among records.
  func facts(of parts: [KeptRecord]) -> Html? {
    let items: [Html] = parts.compactMap { part in
      switch part.record {
      case .note(let note):
        Html {
          if let time = note.time { "\(JournalWords.time(time)): " }
          tag("bdi") { note.text }
        }
      case .measure(let measure):
        Html {
          if let time = measure.time { "\(JournalWords.time(time)): " }
          measureText(measure)
        }
      default: nil
      }
    }
    guard !items.isEmpty else { return nil }
    return section("Notes") { itemList(class: "notes", of: items) { $0 } }
  }

  /// A measure as a person reads it.
  func measureText(_ measure: Measure) -> Html {
    let known = MeasureType.builtIn.first { $0.key == measure.type }
    return Html {
      tag("bdi") { known?.title ?? measure.type }
      " "
      tag("bdi") {
        measure.number.map { known?.written($0) ?? "\($0)" } ?? measure.text ?? ""
      }
    }
  }

  func photos(in parts: [KeptRecord]) -> [Photo] {
    parts.compactMap { part in
      if case .photo(let photo) = part.record { photo } else { nil }
    }
  }

  /// A button that deletes a record; it can be undone.
  func deletion(_ visit: Visit, _ id: JournalID, _ title: String) -> Html {
    tag("div", .class("actions")) {
      layout(visit).action(
        .journal(.list), title, class: "button danger", ["action": "delete", "id": "\(id)"])
    }
  }

  /// What an event is called: its kind, its time and its place.
  func eventTitle(_ detail: EventDetail) -> Html {
    guard case .event(let event) = detail.event.record else { return Html() }
    return Html {
      JournalWords.oneKind(event.kind).capitalisedFirst
      " on \(JournalWords.time(event.start))"
      if let place = detail.places.last {
        ", "
        tag("bdi") { place.name }
      }
    }
  }

  // MARK: - Photos

  /// Small images, each a link to what it is of.
  func photoGrid(_ photos: [Photo], _ title: String? = nil) -> Html? {
    guard !photos.isEmpty else { return nil }
    let grid = itemList(class: "photo-grid", of: photos) { photo in
      tag("a", .href(Address(.photo(photo.id)))) {
        void(
          "img", Attribute("src", Address(.photo(photo.id)).text),
          Attribute("alt", photo.caption ?? photo.name ?? "Photo"), Attribute("loading", "lazy"),
          Attribute("width", "256"), Attribute("height", "256"))
      }
      if let caption = photo.caption { tag("p", .class("note")) { tag("bdi") { caption } } }
    }
    return title.map { title in section(title) { grid } } ?? grid
  }

  /// All photos, a page at a time.
  func journalPhotos(_ visit: Visit, _ journal: LocalJournal) async throws -> Reply {
    let after = visit.query["after"].flatMap { JournalID($0) }
    let limit = 60
    let kept = try await journal.read { file, _ in try file.photos(after: after, limit: limit) }
    let photos = photos(in: kept)
    if visit.address.form == .json {
      return .json { json in
        json.objects("photos", photos) { json, photo in
          json.text("photo", "\(photo.id)")
          json.text("target", "\(photo.target)")
          json.text("caption", photo.caption)
          json.text("time", photo.time?.text)
          json.position("position", photo.position)
          json.text("href", Address(.photo(photo.id)).text)
        }
        json.text("next", photos.count == limit ? photos.last.map { "\($0.id)" } : nil)
      }
    }
    let targets = try await journal.read { file, _ in
      try photos.map { photo in (photo, try file.record(photo.target)?.record) }
    }
    return journalPage(visit, .photos, "Photos") {
      if photos.isEmpty {
        tag("p", .class("lead")) { "No photo is kept yet. A new note can have one." }
      }
      itemList(class: "photo-grid", of: targets) { photo, target in
        tag("a", .href(target.flatMap { Address(of: $0) } ?? Address(.photo(photo.id)))) {
          void(
            "img", Attribute("src", Address(.photo(photo.id)).text),
            Attribute("alt", photo.caption ?? photo.name ?? "Photo"), Attribute("loading", "lazy"),
            Attribute("width", "256"), Attribute("height", "256"))
        }
        if let time = photo.time { tag("p", .class("note")) { JournalWords.time(time) } }
      }
      if photos.count == limit, let last = photos.last {
        tag("p", .class("pages")) {
          tag("a", .class("button"), .href(Address(.photos, ["after": "\(last.id)"]))) {
            "Those after"
          }
        }
      }
    }
  }

  /// The image of a photo, as small as a page needs it.
  func photo(
    _ visit: Visit, _ id: JournalID, _ size: ThumbnailSize, _ journal: LocalJournal
  ) async throws -> Reply {
    if let bytes = try await journal.thumbnail(of: id, size) {
      return Reply(contentType: "image/jpeg", bytes: bytes)
    }
    // Of what no small image can be made, the file itself is shown, where browsers can.
    let photo = try await journal.read { file, _ -> (type: MediaImageType, bytes: [UInt8])? in
      guard case .photo(let photo)? = try file.record(id)?.record, photo.file.type != .heic else {
        return nil
      }
      return (photo.file.type, try file.bytes(of: photo))
    }
    guard let photo else {
      return problem(
        visit, 404, "There is no small image",
        "none can be made of this file; the photo itself is kept as it is")
    }
    return Reply(contentType: "image/\(photo.type.rawValue)", bytes: photo.bytes)
  }
}
