/// The languages of ISO 639-1 with their codes of 639-2, and further names and codes.
enum LanguageTable {
  /// By three-letter code, of the bibliographic kind too: the two-letter code.
  static let shortened: [String: String] = {
    var table: [String: String] = [:]
    for line in iso639.split(separator: "\n") {
      let fields = line.split(separator: " ")
      for code in fields[1].split(separator: "/") { table[String(code)] = String(fields[0]) }
    }
    return table
  }()

  /// The two-letter codes that are valid.
  static let twoLetter = Set(shortened.values)

  /// By name in lower case: the tag.
  static let byName: [String: String] = {
    var table: [String: String] = [:]
    for (lines, last) in [(iso639, 2), (furtherNames, 1)] {
      for line in lines.split(separator: "\n") {
        let fields = line.split(separator: " ", maxSplits: last)
        for name in fields[last].split(separator: "/") {
          table[name.lowercased()] = String(fields[0])
        }
      }
    }
    return table
  }()

  /// By code in lower case: the tag that it means.
  static let aliases: [String: String] = {
    var table: [String: String] = [:]
    for pair in codes.split(whereSeparator: \.isWhitespace) {
      let parts = pair.split(separator: "=")
      table[String(parts[0])] = String(parts[1])
    }
    return table
  }()

