import STOLAnswers
import STOLData
import STOLMedia
import STOLSystem
import STOLTrust

/// The installation of a pack of images that runs, or the last one that ran.
actor MediaInstalls: UploadTaker {
  /// How far it is.
  enum State: Equatable, Sendable {
    /// None was begun since the start.
    case none
    /// A browser sends the container.
    case receiving(byteCount: Int64)
    /// It is checked and installed.
    case running(MediaProgress)
    /// Somebody has to say whether to trust who signed it.
    case untrusted(UnknownSigner)
    /// It is installed.
    case done(MediaPack)
    /// It failed; what was installed before is as it was.
    case failed(Refusal)

    /// Whether another one has to wait.
    var isBusy: Bool {
      switch self {
      case .receiving, .running: true
      case .none, .untrusted, .done, .failed: false
      }
    }
  }

  private let services: Services
  private var settled = State.none
  /// How far the one is that runs, as another thread says.
  private let progress = Locked(MediaProgress(.copying))
  private var running: Task<Void, Never>?
  /// Whether an older release is taken too.
  private var allowsDowngrade = false
  private var isEnding = false

  nonisolated let uploadFolder: String
  nonisolated let uploadPath: String

  init(_ services: Services) {
    self.services = services
    uploadFolder = services.directory.media
    uploadPath = MediaPackStore(in: services.directory).uploadPath
  }

  /// How far it is.
  var state: State {
    if case .running = settled { .running(progress.withLock { $0 }) } else { settled }
  }

  func beginUpload() -> Bool {
    guard !settled.isBusy, !isEnding else { return false }
    if case .untrusted = settled { try? removeDurably(uploadPath) }
    settled = .receiving(byteCount: 0)
    return true
  }

  func received(_ byteCount: Int64) { settled = .receiving(byteCount: byteCount) }

  func refuse(_ refusal: Refusal) { settled = .failed(refusal) }

  func arrived(_ fields: Fields) {
    allowsDowngrade = fields["downgrade"] != nil
    guard !isEnding else { return drop(.cancelled) }
    run()
  }

  /// Tries again to install what waits for a decision about its signer.
  func retry() {
    guard case .untrusted = settled, !isEnding else { return }
    run()
  }

  private func run() {
    let (services, path, allowsDowngrade, progress) =
      (services, uploadPath, allowsDowngrade, progress)
    progress.withLock { $0 = MediaProgress(.copying) }
    settled = .running(MediaProgress(.copying))
    running = Task {
      do {
        try services.directory.check()
        // Nobody is asked about the signer of what could not be installed here anyway.
        _ = try Container(path: path).header.requiredPart(.media)
        let keyring = try Keyring(folder: services.directory.keys)
        let pack = try await services.media.installMediaPack(
          at: path, trusting: keyring, allowsDowngrade: allowsDowngrade
        ) { step in progress.withLock { $0 = step } }
        settled = .done(pack)
        try? removeDurably(path)
      } catch {
        if let signer = UnknownSigner(of: path, refusedFor: error) {
          settled = .untrusted(signer)
        } else {
          drop(Refusal(error))
        }
      }
    }
  }

  private func drop(_ refusal: Refusal) {
    try? removeDurably(uploadPath)
    settled = .failed(refusal)
  }

  /// Ends the installation that runs, or lets go of the file that waits.
  func cancel() async {
    running?.cancel()
    await running?.value
    if case .untrusted = settled { drop(.cancelled) }
  }

  /// Ends the installation that runs, and begins none any more.
  func end() async {
    isEnding = true
    await cancel()
  }

  /// The state for programs, and for the page that shows how far it is.
  func reply(_ status: Int = 200) -> Reply {
    let state = state
    return .json(status: status) { json in
      switch state {
      case .none: json.text("state", "none")
      case .receiving(let byteCount):
        json.text("state", "receiving")
        json.number("byteCount", Int(byteCount))
      case .running(let step):
        json.text("state", "running")
        json.text("stage", step.stage.rawValue)
        json.number("fractionCompleted", exact: step.fractionCompleted)
      case .untrusted(let signer):
        json.text("state", "untrusted")
        json.text("key", signer.keyID?.description)
        json.text("dataset", signer.release?.dataset.text)
      case .done(let pack):
        json.text("state", "done")
        json.text("title", pack.title)
      case .failed(let refusal):
        json.text("state", "failed")
        json.text("reason", refusal.reason)
      }
    }
  }
}
