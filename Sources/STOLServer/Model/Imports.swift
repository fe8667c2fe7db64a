import STOLAnswers
import STOLData
import STOLFavorites
import STOLImport
import STOLSystem
import STOLTrust

/// The import of a reference database that runs, or the last one that ran.
actor Imports: UploadTaker {
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
    /// Somebody has to say whether to trust who signed it.
    case untrusted(UnknownSigner)
    /// It is installed and active.
    case done(title: String)
    /// It failed; what was installed before is as it was.
    case failed(Refusal)

    /// Whether another one has to wait.
    var isBusy: Bool {
      switch self {
      case .receiving, .running: true
      case .none, .waiting, .untrusted, .done, .failed: false
      }
    }
  }

  /// What waits for a word.
  private struct Waiting {
    let path: String
    let options: ReferenceImport.Options
    /// Whether the file was received, and is removed in the end.
    let isReceived: Bool
    /// What would become of favourites; nil while nobody trusts who signed it.
    var forecast: FavoriteForecast?
  }

  private let services: Services
  private(set) var state = State.none
  private var waiting: Waiting?
  private var running: Task<Void, Never>?
  /// Whether the server ends: then nothing is begun any more.
  private var isEnding = false

  nonisolated let uploadFolder: String
  nonisolated let uploadPath: String

  init(_ services: Services) {
    self.services = services
    uploadFolder = services.directory.databases
    uploadPath = ReferenceStore(in: services.directory).uploadPath
  }

  /// What would become of favourites, where an import waits.
  var forecast: FavoriteForecast? { waiting?.forecast }

  /// Begins to import the container at `path`; whatever comes of it, `state` says.
  func begin(_ path: String, options: ReferenceImport.Options) {
    guard claim() else { return }
    run(path, options, isReceived: false)
  }

  /// Installs what waits.
  func install() {
    guard state == .waiting, let waiting, claim(keepingFile: true) else { return }
    run(waiting.path, waiting.options, isReceived: waiting.isReceived, isAgreed: true)
  }

  /// Tries again to import what waits for a decision about its signer.
  func retry() {
    guard case .untrusted = state, let waiting, claim(keepingFile: true) else { return }
    run(waiting.path, waiting.options, isReceived: waiting.isReceived)
  }

  // MARK: - What a browser sends

  func beginUpload() -> Bool {
    guard services.installation != nil else {
      refuse(Refusal(.other, "the explorer was started for one pack"))
      return false
    }
    return claim()
  }

  func received(_ byteCount: Int64) { state = .receiving(byteCount: byteCount) }

  func refuse(_ refusal: Refusal) { state = .failed(refusal) }

  func arrived(_ fields: Fields) {
    guard !isEnding else {
      try? removeDurably(uploadPath)
      return refuse(Refusal(.cancelled, "the explorer ends"))
    }
    run(uploadPath, ReferenceImport.Options(fields), isReceived: true)
  }

  private func claim(keepingFile: Bool = false) -> Bool {
    guard !state.isBusy, !isEnding else { return false }
    if !keepingFile { dropFile() }
    waiting = nil
    state = .receiving(byteCount: 0)
    return true
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
        // Nobody is asked about the signer of what could not be imported anyway.
        _ = try Container(path: path).header.requiredPart(.database)
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
        guard let signer = UnknownSigner(of: path, refusedFor: error) else {
          return refuse(Refusal(error))
        }
        waiting = Waiting(path: path, options: options, isReceived: isReceived)
        state = .untrusted(signer)
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
      refuse(.cancelled)
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
      case .untrusted(let signer):
        json.text("state", "untrusted")
        json.text("key", signer.keyID?.description)
        json.text("dataset", signer.release?.dataset.text)
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
      case .failed(let refusal):
        json.text("state", "failed")
        json.text("reason", refusal.reason)
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
