import Hummingbird
import NIOCore
import STOLAnswers
import STOLData
import STOLFavorites
import STOLImport
import STOLSystem

/// The import of a reference database that runs, or the last one that ran.
actor Imports {
  /// How far it is.
  enum State: Equatable, Sendable {
    /// None was begun since the start.
    case none
    /// A browser sends the container.
    case receiving(byteCount: Int64)
    /// It is checked and installed.
    case running(stage: String, fraction: Double)
    /// It can be installed, and somebody has to say so, who sees what would become of favourites.
    case waiting
    /// It is installed and active.
    case done(title: String)
    /// It failed; what was installed before is as it was.
    case failed(reason: String)

    /// Whether another one has to wait.
    var isBusy: Bool {
      switch self {
      case .receiving, .running: true
      case .none, .waiting, .done, .failed: false
      }
    }
  }

  /// What waits for a word.
  private struct Waiting {
    let path: String
    let options: ReferenceImport.Options
    /// Whether the file was received, and is removed in the end.
    let isReceived: Bool
    let forecast: FavoriteForecast
  }

  private let services: Services
  private(set) var state = State.none
  private var waiting: Waiting?
  private var running: Task<Void, Never>?
  /// Whether the server ends: then nothing is begun any more.
  private var isEnding = false

  init(_ services: Services) { self.services = services }

  /// What would become of favourites, where an import waits.
  var forecast: FavoriteForecast? { waiting?.forecast }

  /// Begins to import the container at `path`; whatever comes of it, `state` says.
  func begin(_ path: String, options: ReferenceImport.Options) {
    guard claim() else { return }
    run(path, options, isReceived: false)
  }

  /// Installs what waits.
  func install() {
    guard let waiting, claim(keepingFile: true) else { return }
    run(waiting.path, waiting.options, isReceived: waiting.isReceived, isAgreed: true)
  }

  /// Keeps what a browser sends in a file of its own, and then imports it.
  nonisolated func receive(
    _ body: RequestBody, options query: Fields, upTo limit: Int64
  ) async -> Reply {
    guard services.installation != nil else {
      await fail("the explorer was started for one pack")
      return await reply(409)
    }
    guard await claim() else { return await reply(409) }
    let path = ReferenceStore(in: services.directory).uploadPath
    do {
      try createFolder(services.directory.databases)
      var file = try ReplacementFile(path: path)
      var byteCount: Int64 = 0
      for try await buffer in body {
        byteCount += Int64(buffer.readableBytes)
        guard byteCount <= limit else {
          await fail("the file is longer than \(Words.bytes(limit))")
          return await reply(413)
        }
        try file.write(Array(buffer: buffer), at: Int(byteCount) - buffer.readableBytes)
        await received(byteCount)
      }
      try file.finish()
    } catch {
      await fail("the file did not arrive: \(error)")
      return await reply(400)
    }
    await importReceived(path, ReferenceImport.Options(query))
    return await reply(202)
  }

  private func claim(keepingFile: Bool = false) -> Bool {
    guard !state.isBusy, !isEnding else { return false }
    if !keepingFile { dropFile() }
    waiting = nil
    state = .receiving(byteCount: 0)
    return true
  }

  private func received(_ byteCount: Int64) { state = .receiving(byteCount: byteCount) }

  private func fail(_ reason: String) { state = .failed(reason: reason) }

  private func importReceived(_ path: String, _ options: ReferenceImport.Options) {
    guard !isEnding else {
      try? removeDurably(path)
      return fail("the explorer ends")
    }
    run(path, options, isReceived: true)
  }

  /// Removes the file of what waits, if it was received.
  private func dropFile() {
    if let waiting, waiting.isReceived { try? removeDurably(waiting.path) }
  }

  /// Imports a container; where there are favourites and nobody has agreed yet, it rehearses that and waits.
  private func run(
    _ path: String, _ options: ReferenceImport.Options, isReceived: Bool, isAgreed: Bool = false
  ) {
    state = .running(stage: "starting", fraction: 0)
    let progress = services.importer.progress
    let follower = Task {
      for await step in progress {
        self.follow(step)
      }
    }
    running = Task {
      defer {
        follower.cancel()
        if isReceived, waiting == nil { try? removeDurably(path) }
      }
      do {
        let favorites = isAgreed ? [] : try await services.favorites.allFavorites()
        if !favorites.isEmpty {
          let then = try await services.importer.rehearseImport(at: path, options: options)
          let forecast = FavoriteForecast(favorites, now: services.provider.pack, then: then)
          waiting = Waiting(
            path: path, options: options, isReceived: isReceived, forecast: forecast)
          state = .waiting
          return
        }
        let reference = try await services.importer.importReference(at: path, options: options)
        // Ids may stand for other taxa now.
        try? await services.favorites.reload()
        state = .done(title: reference.title)
      } catch {
        let isCancelled = error is CancellationError
        state = .failed(reason: isCancelled ? "the import was cancelled" : "\(error)")
      }
    }
  }

  private func follow(_ step: ImportProgress) {
    guard state.isBusy else { return }
    state = .running(stage: step.stage.rawValue, fraction: step.fractionCompleted)
  }

  /// Ends the import that runs or waits.
  func cancel() async {
    if waiting != nil {
      dropFile()
      waiting = nil
      fail("the import was cancelled")
    }
    await services.importer.cancelImport()
  }

  /// Ends the import that runs, waits until nothing of it is left, and begins none any more.
  func end() async {
    isEnding = true
    await cancel()
    await running?.value
  }

  /// The state for programs, and for the page that shows how far it is.
  func reply(_ status: Int = 200) -> Reply {
    .json(status: status) { [state] json in
      switch state {
      case .waiting: json.text("state", "waiting")
      case .none: json.text("state", "none")
      case .receiving(let byteCount):
        json.text("state", "receiving")
        json.number("byteCount", Int(byteCount))
      case .running(let stage, let fraction):
        json.text("state", "running")
        json.text("stage", stage)
        json.number("fractionCompleted", exact: fraction)
      case .done(let title):
        json.text("state", "done")
        json.text("title", title)
      case .failed(let reason):
        json.text("state", "failed")
        json.text("reason", reason)
      }
    }
  }
}

extension ReferenceImport.Options {
  /// What the fields of the form ask for.
  init(_ fields: Fields) {
    self.init()
    allowsDowngrade = fields["downgrade"] != nil
    allowsOtherDataset = fields["replace"] != nil
  }
}

extension InstalledReference {
  /// The reference in a few words.
  var title: String { datasetTitle ?? "a database without a name" }
}