  /// ISO 639-1, then 639-2/T and, where it differs, /B, then English and own names.
  private static let iso639 = """
    aa aar Afar
    ab abk Abkhazian/Abkhaz/Аԥсшәа
    ae ave Avestan
    af afr Afrikaans
    ak aka Akan
    am amh Amharic/አማርኛ
    an arg Aragonese/Aragonés
    ar ara Arabic/العربية/Arabe/Arabisch
    as asm Assamese
    av ava Avaric/Avar
    ay aym Aymara
    az aze Azerbaijani/Azeri/Azərbaycanca
    ba bak Bashkir
    be bel Belarusian/Byelorussian/Беларуская
    bg bul Bulgarian/Български
    bh bih Bihari
    bi bis Bislama
    bm bam Bambara
    bn ben Bengali/Bangla/বাংলা
    bo bod/tib Tibetan/བོད་སྐད
    br bre Breton/Brezhoneg
    bs bos Bosnian/Bosanski
    ca cat Catalan/Valencian/Català/Catalan; Valencian/Catalán
    ce che Chechen
    ch cha Chamorro
    co cos Corsican/Corsu
    cr cre Cree
    cs ces/cze Czech/Čeština/Česky/Tschechisch
    cu chu Church Slavonic/Old Church Slavonic/Church Slavic
    cv chv Chuvash
    cy cym/wel Welsh/Cymraeg
    da dan Danish/Dansk/Dänisch/Danois
    de deu/ger German/Deutsch/Allemand/Alemán/Alemão
    dv div Dhivehi/Divehi/Maldivian
    dz dzo Dzongkha
    ee ewe Ewe
    el ell/gre Greek/Modern Greek/Greek, Modern/Greek, Modern (1453-)/Ελληνικά/Griechisch
    en eng English/Anglais/Englisch/Inglés/Inglês
    eo epo Esperanto
    es spa Spanish/Español/Castilian/Spanish; Castilian/Castellano/Espanol/Espagnol/Spanisch/Espanhol
    et est Estonian/Eesti
    eu eus/baq Basque/Euskara
    fa fas/per Persian/Farsi/فارسی
    ff ful Fulah/Fula
    fi fin Finnish/Suomi/Finnisch
    fj fij Fijian
    fo fao Faroese/Føroyskt
    fr fra/fre French/Français/Francais/Französisch/Francés/Francês
    fy fry Western Frisian/Frisian/West Frisian/Frysk
    ga gle Irish/Gaeilge/Irish Gaelic
    gd gla Scottish Gaelic/Gaelic/Scots Gaelic/Gàidhlig
    gl glg Galician/Galego
    gn grn Guarani/Guaraní
    gu guj Gujarati
    gv glv Manx/Gaelg
    ha hau Hausa
    he heb Hebrew/עברית
    hi hin Hindi/हिन्दी
    ho hmo Hiri Motu
    hr hrv Croatian/Hrvatski
    ht hat Haitian/Haitian Creole/Kreyòl
    hu hun Hungarian/Magyar/Ungarisch
    hy hye/arm Armenian/Հայերեն
    hz her Herero
    ia ina Interlingua
    id ind Indonesian/Bahasa Indonesia
    ie ile Interlingue/Occidental
    ig ibo Igbo
    ii iii Sichuan Yi/Nuosu
    ik ipk Inupiaq
    io ido Ido
    is isl/ice Icelandic/Íslenska
    it ita Italian/Italiano/Italienisch/Italien
    iu iku Inuktitut
    ja jpn Japanese/日本語/Japanisch/Japonais
    jv jav Javanese
    ka kat/geo Georgian/ქართული
    kg kon Kongo
    ki kik Kikuyu/Gikuyu
    kj kua Kuanyama
    kk kaz Kazakh
    kl kal Kalaallisut/Greenlandic
    km khm Khmer/Central Khmer/Cambodian
    kn kan Kannada
    ko kor Korean/한국어/Koreanisch
    kr kau Kanuri
    ks kas Kashmiri
    ku kur Kurdish/Kurdî
    kv kom Komi
    kw cor Cornish/Kernewek
    ky kir Kyrgyz/Kirghiz
    la lat Latin/Latina
    lb ltz Luxembourgish/Lëtzebuergesch
    lg lug Ganda/Luganda
    li lim Limburgish/Limburgan
    ln lin Lingala
    lo lao Lao/Laotian
    lt lit Lithuanian/Lietuvių
    lu lub Luba-Katanga
    lv lav Latvian/Latviešu
    mg mlg Malagasy
    mh mah Marshallese
    mi mri/mao Maori/Māori
    mk mkd/mac Macedonian/Македонски
    ml mal Malayalam
    mn mon Mongolian/Монгол
    mr mar Marathi
    ms msa/may Malay/Bahasa Melayu
    mt mlt Maltese/Malti
    my mya/bur Burmese/Myanmar
    na nau Nauru/Nauruan
    nb nob Norwegian Bokmål/Bokmål/Norwegian (Bokmål)/Norwegian Bokmal
    nd nde North Ndebele
    ne nep Nepali/नेपाली
    ng ndo Ndonga
    nl nld/dut Dutch/Nederlands/Flemish/Dutch; Flemish/Niederländisch/Néerlandais
    nn nno Norwegian Nynorsk/Nynorsk/Norwegian (Nynorsk)
    no nor Norwegian/Norsk/Norwegisch
    nr nbl South Ndebele
    nv nav Navajo/Navaho
    ny nya Chichewa/Nyanja/Chewa
    oc oci Occitan/Occitan (post 1500)
    oj oji Ojibwa/Ojibwe/Ojibway
    om orm Oromo
    or ori Oriya/Odia
    os oss Ossetian/Ossetic
    pa pan Punjabi/Panjabi
    pi pli Pali
    pl pol Polish/Polski/Polnisch/Polonais
    ps pus Pashto/Pushto
    pt por Portuguese/Português/Portugues/Portugiesisch/Portugais
    qu que Quechua
    rm roh Romansh/Rumantsch
    rn run Rundi/Kirundi
    ro ron/rum Romanian/Română/Moldavian
    ru rus Russian/Русский/Russisch/Russe/Ruso
    rw kin Kinyarwanda
    sa san Sanskrit
    sc srd Sardinian/Sardu
    sd snd Sindhi
    se sme Northern Sami/Sami
    sg sag Sango
    sh hbs Serbo-Croatian/Serbocroatian
    si sin Sinhala/Sinhalese
    sk slk/slo Slovak/Slovenčina
    sl slv Slovenian/Slovene/Slovenščina
    sm smo Samoan
    sn sna Shona
    so som Somali
    sq sqi/alb Albanian/Shqip
    sr srp Serbian/Српски/Srpski
    ss ssw Swati/Siswati
    st sot Southern Sotho/Sesotho/Sotho, Southern
    su sun Sundanese
    sv swe Swedish/Svenska/Schwedisch/Suédois
    sw swa Swahili/Kiswahili
    ta tam Tamil/தமிழ்
    te tel Telugu
    tg tgk Tajik
    th tha Thai/ไทย
    ti tir Tigrinya
    tk tuk Turkmen
    tl tgl Tagalog
    tn tsn Tswana/Setswana
    to ton Tongan/Tonga (Tonga Islands)
    tr tur Turkish/Türkçe/Türkisch
    ts tso Tsonga
    tt tat Tatar
    tw twi Twi
    ty tah Tahitian
    ug uig Uighur/Uyghur
    uk ukr Ukrainian/Українська
    ur urd Urdu
    uz uzb Uzbek
    ve ven Venda
    vi vie Vietnamese/Tiếng Việt
    vo vol Volapük
    wa wln Walloon
    wo wol Wolof
    xh xho Xhosa/isiXhosa
    yi yid Yiddish
    yo yor Yoruba
    za zha Zhuang
    zh zho/chi Chinese/中文/Chinois/Chinesisch/Chino
    zu zul Zulu/isiZulu
    """

