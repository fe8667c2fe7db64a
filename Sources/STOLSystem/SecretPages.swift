#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Memory for secrets: pages of their own between two that nobody can touch, kept out of swap where the
/// system allows it.
package enum SecretPages {
  /// Zeros; nil if there is no memory.
  package static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
    let (page, length) = (Int(getpagesize()), length(byteCount))
    // SAFETY: a fresh mapping, of which nobody else knows.
    let base = unsafe mmap(nil, length, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { return nil }
    let start = unsafe base + page
    // SAFETY: the pages between the first and the last of the mapping.
    guard unsafe mprotect(start, length - 2 * page, PROT_READ | PROT_WRITE) == 0 else {
      unsafe munmap(base, length)
      return nil
    }
    // SAFETY: the same pages; where they cannot be locked they are used all the same.
    _ = unsafe mlock(start, length - 2 * page)
    return unsafe start
  }

  /// Wipes and gives back what `allocate` gave for as many bytes.
  package static func free(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
    unsafe wipe(start, byteCount)
    // SAFETY: the mapping of `allocate`, to which the caller has the only reference.
    unsafe munmap(start - Int(getpagesize()), length(byteCount))
  }

  /// Overwrites with zeros that no optimiser removes.
  package static func wipe(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
    // SAFETY: the caller may write that many bytes.
    #if canImport(Darwin)
    _ = unsafe memset_s(start, byteCount, 0, byteCount)
    #else
    unsafe explicit_bzero(start, byteCount)
    #endif
  }

  /// The length of a mapping for that many bytes.
  private static func length(_ byteCount: Int) -> Int {
    let page = Int(getpagesize())
    return (max(byteCount, 1) + page - 1) / page * page + 2 * page
  }
}
