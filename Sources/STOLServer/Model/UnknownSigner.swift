import STOLMedia
import STOLTrust

/// The signature of a file that waits until somebody decides whether to trust who made it.
struct UnknownSigner: Equatable, Sendable {
  /// Where the file lies.
  let path: String
  /// The key whose signature it says that it bears; nil where it does not say.
  let keyID: KeyID?
  /// What it says that it is; nil where it does not say.
  let release: Release?

  /// The signature of the file at `path`, which was refused for nothing but that.
  init?(of path: String, refusedFor error: any Error) {
    let reason: ContainerError
    switch error {
    case let error as ContainerError: reason = error
    case MediaError.container(let error): reason = error
    default: return nil
    }
    switch reason {
    case .unknownKey, .keyOutOfScope: break
    default: return nil
    }
    guard let header = try? Container(path: path).header else { return nil }
    self.path = path
    (keyID, release) = (header.keyID, header.release)
  }

  /// Whether the signature is that of a key.
  func isSigned(by key: VerifyingKey) -> Bool {
    do { return try Container(path: path).isSigned(by: key) } catch { return false }
  }
}
