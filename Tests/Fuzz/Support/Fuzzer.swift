import CLibFuzzer

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The arguments of a C program.
public typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// Runs a fuzz target under libFuzzer.
@safe
public enum Fuzzer {
  // SAFETY: set before libFuzzer starts, which calls from one thread.
  private nonisolated(unsafe) static var target: ([UInt8]) -> Void = { _ in }

  /// Gives inputs to `target` until libFuzzer has had enough.
  public static func run(
    _ count: CInt, _ arguments: Arguments, _ target: @escaping ([UInt8]) -> Void
  ) -> CInt {
    unsafe self.target = target
    var count = count
    var arguments: Arguments? = unsafe arguments
    return unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
      // SAFETY: libFuzzer gives `count` bytes.
      let input = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
      unsafe Fuzzer.target(input)
      return 0
    }
  }

  /// Changes an input of libFuzzer's in place; what `change` makes too long is cut.
  public static func mutate(
    _ block: UnsafeMutablePointer<UInt8>, _ count: Int, limit: Int, seed: UInt32,
    _ change: (inout [UInt8], inout Random) -> Void
  ) -> Int {
    // SAFETY: the block has `limit` bytes, of which `count` are filled.
    let all = unsafe UnsafeMutableBufferPointer(start: block, count: limit)
    var bytes = unsafe [UInt8](all.prefix(count))
    var random = Random(seed: UInt64(seed))
    change(&bytes, &random)
    _ = unsafe all.update(fromContentsOf: bytes.prefix(limit))
    return min(bytes.count, limit)
  }

  /// What libFuzzer itself would make of `bytes`, at most `limit` of them.
  public static func mutated(_ bytes: some Collection<UInt8>, limit: Int) -> [UInt8] {
    var block = [UInt8](bytes)
    let count = block.count
    guard limit >= count, limit > 0 else { return block }
    block += [UInt8](repeating: 0, count: limit - count)
    let mutated = unsafe block.withUnsafeMutableBufferPointer { block in
      // SAFETY: the block has `limit` bytes, of which `count` are input.
      unsafe block.baseAddress.map { unsafe LLVMFuzzerMutate($0, count, limit) } ?? 0
    }
    return Array(block.prefix(mutated))
  }

  /// The files whose paths are in an environment variable, commas between; none that is missing.
  public static func files(_ variable: String) -> [[UInt8]] {
    // SAFETY: nobody changes the environment.
    let paths = unsafe getenv(variable).map { unsafe String(cString: $0) } ?? ""
    return paths.split(separator: ",").compactMap { path in
      let file = unsafe open(String(path), O_RDONLY)
      guard file >= 0 else { return nil }
      defer { close(file) }
      let count = max(0, Int(lseek(file, 0, SEEK_END)))
      return unsafe [UInt8](unsafeUninitializedCapacity: count) { block, filled in
        // SAFETY: the block holds `count` bytes.
        filled = unsafe max(0, pread(file, block.baseAddress, count, 0))
      }
    }
  }

  /// Ends the process, which is a finding, unless the condition holds.
  public static func require(_ condition: Bool, _ what: @autoclosure () -> String) {
    guard condition else { fatalError("broken: \(what())") }
  }
}
