/// The named entities that occur in names: HTML 4.01, section 24, and "apos" of XML.
package enum HTMLEntities {
  package static let byName: [String: Unicode.Scalar] = {
    var table: [String: Unicode.Scalar] = [:]
    // U+00A0 to U+00FF, in order.
    for (offset, name) in latin1.split(whereSeparator: \.isWhitespace).enumerated() {
      table[String(name)] = Unicode.Scalar(UInt8(0xa0 + offset))
    }
    for pair in others.split(whereSeparator: \.isWhitespace) {
      let parts = pair.split(separator: "=")
      if let value = UInt32(parts[1], radix: 16) { table[String(parts[0])] = Unicode.Scalar(value) }
    }
    return table
  }()

  private static let latin1 = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
    deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
    Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml
    ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig
    agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml
    eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
    """

  private static let others = """
    quot=22 amp=26 lt=3c gt=3e apos=27 OElig=152 oelig=153 Scaron=160 scaron=161 Yuml=178 fnof=192 circ=2c6 tilde=2dc
    ensp=2002 emsp=2003 thinsp=2009 zwnj=200c zwj=200d lrm=200e rlm=200f ndash=2013 mdash=2014
    lsquo=2018 rsquo=2019 sbquo=201a ldquo=201c rdquo=201d bdquo=201e dagger=2020 Dagger=2021 bull=2022 hellip=2026
    prime=2032 Prime=2033 lsaquo=2039 rsaquo=203a euro=20ac trade=2122 minus=2212 alpha=3b1 beta=3b2 gamma=3b3
    delta=3b4 epsilon=3b5 zeta=3b6 eta=3b7 theta=3b8 iota=3b9 kappa=3ba lambda=3bb mu=3bc nu=3bd omega=3c9
    male=2642 female=2640 Zcaron=17d zcaron=17e Ccaron=10c ccaron=10d Cacute=106 cacute=107 Rcaron=158 rcaron=159
    Ecaron=11a ecaron=11b Lstrok=141 lstrok=142 Nacute=143 nacute=144 Sacute=15a sacute=15b Zacute=179 zacute=17a
    Zdot=17b zdot=17c Aogon=104 aogon=105 Eogon=118 eogon=119 Odblac=150 odblac=151 Udblac=170 udblac=171
    Scedil=15e scedil=15f Gbreve=11e gbreve=11f inodot=131 Idot=130 Dstrok=110 dstrok=111 uring=16f Uring=16e
    """
}
