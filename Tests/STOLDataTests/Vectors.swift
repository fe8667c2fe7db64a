import Foundation
import TestSupport

@testable import STOLPack

/// The files of Format/vectors/v2.
enum Vectors {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Format/vectors/v2")

  static let names = ["blocks", "life", "one", "roots", "many"]

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  static func lines(_ path: String) throws -> [String] {
    let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }
}

/// One line of invalid/cases.tsv.
struct DamageCase: CustomStringConvertible, Sendable {
  let name: String
  private let base: String
  private let damage: String
  private let isRepaired: Bool
  let reporter: String

  var description: String { name }

  static func all() throws -> [DamageCase] {
    try Vectors.lines("invalid/cases.tsv").dropFirst().map { line in
      let fields = line.split(separator: "\t").map(String.init)
      return DamageCase(
        name: fields[0], base: fields[1], damage: fields[2], isRepaired: fields[3] == "yes",
        reporter: fields[4])
    }
  }

  /// The damaged pack.
  func bytes() throws -> [UInt8] {
    var bytes = try Vectors.bytes("valid/\(base).stolpack")
    let entries = Self.entries(bytes)
    let parts = damage.split(separator: "=").map(String.init)
    if parts[0] == "length" {
      let length = Int(parts[1]) ?? 0
      let isRelative = parts[1].hasPrefix("-") || parts[1].hasPrefix("+")
      let wanted = isRelative ? bytes.count + length : length
      bytes = Array(bytes.prefix(wanted))
      bytes += repeatElement(0, count: wanted - bytes.count)
      return bytes
    }
    let place = parts[0].split(separator: "+").map(String.init)
    var offset = Int(place[0]) ?? 0
    if place.count == 2 {
      offset = (entries.first { $0.name == place[0] }?.offset ?? 0) + (Int(place[1]) ?? 0)
    } else if offset < 0 {
      offset += bytes.count
    }
    for (index, byte) in Self.hex(parts[1]).enumerated() { bytes[offset + index] = byte }
    if isRepaired { Self.repair(&bytes, entries) }
    return bytes
  }

  private struct Entry {
    let name: String
    let offset: Int
    let byteCount: Int
  }

  private static func entries(_ bytes: [UInt8]) -> [Entry] {
    let span = bytes.rawSpan
    return (0..<Int(span.uint32(at: 12))).map { index in
      let at = 128 + 64 * index
      let name = bytes[at..<at + 16].prefix { $0 != 0 }
      return Entry(
        name: String(decoding: name, as: UTF8.self), offset: Int(span.uint64(at: at + 16)),
        byteCount: Int(span.uint64(at: at + 24)))
    }
  }

  private static func repair(_ bytes: inout [UInt8], _ entries: [Entry]) {
    for (index, entry) in entries.enumerated() {
      let content = Array(bytes[entry.offset..<entry.offset + entry.byteCount])
      put(Checksum.of(content), at: 128 + 64 * index + 56, in: &bytes)
    }
    put(Checksum.of(Array(bytes[128..<128 + 64 * entries.count])), at: 120, in: &bytes)
    put(Checksum.of(Array(bytes[..<124])), at: 124, in: &bytes)
  }

  private static func put(_ value: UInt32, at offset: Int, in bytes: inout [UInt8]) {
    for index in 0..<4 { bytes[offset + index] = UInt8(value >> UInt32(8 * index) & 0xFF) }
  }

  private static func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
  }
}
