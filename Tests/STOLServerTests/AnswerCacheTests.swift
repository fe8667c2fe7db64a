import STOLPack
import Testing

@testable import STOLServer

@Suite("Answers that are kept")
struct AnswerCacheTests {
  private func key(_ target: String, _ language: String? = nil) -> AnswerCache.Key {
    AnswerCache.Key(target: target, language: language, source: SourceFingerprint(), images: 1)
  }

  @Test func givesWhatWasKeptForTheSameQuestionOnly() {
    let cache = AnswerCache()
    cache.insert([1], for: key("/search.json?q=a", "en"))
    #expect(cache[key("/search.json?q=a", "en")] == [1])
    #expect(cache[key("/search.json?q=a", "de")] == nil)
    #expect(cache[key("/search.json?q=b", "en")] == nil)
    var other = SourceFingerprint()
    other.checksum = 1
    #expect(
      cache[
        AnswerCache.Key(target: "/search.json?q=a", language: "en", source: other, images: 1)]
        == nil)
    #expect(
      cache[
        AnswerCache.Key(
          target: "/search.json?q=a", language: "en", source: SourceFingerprint(), images: 2)]
        == nil)
  }

  @Test func keepsWhatIsAskedAgainAndForgetsTheRest() {
    let cache = AnswerCache()
    let answer = [UInt8](repeating: 0, count: 2_000)
    cache.insert(answer, for: key("often"))
    for number in 0..<1000 {
      cache.insert(answer, for: key("\(number)"))
      #expect(cache[key("often")] != nil)
    }
    let kept = (0..<1000).filter { cache[key("\($0)")] != nil }.count
    #expect(kept > 50 && kept <= 2 * AnswerCache.generationByteCount / answer.count)
  }

  @Test func keepsNoGiants() {
    let cache = AnswerCache()
    cache.insert([UInt8](repeating: 0, count: AnswerCache.generationByteCount), for: key("giant"))
    #expect(cache[key("giant")] == nil)
  }
}