  /// Varieties, and languages that have a code of three letters only.
  private static let furtherNames = """
    zh-Hans Chinese (Simplified)/Simplified Chinese/Chinese, Simplified/Chinese Simplified/简体中文
    zh-Hant Chinese (Traditional)/Traditional Chinese/Chinese, Traditional/Chinese Traditional/繁體中文
    cmn Mandarin/Mandarin Chinese/Chinese, Mandarin
    yue Cantonese/Yue Chinese
    pt-BR Portuguese (Brazil)/Brazilian Portuguese/Portuguese (Brazilian)/Portuguese, Brazilian/Português do Brasil
    pt-PT Portuguese (Portugal)/European Portuguese
    fr-CA French (Canada)/French, Canadian/Canadian French
    en-US English (United States)/English (US)/American English/US English
    en-GB English (United Kingdom)/English (UK)/British English/UK English
    en-CA English (Canada)/Canadian English
    en-AU English (Australia)/Australian English
    es-MX Spanish (Mexico)/Mexican Spanish
    es-419 Latin American Spanish/Spanish (Latin America)
    gsw Swiss German/Alemannic
    nds Low German/Low Saxon
    ast Asturian/Asturianu
    haw Hawaiian
    ceb Cebuano
    fil Filipino/Pilipino
    ckb Central Kurdish/Sorani
    sco Scots
    scn Sicilian
    vec Venetian
    lmo Lombard
    nap Neapolitan
    pms Piedmontese
    hsb Upper Sorbian
    dsb Lower Sorbian
    grc Ancient Greek
    nah Nahuatl
    chr Cherokee
    ilo Ilocano/Iloko
    hil Hiligaynon
    war Waray
    pap Papiamento/Papiamentu
    tpi Tok Pisin
    rap Rapanui/Rapa Nui
    pau Palauan
    srn Sranan Tongo/Sranan
    arn Mapudungun/Mapuche
    nso Northern Sotho/Pedi/Sepedi
    frr Northern Frisian/North Frisian
    kok Konkani
    mai Maithili
    mni Manipuri/Meitei
    gil Gilbertese/Kiribati
    chk Chuukese
    tet Tetum/Tetun
    smj Lule Sami
    sma Southern Sami
    sms Skolt Sami
    smn Inari Sami
    zxx No linguistic content
    mul Multiple languages/Multiple
    """

  /// MediaWiki's own codes (where "als" is Alemannic and "nrm" Norman), irregular tags (RFC 5646, section 2.2.8), withdrawn codes (IANA's registry),
  /// and codes of countries where no language has them.
  private static let codes = """
    be-x-old=be-tarask zh-yue=yue zh-min-nan=nan zh-classical=lzh roa-rup=rup bat-smg=sgs fiu-vro=vro simple=en nrm=nrf als=gsw
    eml=egl cbk-zam=cbk map-bms=jv roa-tara=nap sr-ec=sr-Cyrl sr-el=sr-Latn crh-latn=crh-Latn tt-cyrl=tt-Cyrl de-formal=de
    nl-informal=nl hu-formal=hu es-formal=es zh-cmn=cmn zh-hakka=hak zh-guoyu=cmn zh-xiang=hsn zh-min=nan no-bok=nb no-nyn=nn
    i-klingon=tlh i-lux=lb i-navajo=nv i-hak=hak i-ami=ami i-bnn=bnn i-pwn=pwn i-tao=tao i-tay=tay i-tsu=tsu art-lojban=jbo
    en-gb-oed=en-GB-oxendict sgn-be-fr=sfb sgn-be-nl=vgt sgn-ch-de=sgg zh-chs=zh-Hans zh-cht=zh-Hant
    iw=he in=id ji=yi jw=jv mo=ro mol=ro scc=sr scr=hr
    jp=ja cz=cs dk=da gr=el cn=zh ua=uk by=be vn=vi esp=es sinhala=si
    """
}
