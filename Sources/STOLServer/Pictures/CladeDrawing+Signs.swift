extension CladeDrawing {
  /// What those are drawn with that look like no other, and the signs.
  var latestParts: [DrawingPart] {
    switch self {
    case .person:
      [
        .fill(.accent, "M22 120Q24 88 60 88Q96 88 98 120Z"), .oval(.ink, 60, 46, 32, 32),
        .oval(.warm, 60, 56, 26, 30),
        .fill(.ink, "M34 50Q38 24 60 26Q82 24 86 50Q72 38 60 40Q48 38 34 50Z"),
        .dot(.ink, 50, 56, 3.2), .dot(.ink, 70, 56, 3.2),
        .line(.paper, 2.5, "M50 71Q60 79 70 71"),
      ]
    case .simian:
      [
        .dot(.soft, 22, 60, 13), .dot(.soft, 98, 60, 13), .dot(.clay, 22, 60, 7),
        .dot(.clay, 98, 60, 7), .oval(.soft, 60, 58, 37, 40),
        .fill(
          .clay,
          "M60 42Q76 28 84 46Q88 56 81 63Q92 76 82 88Q72 97 60 97Q48 97 38 88Q28 76 39 63Q32 56 36 46Q44 28 60 42Z"
        ),
        .dot(.ink, 47, 52, 4), .dot(.ink, 73, 52, 4), .dot(.ink, 56, 69, 1.8),
        .dot(.ink, 64, 69, 1.8), .line(.ink, 2.5, "M46 80Q60 90 74 80"),
      ]
    case .bigCat:
      [
        .dot(.warm, 30, 34, 13), .dot(.warm, 90, 34, 13), .dot(.clay, 30, 34, 6),
        .dot(.clay, 90, 34, 6), .oval(.warm, 60, 62, 39, 39), .oval(.paper, 60, 94, 10, 7),
        .oval(.paper, 51, 80, 13, 11), .oval(.paper, 69, 80, 13, 11),
        .fill(.ink, "M50 64H70L60 76Z"), .oval(.paper, 44, 54, 7, 6), .oval(.paper, 76, 54, 7, 6),
        .dot(.ink, 44, 54, 3), .dot(.ink, 76, 54, 3),
        .line(.ink, 2.5, "M60 76V82M50 85Q55 87 60 82Q65 87 70 85"),
        .line(.ink, 2, "M12 74L36 78M12 86L36 84M108 74L84 78M108 86L84 84"),
      ]
    case .dog:
      [
        .fill(
          .soft,
          "M26 18Q44 26 52 40H68Q76 26 94 18Q100 46 92 62Q84 82 66 100Q60 105 54 100Q36 82 28 62Q20 46 26 18Z"
        ),
        .fill(.clay, "M32 28Q42 34 46 42L34 52Z"), .fill(.clay, "M88 28Q78 34 74 42L86 52Z"),
        .fill(.paper, "M30 65Q46 63 54 76L58 103Q56 102 54 100Q36 82 30 65Z"),
        .fill(.paper, "M90 65Q74 63 66 76L62 103Q64 102 66 100Q84 82 90 65Z"),
        .dot(.ink, 46, 58, 4), .dot(.ink, 74, 58, 4), .oval(.ink, 60, 96, 8, 6),
      ]
    case .bat:
      [
        .fill(
          .soft,
          "M60 56Q44 42 34 46Q22 36 6 48Q8 68 14 80Q22 72 30 80Q38 74 46 84Q52 80 60 92Q68 80 74 84Q82 74 90 80Q98 72 106 80Q112 68 114 48Q98 36 86 46Q76 42 60 56Z"
        ),
        .oval(.ink, 60, 68, 13, 20), .dot(.ink, 60, 46, 12), .fill(.ink, "M50 42L48 22L58 36Z"),
        .fill(.ink, "M70 42L72 22L62 36Z"), .dot(.paper, 55, 45, 3), .dot(.paper, 65, 45, 3),
      ]
    case .mouse:
      [
        .line(.clay, 5, "M92 84Q112 84 108 60"), .oval(.soft, 64, 76, 35, 24),
        .fill(.soft, "M14 82Q22 56 50 58L52 98Q26 98 14 82Z"), .dot(.soft, 46, 48, 15),
        .dot(.clay, 46, 48, 9), .dot(.ink, 31, 72, 3.5), .dot(.heart, 14, 82, 4),
        .line(.ink, 1.5, "M20 84L6 78M20 87L8 94"), .line(.clay, 5, "M46 99H58M74 99H86"),
      ]
    case .elephant:
      [
        .oval(.soft, 28, 56, 24, 31), .oval(.soft, 92, 56, 24, 31), .oval(.clay, 28, 58, 14, 20),
        .oval(.clay, 92, 58, 14, 20), .oval(.soft, 60, 52, 29, 34),
        .fill(.paper, "M44 74Q42 92 30 98Q50 100 56 80Z"),
        .fill(.paper, "M76 74Q78 92 90 98Q70 100 64 80Z"),
        .line(.soft, 17, "M60 68Q58 90 66 104"), .dot(.ink, 48, 52, 3.5), .dot(.ink, 72, 52, 3.5),
        .line(.ink, 1.5, "M54 80H66M55 88H67"),
      ]
    case .owl:
      [
        .line(.ink, 3, "M48 104V113M54 104V113M66 104V113M72 104V113"),
        .fill(.warm, "M60 18Q92 18 97 54Q98 108 60 108Q22 108 23 54Q28 18 60 18Z"),
        .oval(.clay, 60, 86, 23, 19), .dot(.paper, 44, 52, 16), .dot(.paper, 76, 52, 16),
        .dot(.ink, 44, 52, 7), .dot(.ink, 76, 52, 7), .fill(.ink, "M54 60H66L60 74Z"),
        .line(.warm, 2.5, "M48 82Q52 86 56 82M64 82Q68 86 72 82M56 92Q60 96 64 92"),
      ]
    case .crocodile:
      [
        .line(.accent, 9, "M44 86V100M78 86V100"),
        .fill(.moss, "M58 62L64 50L70 61L76 51L82 63L88 55L95 70Z"),
        .fill(
          .accent,
          "M4 74Q22 66 38 67Q44 52 54 62Q80 58 96 72Q108 80 116 68Q118 90 98 93Q70 98 46 93Q30 91 8 87Q2 80 4 74Z"
        ),
        .dot(.paper, 46, 63, 5), .dot(.ink, 45, 63, 2.5), .dot(.ink, 10, 74, 1.6),
        .fill(.paper, "M12 81L15 87L18 81ZM22 80L25 86L28 80ZM32 80L35 86L38 80Z"),
        .line(.ink, 2, "M8 81Q24 79 42 80"),
      ]
    case .salamander:
      [
        .line(.heart, 6, "M44 46L34 28M54 44L66 28M70 84L56 98M82 76L98 88"),
        .line(.heart, 18, "M34 52Q56 36 66 56Q72 76 88 78"),
        .line(.heart, 9, "M86 80Q108 80 108 52"), .oval(.heart, 28, 56, 18, 13),
        .dot(.paper, 24, 52, 4.5), .dot(.ink, 23, 52, 2.2), .line(.ink, 2, "M14 60Q22 66 30 63"),
      ]
    case .ray:
      [
        .line(.soft, 4, "M60 84Q62 100 54 116"),
        .fill(
          .soft,
          "M60 14Q74 22 84 42Q100 50 114 68Q90 70 72 86Q60 94 48 86Q30 70 6 68Q20 50 36 42Q46 22 60 14Z"
        ),
        .fill(.clay, "M60 32Q70 52 66 76Q60 82 54 76Q50 52 60 32Z"), .dot(.ink, 50, 36, 3),
        .dot(.ink, 70, 36, 3),
      ]
    case .octopus:
      [
        .line(
          .heart, 9,
          "M36 66Q18 76 22 98M46 74Q34 92 40 110M56 78Q52 96 56 114M64 78Q68 96 66 114M74 74Q86 92 80 110M84 66Q102 76 98 98M38 60Q18 56 9 72M82 60Q102 56 111 72"
        ),
        .oval(.heart, 60, 44, 32, 35), .dot(.paper, 48, 54, 7), .dot(.paper, 72, 54, 7),
        .dot(.ink, 48, 55, 3.5), .dot(.ink, 72, 55, 3.5),
      ]
    case .shell:
      [
        .fill(
          .warm,
          "M60 102Q46 102 42 93Q8 74 16 44Q28 18 60 18Q92 18 104 44Q112 74 78 93Q74 102 60 102Z"),
        .line(
          .clay, 3,
          "M60 96V24M54 94Q36 60 38 27M66 94Q84 60 82 27M48 91Q22 66 21 44M72 91Q98 66 99 44"),
      ]
    case .scorpion:
      [
        .line(
          .ink, 4,
          "M45 62L26 54M44 70L22 70M45 78L24 86M48 86L32 102M75 62L94 54M76 70L98 70M75 78L96 84M72 86L98 96"
        ),
        .line(.ink, 6, "M48 56Q30 50 28 34M72 56Q90 50 92 34"),
        .fill(
          .ink,
          "M28 38Q14 34 18 14L27 24L36 14Q42 32 28 38ZM92 38Q78 34 84 14L93 24L102 14Q106 32 92 38Z"
        ),
        .oval(.ink, 60, 68, 17, 20), .line(.ink, 8, "M60 86V98Q60 110 72 110Q84 110 84 100"),
        .fill(.heart, "M79 102Q78 92 88 87Q87 95 90 102Z"), .dot(.paper, 55, 55, 2.5),
        .dot(.paper, 65, 55, 2.5),
      ]
    case .fly:
      [
        .line(
          .ink, 3, "M48 54L30 42M46 62L22 62M50 72L34 92M72 54L90 42M74 62L98 62M70 72L86 92"),
        .oval(.soft, 60, 78, 14, 20), .oval(.ink, 60, 56, 15, 15),
        .fill(.paper, "M54 54Q28 66 20 96Q36 108 57 64ZM66 54Q92 66 100 96Q84 108 63 64Z"),
        .dot(.ink, 60, 34, 12), .dot(.heart, 50, 32, 8), .dot(.heart, 70, 32, 8),
      ]
    case .urchin:
      [
        .line(
          .ink, 4,
          "M60 62V8M60 62V116M60 62H6M60 62H114M60 62L22 24M60 62L98 24M60 62L22 100M60 62L98 100M60 62L40 12M60 62L80 12M60 62L40 112M60 62L80 112M60 62L10 42M60 62L110 42M60 62L10 82M60 62L110 82"
        ),
        .dot(.heart, 60, 62, 29), .dot(.clay, 60, 46, 3), .dot(.clay, 46, 54, 3),
        .dot(.clay, 74, 54, 3), .dot(.clay, 50, 72, 3), .dot(.clay, 70, 72, 3),
        .dot(.clay, 60, 62, 3),
      ]
    case .feather:
      [
        .fill(.accent, "M98 12Q48 18 32 56Q24 76 30 92Q54 92 74 74Q102 48 98 12Z"),
        .line(.moss, 3, "M88 22Q52 52 34 88"),
        .line(.moss, 2.5, "M48 70L46 52M60 56L60 36M58 60L80 58M44 74L66 76"),
        .line(.soft, 5, "M34 88L22 110"),
      ]
    default:
      [
        .line(.soft, 8, "M60 110V70"),
        .line(
          .soft, 6,
          "M60 72Q60 54 34 46M60 76Q60 56 88 50M60 70V30M36 47Q26 40 24 30M84 50Q96 44 98 32"),
        .dot(.accent, 24, 28, 9), .dot(.warm, 36, 50, 8), .dot(.heart, 60, 24, 10),
        .dot(.accent, 86, 54, 8), .dot(.warm, 98, 30, 9),
      ]
    }
  }
}
