import STOLPack
import STOLSystem

/// The answers to the searches that were asked last, ready to be sent.
///
/// Somebody who types, deletes and types again asks the same few questions; so does a page that is
/// looked at again. Two generations are kept: what is asked again moves to the young one, and when
/// that is full, the old one goes.
final class AnswerCache: Sendable {
  /// As many bytes of questions and answers are in one generation.
  static let generationByteCount = 768 << 10
  /// What an entry takes beside its bytes: a place in a table and the heads of two blocks.
  private static let entryByteCount = 160

  private struct Generations {
    var young: [Key: [UInt8]] = [:]
    var old: [Key: [UInt8]] = [:]
    var youngByteCount = 0
  }

  /// A question: what was asked, in which language, of which pack, beside which pictures.
  struct Key: Hashable, Sendable {
    let target: String
    let language: String?
    let source: SourceFingerprint
    let images: Int
  }

  private let generations = Locked(Generations())

  /// Whether answers of a route depend on nothing but their question.
  static func keeps(_ address: Address) -> Bool {
    address.route == .completions || address.route == .search && address.form == .json
  }

  /// The answer that was kept, or nil.
  ///
  /// - Complexity: O(length of the question)
  subscript(key: Key) -> [UInt8]? {
    generations.withLock { generations in
      if let answer = generations.young[key] { return answer }
      guard let answer = generations.old[key] else { return nil }
      Self.insert(answer, for: key, in: &generations)
      return answer
    }
  }

  /// Keeps an answer, in no more memory than it needs.
  func insert(_ answer: [UInt8], for key: Key) {
    let answer = answer.map { $0 }
    generations.withLock { Self.insert(answer, for: key, in: &$0) }
  }

  private static func insert(
    _ answer: [UInt8], for key: Key, in generations: inout Generations
  ) {
    let byteCount = answer.count + key.target.utf8.count + entryByteCount
    guard byteCount <= generationByteCount / 8 else { return }
    if generations.youngByteCount + byteCount > generationByteCount {
      generations.old = generations.young
      generations.young = [:]
      generations.youngByteCount = 0
    }
    if generations.young.updateValue(answer, forKey: key) == nil {
      generations.youngByteCount += byteCount
    }
  }
}
