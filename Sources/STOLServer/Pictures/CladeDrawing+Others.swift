extension CladeDrawing {
  /// What the smaller animals, plants and all others are drawn with.
  var furtherParts: [DrawingPart] {
    switch self {
    case .beetle:
      [
        .line(
          .ink, 4,
          "M34 54L18 46M30 70H12M36 88L22 100M86 54L102 46M90 70H108M84 88L98 100M52 26Q48 14 38 12M68 26Q72 14 82 12"
        ),
        .fill(.ink, "M40 46Q42 22 60 22Q78 22 80 46Z"), .oval(.accent, 60, 70, 33, 34),
        .line(.ink, 3, "M60 38V103"), .dot(.paper, 52, 30, 3.5), .dot(.paper, 68, 30, 3.5),
      ]
    case .spider:
      [
        .line(
          .ink, 4,
          "M50 52Q30 28 16 44M48 56Q26 46 10 66M48 60Q30 64 16 90M52 64Q38 78 34 104M70 52Q90 28 104 44M72 56Q94 46 110 66M72 60Q90 64 104 90M68 64Q82 78 86 104"
        ),
        .oval(.soft, 60, 78, 21, 24), .dot(.soft, 60, 50, 15), .dot(.paper, 54, 46, 4.5),
        .dot(.paper, 66, 46, 4.5), .dot(.ink, 54, 46, 2.2), .dot(.ink, 66, 46, 2.2),
        .line(.ink, 2, "M55 56Q60 60 65 56"),
        .line(.clay, 3, "M52 74L60 82L68 74M54 88L60 94L66 88"),
      ]
    case .crab:
      [
        .line(
          .warm, 6,
          "M34 60Q18 56 20 40M86 60Q102 56 100 40M32 74L14 74M36 82L19 90M42 90L31 104M88 74L106 74M84 82L101 90M78 90L89 104"
        ),
        .line(.warm, 4, "M48 52V38M72 52V38"),
        .fill(
          .warm,
          "M20 44Q4 40 10 20L20 30L28 18Q36 36 20 44ZM100 44Q84 40 92 18L100 30L110 20Q116 40 100 44Z"
        ),
        .oval(.warm, 60, 72, 34, 23), .dot(.paper, 48, 36, 6), .dot(.paper, 72, 36, 6),
        .dot(.ink, 48, 36, 3), .dot(.ink, 72, 36, 3), .line(.ink, 2.5, "M48 76Q60 86 72 76"),
      ]
    case .snail:
      [
        .line(.soft, 4, "M24 66L16 46M32 66L34 44"), .dot(.ink, 16, 45, 3.5),
        .dot(.ink, 34, 43, 3.5),
        .fill(.soft, "M12 92Q10 64 28 62Q42 62 42 80H88Q106 82 112 94Q60 98 12 92Z"),
        .dot(.warm, 70, 58, 30),
        .line(
          .clay, 4,
          "M96 62Q92 80 72 80Q50 78 50 58Q52 40 70 40Q86 42 86 58Q84 70 72 70Q60 68 62 58Q66 50 74 56"
        ),
        .line(.ink, 2, "M18 80Q22 84 28 82"),
      ]
    case .earthworm:
      [
        .line(.warm, 16, "M20 82Q30 52 50 66Q66 82 80 62Q88 48 98 40"),
        .line(.clay, 3, "M27 64L36 70M44 56L42 70M62 68L55 80M80 50L90 60"),
        .dot(.paper, 94, 40, 4.5), .dot(.ink, 95, 39, 2.2), .line(.ink, 2, "M98 49Q103 48 104 44"),
      ]
    case .jellyfish:
      [
        .line(
          .heart, 4,
          "M36 62Q28 76 36 86Q42 96 34 106M52 64Q46 78 52 90Q56 100 50 110M68 64Q62 78 68 90Q74 100 68 110M84 62Q92 76 84 86Q78 96 86 106"
        ),
        .fill(
          .heart, "M22 64Q20 18 60 18Q100 18 98 64Q90 56 79 64Q70 56 60 64Q50 56 41 64Q30 56 22 64Z"
        ),
        .dot(.paper, 48, 46, 4.5), .dot(.paper, 72, 46, 4.5), .dot(.ink, 48, 47, 2.2),
        .dot(.ink, 72, 47, 2.2),
        .line(.paper, 2.5, "M54 54Q60 58 66 54"),
      ]
    case .starfish:
      [
        .fill(
          .warm,
          "M60 12Q66 12 70 36Q74 44 84 44Q108 42 110 48Q110 54 90 68Q84 74 86 82Q94 104 88 108Q82 110 66 94Q60 90 54 94Q38 110 32 108Q26 104 34 82Q36 74 30 68Q10 54 10 48Q12 42 36 44Q46 44 50 36Q54 12 60 12Z"
        ),
        .dot(.clay, 60, 26, 3), .dot(.clay, 60, 37, 3), .dot(.clay, 94, 52, 3),
        .dot(.clay, 83, 56, 3),
        .dot(.clay, 82, 96, 3), .dot(.clay, 76, 86, 3), .dot(.clay, 38, 96, 3),
        .dot(.clay, 44, 86, 3),
        .dot(.clay, 26, 52, 3), .dot(.clay, 37, 56, 3), .dot(.ink, 53, 60, 3),
        .dot(.ink, 67, 60, 3),
        .line(.ink, 2.5, "M53 68Q60 75 67 68"),
      ]
    case .conifer:
      [
        .fill(.warm, "M54 94H66V112H54Z"),
        .fill(
          .accent,
          "M60 10Q74 32 84 42L72 42Q84 60 94 68L80 68Q90 84 102 96Q60 102 18 96Q30 84 40 68L26 68Q36 60 48 42L36 42Q46 32 60 10Z"
        ),
        .line(.moss, 3, "M52 52Q60 56 68 52M46 78Q60 84 74 78"),
      ]
    case .flower:
      [
        .line(.accent, 5, "M60 66V112"),
        .fill(.accent, "M60 102Q66 80 94 78Q92 100 60 106ZM60 94Q54 74 28 74Q30 94 60 98Z"),
        .dot(.heart, 60, 22, 14), .dot(.heart, 79, 36, 14), .dot(.heart, 72, 58, 14),
        .dot(.heart, 48, 58, 14), .dot(.heart, 41, 36, 14), .dot(.clay, 60, 42, 14),
        .dot(.warm, 60, 42, 7),
      ]
    case .grass:
      [
        .line(
          .accent, 5,
          "M60 110V24M56 110Q52 74 26 58M64 110Q70 80 98 66M52 112Q46 92 34 86M68 112Q74 96 88 92"),
        .oval(.warm, 60, 20, 5, 9), .oval(.warm, 51, 30, 5, 9), .oval(.warm, 69, 30, 5, 9),
        .oval(.warm, 51, 46, 5, 9), .oval(.warm, 69, 46, 5, 9), .oval(.warm, 51, 62, 5, 9),
        .oval(.warm, 69, 62, 5, 9),
      ]
    case .tree:
      [
        .line(.soft, 12, "M60 110V66"), .line(.soft, 6, "M60 84L78 66M60 78L44 64"),
        .dot(.accent, 38, 54, 24), .dot(.accent, 82, 54, 24), .dot(.accent, 60, 34, 26),
        .dot(.accent, 60, 58, 22),
        .dot(.moss, 42, 48, 4), .dot(.moss, 66, 30, 4), .dot(.moss, 82, 56, 4),
        .dot(.moss, 60, 60, 4), .dot(.moss, 46, 28, 4),
      ]
    case .fern:
      [
        .line(.accent, 5, "M38 112Q40 70 60 42Q72 24 86 26Q98 30 94 42Q88 52 80 44Q78 38 85 37"),
        .line(
          .accent, 7,
          "M39 96L20 88M40 86L60 94M42 78L24 66M45 70L68 78M49 60L34 46M52 54L76 62M56 46L46 34M62 40L78 50"
        ),
      ]
    case .moss:
      [
        .line(.warm, 3, "M38 76Q36 56 42 40M60 70Q60 48 56 30M82 76Q82 58 78 44"),
        .oval(.warm, 43, 36, 5, 9),
        .oval(.warm, 56, 25, 5, 9), .oval(.warm, 77, 39, 5, 9),
        .fill(
          .accent, "M8 98Q8 72 30 76Q38 62 52 70Q64 58 76 70Q92 64 98 80Q110 82 112 98Q60 108 8 98Z"
        ),
        .line(.moss, 3, "M24 92L28 84M42 90L46 80M62 90L64 80M80 92L82 82M96 94L98 88"),
      ]
    case .sprout:
      [
        .fill(.soft, "M24 100Q60 84 96 100Q60 114 24 100Z"), .line(.accent, 6, "M60 98V56"),
        .fill(.accent, "M60 60Q54 26 18 26Q20 60 60 62ZM60 66Q64 40 100 38Q98 70 60 70Z"),
        .line(.moss, 3, "M54 56Q46 42 32 36M66 64Q76 52 90 46"),
      ]
    case .seaweed:
      [
        .line(.accent, 7, "M60 112Q50 92 60 72Q70 52 58 20"),
        .fill(
          .accent,
          "M57 88Q34 86 26 64Q50 62 58 80ZM64 76Q88 74 98 50Q72 50 64 66ZM62 52Q40 48 36 28Q56 28 63 44ZM62 36Q80 32 84 14Q66 14 60 28Z"
        ),
        .dot(.moss, 28, 30, 5), .dot(.moss, 20, 42, 3), .dot(.moss, 100, 84, 5),
        .dot(.moss, 92, 96, 3),
      ]
    case .mushroom:
      [
        .fill(.paper, "M46 60H74Q72 88 82 106Q60 112 38 106Q48 88 46 60Z"),
        .fill(.heart, "M12 66Q16 18 60 18Q104 18 108 66Q60 80 12 66Z"), .dot(.paper, 60, 34, 8),
        .dot(.paper, 36, 50, 7), .dot(.paper, 84, 50, 7), .dot(.paper, 60, 60, 5),
        .dot(.ink, 53, 84, 2.5),
        .dot(.ink, 67, 84, 2.5), .line(.ink, 2, "M55 91Q60 95 65 91"),
      ]
    case .bacteria:
      [
        .line(.accent, 3, "M28 84Q14 82 18 94Q20 104 8 102M34 92Q26 100 32 106M88 30Q98 28 98 18"),
        .line(.accent, 32, "M40 78L76 44"),
        .line(.moss, 4, "M42 76Q46 64 54 68Q62 72 62 60Q62 50 74 48"),
        .line(.heart, 16, "M82 92L96 84"), .line(.warm, 16, "M26 34L32 48"),
        .dot(.paper, 94, 84, 3), .dot(.paper, 28, 38, 3),
      ]
    case .archaea:
      [
        .line(.warm, 3, "M30 20Q24 12 30 6M60 18Q54 10 60 4M90 20Q84 12 90 6"),
        .dot(.warm, 44, 46, 21), .dot(.heart, 78, 50, 19), .dot(.soft, 38, 82, 18),
        .dot(.warm, 72, 86, 20),
        .dot(.clay, 40, 42, 7), .dot(.clay, 74, 46, 6), .dot(.clay, 35, 79, 6),
        .dot(.clay, 68, 82, 7),
      ]
    case .virus:
      [
        .line(
          .heart, 4,
          "M60 60V14M60 60V106M60 60H14M60 60H106M60 60L28 28M60 60L92 92M60 60L92 28M60 60L28 92"),
        .dot(.heart, 60, 13, 6), .dot(.heart, 60, 107, 6), .dot(.heart, 13, 60, 6),
        .dot(.heart, 107, 60, 6),
        .dot(.heart, 27, 27, 6), .dot(.heart, 93, 93, 6), .dot(.heart, 93, 27, 6),
        .dot(.heart, 27, 93, 6),
        .dot(.heart, 60, 60, 30), .line(.paper, 4, "M42 66Q48 50 54 60Q60 72 66 58Q72 48 78 56"),
      ]
    default: latestParts
    }
  }
}
