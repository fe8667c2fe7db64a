extension CladeDrawing {
  /// What it is drawn with, the hindmost first.
  var parts: [DrawingPart] {
    switch self {
    case .bear:
      [
        .dot(.soft, 34, 38, 14), .dot(.soft, 86, 38, 14), .dot(.clay, 34, 38, 7),
        .dot(.clay, 86, 38, 7), .oval(.soft, 60, 64, 37, 34), .oval(.clay, 60, 78, 19, 15),
        .oval(.ink, 60, 70, 7, 5), .dot(.ink, 44, 57, 4), .dot(.ink, 76, 57, 4),
        .line(.ink, 2.5, "M60 74V80M60 80Q54 87 48 82M60 80Q66 87 72 82"),
      ]
    case .cat:
      [
        .fill(
          .warm,
          "M27 24Q42 28 50 38H70Q78 28 93 24Q96 44 94 62Q92 96 60 96Q28 96 26 62Q24 44 27 24Z"),
        .fill(.clay, "M33 32Q40 36 44 42L34 52Z"), .fill(.clay, "M87 32Q80 36 76 42L86 52Z"),
        .oval(.paper, 52, 79, 11, 9), .oval(.paper, 68, 79, 11, 9),
        .fill(.heart, "M54 69H66L60 76Z"),
        .oval(.paper, 45, 60, 7, 8), .oval(.paper, 75, 60, 7, 8), .oval(.ink, 45, 60, 3, 7),
        .oval(.ink, 75, 60, 3, 7),
        .line(.ink, 2, "M16 70L38 75M16 82L38 80M104 70L82 75M104 82L82 80"),
      ]
    case .whale:
      [
        .fill(
          .soft,
          "M12 64Q12 40 44 40Q74 40 86 56Q92 64 98 58Q86 46 92 38Q102 40 106 48Q108 40 114 40Q116 62 102 74Q88 92 52 90Q12 88 12 64Z"
        ),
        .fill(.paper, "M14 72Q34 80 54 76Q74 74 86 82Q72 90 52 90Q20 88 14 72Z"),
        .dot(.ink, 34, 62, 3.5), .fill(.ink, "M52 70Q66 72 68 84Q56 84 52 70Z"),
        .line(.accent, 3, "M44 34V24M44 26Q36 14 30 24M44 26Q52 14 58 24"),
      ]
    case .perchingBird:
      [
        .line(.ink, 3, "M58 90V106M70 90V106M52 106H62M64 106H74"),
        .fill(
          .warm, "M32 50Q32 28 54 28Q72 28 77 48Q82 60 108 66Q104 76 92 78Q84 94 62 94Q32 92 32 50Z"
        ),
        .fill(.clay, "M34 58Q34 88 62 90Q50 74 46 58Z"),
        .fill(.ink, "M35 42L17 49L34 54Z"), .dot(.paper, 49, 44, 6), .dot(.ink, 48, 44, 3),
        .fill(.heart, "M56 60Q82 54 92 72Q74 86 58 74Q54 68 56 60Z"),
      ]
    case .lizard:
      [
        .line(
          .accent, 6, "M48 42L36 58L28 56M58 46L74 34L82 38M62 70L48 80L46 90M72 80L82 66L92 68"),
        .line(.accent, 17, "M36 34Q58 34 62 56Q64 76 76 84"),
        .line(.accent, 9, "M70 80Q82 92 98 86Q108 80 104 70"), .oval(.accent, 30, 33, 17, 12),
        .dot(.paper, 26, 29, 5), .dot(.ink, 25, 29, 2.5), .line(.heart, 2.5, "M14 36L6 40"),
        .line(.moss, 3, "M47 36L50 32M58 46L63 42M62 60L68 58M67 74L73 71"),
      ]
    case .snake:
      [
        .line(.accent, 15, "M40 34Q86 28 84 52Q82 66 54 66Q28 66 30 82Q34 98 66 94Q90 92 98 80"),
        .line(.moss, 3, "M58 33L66 34M83 46L82 54M68 65L58 66M36 74L34 82M48 94L58 94M76 92L84 88"),
        .oval(.accent, 36, 34, 17, 12), .dot(.paper, 32, 30, 5), .dot(.ink, 31, 30, 2.5),
        .line(.heart, 2.5, "M19 36L10 38M10 38L5 35M10 38L6 42"),
      ]
    case .turtle:
      [
        .oval(.soft, 36, 82, 11, 10), .oval(.soft, 82, 82, 11, 10),
        .fill(.soft, "M24 76L10 84L26 84Z"),
        .oval(.soft, 100, 62, 13, 11), .line(.soft, 10, "M90 74L96 68"),
        .fill(.accent, "M20 78Q20 34 58 34Q96 34 96 78Q58 84 20 78Z"),
        .line(
          .moss, 3,
          "M46 56L58 48L70 56V70L58 77L46 70ZM46 56L32 50M70 56L84 50M46 70L30 76M70 70L86 76M58 48V36"
        ),
        .dot(.ink, 103, 59, 2.5), .line(.ink, 2, "M103 66Q108 67 111 64"),
      ]
    case .frog:
      [
        .dot(.accent, 38, 42, 17), .dot(.accent, 82, 42, 17), .oval(.accent, 60, 70, 44, 30),
        .oval(.moss, 60, 84, 30, 14), .dot(.paper, 38, 40, 10), .dot(.paper, 82, 40, 10),
        .dot(.ink, 38, 41, 5), .dot(.ink, 82, 41, 5), .dot(.ink, 55, 60, 1.8),
        .dot(.ink, 65, 60, 1.8),
        .line(.ink, 3, "M30 70Q60 88 90 70"),
      ]
    case .fish:
      [
        .fill(.heart, "M46 42Q58 24 76 32L72 48ZM50 78Q58 92 70 88L68 74Z"),
        .fill(
          .warm,
          "M12 60Q34 34 66 42Q80 46 90 56L110 38Q106 60 110 82L90 64Q80 76 66 78Q34 86 12 60Z"),
        .line(.clay, 3, "M42 46Q50 60 42 74"), .fill(.clay, "M54 58Q66 52 72 60Q66 70 54 64Z"),
        .dot(.paper, 30, 55, 6), .dot(.ink, 29, 55, 3), .line(.ink, 2, "M18 66Q22 68 25 66"),
      ]
    case .shark:
      [
        .fill(
          .soft,
          "M8 64Q34 42 58 44Q62 28 74 22Q76 36 80 48Q92 52 98 54Q102 40 114 34Q112 52 106 61Q112 72 112 86Q100 80 96 68Q80 78 62 78Q58 90 46 96Q44 86 46 78Q22 76 8 64Z"
        ),
        .fill(.paper, "M12 67Q40 70 60 66Q80 64 96 66Q80 78 62 78Q30 80 12 67Z"),
        .dot(.ink, 30, 58, 3), .line(.ink, 2.5, "M46 56V64M52 55V64M58 54V63"),
        .line(.ink, 2, "M18 68Q26 73 34 70"),
      ]
    case .bee:
      [
        .line(
          .ink, 3,
          "M50 56L30 62L24 76M50 64L34 80L34 94M70 56L90 62L96 76M70 64L86 80L86 94M54 28Q50 16 40 14M66 28Q70 16 80 14"
        ),
        .fill(.paper, "M56 48Q24 22 12 38Q10 56 54 58ZM64 48Q96 22 108 38Q110 56 66 58Z"),
        .oval(.warm, 60, 80, 16, 26), .line(.ink, 5, "M46 72H74M45 84H75M50 96H70"),
        .oval(.ink, 60, 54, 13, 12), .dot(.ink, 60, 36, 11), .dot(.paper, 55, 34, 3),
        .dot(.paper, 65, 34, 3),
      ]
    case .butterfly:
      [
        .fill(
          .warm,
          "M58 60Q44 16 20 24Q2 36 20 60Q36 68 58 62ZM62 60Q76 16 100 24Q118 36 100 60Q84 68 62 62Z"
        ),
        .fill(.heart, "M58 62Q24 64 28 86Q42 106 59 74ZM62 62Q96 64 92 86Q78 106 61 74Z"),
        .dot(.clay, 28, 40, 7), .dot(.clay, 92, 40, 7), .dot(.clay, 40, 80, 5),
        .dot(.clay, 80, 80, 5),
        .line(.ink, 7, "M60 46V86"), .line(.ink, 2.5, "M60 44Q56 28 44 22M60 44Q64 28 76 22"),
      ]
    default: furtherParts
    }
  }
}
