/// Letters of names.
enum Letters {
  static func isASCII(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  static func isComma(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":")
  }

  static func isCapital(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }
  static func isSmall(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }
  static func upper(_ byte: UInt8) -> UInt8 { isSmall(byte) ? byte & 0xdf : byte }
  static func lower(_ byte: UInt8) -> UInt8 { isCapital(byte) ? byte | 0x20 : byte }

  /// The bytes of a scalar that begins with this one.
  static func length(_ lead: UInt8) -> Int {
    lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  }

  /// The scalar that a range holds, or nil.
  static func scalar(_ bytes: [UInt8], _ range: Range<Int>) -> Unicode.Scalar? {
    var decoder = bytes[range].makeIterator()
    var utf8 = UTF8()
    guard case .scalarValue(let scalar) = utf8.decode(&decoder) else { return nil }
    return scalar
  }

  /// The Latin letter that a letter of Cyrillic or Greek looks like.
  static func latin(_ scalar: Unicode.Scalar) -> UInt8? {
    lookalikes[scalar]
  }

  private static let lookalikes: [Unicode.Scalar: UInt8] = {
    var table: [Unicode.Scalar: UInt8] = [:]
    for (latin, letters) in [
      ("A", "АΑ"), ("a", "аα"), ("B", "ВΒ"), ("C", "СϹ"), ("c", "сϲ"), ("E", "ЕΕ"), ("e", "е"),
      ("H", "НΗ"),
      ("I", "ІΙ"), ("i", "іι"), ("J", "Ј"), ("j", "јϳ"), ("K", "КΚ"), ("k", "кκ"), ("M", "МΜ"),
      ("N", "Ν"),
      ("O", "ОΟ"), ("o", "оο"), ("P", "РΡ"), ("p", "рρ"), ("S", "Ѕ"), ("s", "ѕ"), ("T", "ТΤ"),
      ("v", "ν"),
      ("X", "ХΧ"), ("x", "хχ"), ("Y", "УΥ"), ("y", "у"), ("Z", "Ζ"),
    ] {
      for letter in letters.unicodeScalars { table[letter] = latin.utf8.first }
    }
    return table
  }()

  /// The letters that a printer has joined.
  static func ligature(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "ﬁ": "fi"
    case "ﬂ": "fl"
    case "ﬀ": "ff"
    case "ﬃ": "ffi"
    case "ﬄ": "ffl"
    case "ﬆ": "st"
    default: "ij"
    }
  }

  /// How the codes write a letter that is none of A to Z: ICZN 32.5.2, ICN 60.7; nil for others.
  static func plain(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "À", "Á", "Â", "Ã", "à", "á", "â", "ã", "ā", "ă", "ą", "ǎ", "ạ", "ả": "a"
    case "Ä", "Æ", "ä", "æ", "ǽ", "ǣ": "ae"
    case "Å", "å": "ao"
    case "Ç", "ç", "ć", "č", "Č", "ĉ", "ċ": "c"
    case "È", "É", "Ê", "Ë", "è", "é", "ê", "ë", "ē", "ę", "ě", "ė", "ĕ", "ẽ", "ế", "ề": "e"
    case "Ì", "Í", "Î", "Ï", "ì", "í", "î", "ï", "ı", "ī", "ĭ", "ĩ", "į", "ǐ": "i"
    case "Ñ", "ñ", "ń", "ň", "ņ", "ŋ": "n"
    case "Ò", "Ó", "Ô", "Õ", "ò", "ó", "ô", "õ", "ō", "ő", "ŏ", "ǒ": "o"
    case "Ö", "Ø", "Œ", "ö", "ø", "œ": "oe"
    case "Ù", "Ú", "Û", "ù", "ú", "û", "ū", "ů", "ŭ", "ũ", "ű", "ų", "ǔ": "u"
    case "Ü", "ü": "ue"
    case "Ý", "ý", "ÿ": "y"
    case "ß": "ss"
    case "š", "Š", "ś", "ş", "ș", "ŝ": "s"
    case "ž", "Ž", "ź", "ż": "z"
    case "ł", "Ł", "ľ", "ĺ", "ļ": "l"
    case "ř", "ŕ": "r"
    case "ť", "ţ", "ț", "ŧ": "t"
    case "þ": "th"
    case "ğ", "ģ", "ĝ", "ġ": "g"
    case "ķ": "k"
    case "ĥ", "ħ": "h"
    case "ĵ": "j"
    case "ď": "d"
    case "đ", "ð": "d"
    default: nil
    }
  }
}

/// Numbers at the beginning of epithets, which the codes want in words: ICZN 32.5.2.6, ICN 60.
enum NumberWord {
  /// "quadri" for the "4-" of "4-gibbus", and where the rest begins; nil where no such number is.
  static func word(_ bytes: [UInt8], _ range: Range<Int>) -> (word: String, end: Int)? {
    var value = 0
    var index = range.lowerBound
    while index < range.upperBound, bytes[index].isDigit, value < 100 {
      value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
      index += 1
    }
    guard index > range.lowerBound, let word = words[value] else { return nil }
    if index < range.upperBound,
      bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: ".")
    {
      index += 1
    }
    guard index < range.upperBound, Letters.isSmall(bytes[index]) else { return nil }
    return (word, index)
  }

  private static let words = [
    1: "uni", 2: "bi", 3: "tri", 4: "quadri", 5: "quinque", 6: "sex", 7: "septem", 8: "octo",
    9: "novem", 10: "decem", 11: "undecim", 12: "duodecim", 13: "tredecim", 14: "quatuordecim",
    15: "quindecim", 16: "sedecim", 17: "septendecim", 18: "octodecim", 19: "novemdecim",
    20: "viginti", 21: "vigintiuno", 22: "vigintiduo", 23: "vigintitre", 24: "vigintiquatuor",
    25: "vigintiquinque", 26: "vigintisex", 27: "vigintiseptem", 28: "vigintiocto",
    30: "triginta", 38: "trigintaocto",
  ]
}
