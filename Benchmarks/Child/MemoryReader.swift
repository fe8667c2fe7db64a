#if os(Linux)
import Glibc

/// The memory of this process at one moment, in kilobytes, as /proc/self/smaps tells it.
struct MemorySnapshot {
  /// Pages that this process wrote and nobody shares.
  var privateDirty = 0
  /// Pages that belong to no file.
  var anonymous = 0
  /// All pages in memory, shared ones too.
  var resident = 0
  /// Private dirty pages of the pack's mapping.
  var packDirty = 0
  /// Pages of the pack that this process has mapped.
  var packResident = 0
  /// Where the pack is mapped.
  var mapping = 0..<0

  var json: String {
    "{\"private_dirty_kb\": \(privateDirty), \"anonymous_kb\": \(anonymous), "
      + "\"resident_kb\": \(resident), \"pack_dirty_kb\": \(packDirty), "
      + "\"pack_resident_kb\": \(packResident)}"
  }
}

/// Reads what the kernel knows about the memory of this process, without allocating.
final class MemoryReader {
  let pageByteCount = sysconf(Int32(_SC_PAGESIZE))
  /// The number of pages of the pack.
  let packPageCount: Int
  private let packNumber: UInt
  private var line = [UInt8](repeating: 0, count: 8192)
  private var chunk = [UInt8](repeating: 0, count: 16384)
  private var pages: [UInt8]

  /// A reader that knows the pack by its inode, or nil if there is no such file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    packNumber = status.st_ino
    packPageCount = (Int(status.st_size) + pageByteCount - 1) / pageByteCount
    pages = [UInt8](repeating: 0, count: packPageCount)
  }

  func snapshot() -> MemorySnapshot {
    var snapshot = MemorySnapshot()
    var isPack = false
    forEachLine(of: "/proc/self/smaps") { line in
      guard let first = line.first else { return }
      if first < UInt8(ascii: "A") || first >= UInt8(ascii: "a") {
        isPack = Self.inode(line) == packNumber
        if isPack { snapshot.mapping = Self.addresses(line) }
      } else if let value = Self.value("Private_Dirty:", line) {
        snapshot.privateDirty += value
        if isPack { snapshot.packDirty += value }
      } else if let value = Self.value("Anonymous:", line) {
        snapshot.anonymous += value
      } else if let value = Self.value("Rss:", line) {
        snapshot.resident += value
        if isPack { snapshot.packResident += value }
      }
    }
    return snapshot
  }

  /// The most memory that was resident at once, in kilobytes.
  func peakResidentKilobytes() -> Int {
    var peak = 0
    forEachLine(of: "/proc/self/status") { line in
      if let value = Self.value("VmHWM:", line) { peak = value }
    }
    return peak
  }

  /// How many pages of the mapping are in the page cache.
  func cachedPageCount(in mapping: Range<Int>) -> Int {
    let start = UnsafeMutableRawPointer(bitPattern: mapping.lowerBound)
    guard mapping.count >= packPageCount, mincore(start, mapping.count, &pages) == 0 else {
      return -1
    }
    return pages.reduce(0) { $0 + Int($1 & 1) }
  }

  private func forEachLine(of path: String, _ body: (ArraySlice<UInt8>) -> Void) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var lineCount = 0
    while true {
      let count = chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      for index in 0..<count {
        let byte = chunk[index]
        if byte == UInt8(ascii: "\n") {
          body(line[..<lineCount])
          lineCount = 0
        } else if lineCount < line.count {
          line[lineCount] = byte
          lineCount += 1
        }
      }
    }
  }

  /// The number behind `label`, where the line begins with it.
  private static func value(_ label: StaticString, _ line: ArraySlice<UInt8>) -> Int? {
    guard line.count > label.utf8CodeUnitCount else { return nil }
    for index in 0..<label.utf8CodeUnitCount
    where label.utf8Start[index] != line[line.startIndex + index] {
      return nil
    }
    var value = 0
    for byte in line.dropFirst(label.utf8CodeUnitCount)
    where byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// The fifth field of "start-end perms offset device inode path".
  private static func inode(_ line: ArraySlice<UInt8>) -> UInt {
    var fields = 0
    var value: UInt = 0
    for byte in line {
      if byte == UInt8(ascii: " ") {
        fields += 1
      } else if fields == 4 {
        value = value &* 10 &+ UInt(byte &- UInt8(ascii: "0"))
      }
    }
    return value
  }

  /// The first field, in hexadecimal.
  private static func addresses(_ line: ArraySlice<UInt8>) -> Range<Int> {
    var bounds = (lower: 0, upper: 0)
    for byte in line {
      if byte == UInt8(ascii: " ") { break }
      if byte == UInt8(ascii: "-") {
        bounds = (bounds.upper, 0)
      } else {
        let digit = byte <= UInt8(ascii: "9") ? byte - UInt8(ascii: "0") : byte - 87
        bounds.upper = bounds.upper << 4 | Int(digit)
      }
    }
    return bounds.lower..<bounds.upper
  }
}
#endif
