import FuzzSupport
import STOLPack

@testable import STOLImport
@testable import STOLTrust

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Reads containers as an import does, from a file.
enum ContainerReading {
  /// The test key of Format/vectors/container, which everybody knows.
  static let key: SigningKey? = {
    var seed = [UInt8](repeating: 1, count: 32)
    return SecretBytes(moving: &seed).flatMap { try? SigningKey(seed: $0) }
  }()
  private static let keyring = key.map { Keyring(only: $0.verifyingKey) } ?? Keyring()
  private static let path: String = {
    let folder = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    return "\(folder)/stol-fuzz-\(getpid()).stol"
  }()

  /// Opens, verifies and decompresses; whatever passes must be what the header says.
  static func read(_ bytes: [UInt8]) {
    guard write(bytes) else { return }
    defer { _ = unsafe unlink(path) }
    do {
      let container = try Container(path: path).verified(by: keyring)
      Fuzzer.require(
        container.header.releaseNumber == container.header.release?.number ?? 0, "release")
      for part in container.header.parts {
        var content: [UInt8] = []
        let result = try container.decompress(part) { content += $0 }
        Fuzzer.require(result.byteCount == content.count, "the length of \(part.kind)")
        Fuzzer.require(result.digest == SHA256.digest(of: content), "the digest of \(part.kind)")
        Fuzzer.require(
          part.contentByteCount ?? content.count == content.count,
          "the signed length of \(part.kind)")
        Fuzzer.require(
          part.contentDigest ?? result.digest == result.digest, "the signed digest of \(part.kind)")
      }
    } catch let error as ContainerError {
      _ = "\(error)"
    } catch {
      fatalError("an error of another room: \(error)")
    }
  }

  private static func write(_ bytes: [UInt8]) -> Bool {
    // SAFETY: the path is a constant.
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    return unsafe bytes.withUnsafeBytes { block in
      // SAFETY: the array is written in its own length.
      unsafe pwrite(file, block.baseAddress, block.count, 0) == block.count
    }
  }
}
