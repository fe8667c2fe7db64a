/// Stems of Latin epithets: what stays where the ending changes.
///
/// An epithet that is an adjective agrees with its genus, so that it changes when the species is moved
/// (ICZN 31.2, ICN 23.5); "-ii" and "-i" are both in use (ICN 60.8, ICZN 33.4), and so are doubled and
/// single letters, "ae" and "e", "y" and "i", "th" and "t".
enum NameStem {
  /// The endings that stand for one another.
  private static let endings: [[String]] = [
    ["us", "a", "um"], ["er", "ra", "rum", "era", "erum"], ["is", "e"], ["ii", "i"],
    ["iae", "ae"], ["os", "on", "us"], ["ior", "ius"], ["iensis", "ensis", "iense", "ense"],
  ]

  /// Calls `body` with every epithet that is the same word with another ending; all in small letters.
  static func forEachVariant(of epithet: ArraySlice<UInt8>, _ body: ([UInt8]) -> Void) {
    for group in endings {
      for ending in group
      where epithet.count >= ending.utf8.count + 2
        && epithet.suffix(ending.utf8.count).elementsEqual(ending.utf8)
      {
        let stem = epithet.dropLast(ending.utf8.count)
        for other in group where other != ending { body(Array(stem) + other.utf8) }
      }
    }
  }

  /// Whether two epithets are one word: equal once endings and spellings are made alike.
  static func areOneWord(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
    if a.elementsEqual(b) { return true }
    let (a, b) = (plain(a), plain(b))
    return a == b || stem(a) == stem(b)
  }

  /// An epithet in one spelling.
  private static func plain(_ epithet: ArraySlice<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    let bytes = Array(epithet)
    var index = 0
    while index < bytes.count {
      var byte = bytes[index]
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch (byte, next) {
      case (UInt8(ascii: "a"), UInt8(ascii: "e")), (UInt8(ascii: "o"), UInt8(ascii: "e")):
        byte = next
        index += 1
      case (UInt8(ascii: "t"), UInt8(ascii: "h")), (UInt8(ascii: "r"), UInt8(ascii: "h")):
        index += 1
      case (UInt8(ascii: "y"), _), (UInt8(ascii: "j"), _): byte = UInt8(ascii: "i")
      case (UInt8(ascii: "-"), _):
        index += 1
        continue
      default: break
      }
      if plain.last != byte { plain.append(byte) }
      index += 1
    }
    return plain
  }

  /// In how many letters two words differ that are spelt as they sound: "f" for "ph", "k" for "ch" and "c".
  static func soundDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    WordDistance.between(Array(stem(sound(a))), Array(stem(sound(b))))
  }

  private static func sound(_ word: [UInt8]) -> [UInt8] {
    var sound: [UInt8] = []
    var index = 0
    let plain = plain(word[...])
    while index < plain.count {
      let next = index + 1 < plain.count ? plain[index + 1] : 0
      switch (plain[index], next) {
      case (UInt8(ascii: "p"), UInt8(ascii: "h")):
        sound.append(UInt8(ascii: "f"))
        index += 1
      case (UInt8(ascii: "c"), UInt8(ascii: "h")):
        sound.append(UInt8(ascii: "k"))
        index += 1
      case (UInt8(ascii: "c"), _), (UInt8(ascii: "q"), _): sound.append(UInt8(ascii: "k"))
      case (UInt8(ascii: "z"), _): sound.append(UInt8(ascii: "s"))
      case (UInt8(ascii: "w"), _): sound.append(UInt8(ascii: "v"))
      case (UInt8(ascii: "h"), _) where index > 0: break
      case (let byte, _): sound.append(byte)
      }
      index += 1
    }
    return sound
  }

  /// What is left without the longest ending, of which three letters must stay.
  private static func stem(_ plain: [UInt8]) -> ArraySlice<UInt8> {
    for ending in ["rum", "era", "us", "um", "is", "er", "ra", "os", "on", "a", "e", "i"]
    where plain.count >= ending.utf8.count + 3
      && plain.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    {
      let rest = plain.dropLast(ending.utf8.count)
      return ending == "er" || ending == "ra" || ending == "era" || ending == "rum"
        ? rest + [UInt8(ascii: "r")] : rest
    }
    return plain[...]
  }
}
