import STOLSystem
import Dispatch

/// Computes a SHA-256 digest on another core, while the caller works on with the same bytes.
final class BackgroundHash: Sendable {
  /// How many pieces may wait; whoever adds more waits himself.
  private static let waitingPieces = 4
  private let hash = Locked(SHA256())
  private let queue = DispatchQueue(label: "stol.hash")
  private let room = DispatchSemaphore(value: waitingPieces)

  /// Adds bytes after those that were added before.
  func update(_ bytes: [UInt8]) {
    room.wait()
    queue.async { [self] in
      hash.withLock { $0.update(bytes) }
      room.signal()
    }
  }

  /// The digest of all that was added.
  func finish() -> Digest {
    queue.sync {}
    return hash.withLock { $0.finish() }
  }
}
