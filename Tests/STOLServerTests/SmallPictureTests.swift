import Foundation
import TestSupport
import Testing

@testable import STOLServer

@Suite struct SmallPictureTests {
  /// 300 by 200 points: the left half red, the right half without a colour.
  private static let png = bytes(
    """
    iVBORw0KGgoAAAANSUhEUgAAASwAAADICAYAAABS39xVAAADAUlEQVR42u3UQQ0AAAgDsfk3PRI0wK/JKmGXJoVrO7jm\
    XAgWgoVggWAhWAgWCBaChWCBYCFYCBYIFoKFYIFgIVgIFggWgoVggWAhWAgWCBaChWCBYCFYCBYIFoKFYIFgIVgIFggW\
    goVggWAhWAgWCBaChWCBYCFYCBYIFoKFYIFgIVgIFggWgoVgIVjOhWAhWAgWCBaChWCBYCFYCBYIFoKFYIFgIVgIFggW\
    goVggWAhWAgWCBaChWCBYCFYCBYIFoKFYIFgIVgIFggWgoVggWAhWAgWCBaChWCBYCFYCBYIFoKFYIFgIVgIFggWgoVg\
    gWAhWAgWguVcCBaChWCBYCFYCBYIFoKFYIFgIVgIFggWgoVggWAhWAgWCBaChWCBYCFYCBYIFoKFYIFgIVgIFggWgoVg\
    gWAhWAgWCBaChWCBYCFYCBYIFoKFYIFgIVgIFggWgoVggWAhWAgWCBaChWAhWA6GYCFYCBYIFoKFYIFgIVgIFggWgoVg\
    gWAhWAgWCBaChWCBYCFYCBYIFoKFYIFgIVgIFggWgoVggWAhWAgWCBaChWCBYCFYCBYIFoKFYIFgIVgIFggWgoVggWAh\
    WAgWCBaChWCBcyFYCBaCBYKFYCFYIFgIFoIFgoVgIVggWAgWggWChWAhWCBYCBaCBYKFYCFYIFgIFoIFgoVgIVggWAgW\
    ggWChWAhWCBYCBaCBYKFYCFYIFgIFoIFgoVgIVggWAgWggWChWAhWCBYCBaChWA5F4KFYCFYIFgIFoIFgoVgIVggWAgW\
    ggWChWAhWCBYCBaCBYKFYCFYIFgIFoIFgoVgIVggWAgWggWChWAhWCBYCBaCBYKFYCFYIFgIFoIFgoVgIVggWAgWggWC\
    hWAhWCBYCBaCBYKFYCFYCJZzIVgIFoIFgoVgIVggWAgWggWChWAhWCBYCBaCBYKFYCFYIFgIFoIFgoVgIVggWAgWggWC\
    hWAhWCBYCBaCBYKFYCFYIFgIFoIFgoVgIVggWAgWggWChWAhWCBYCBaCBYLFnwGtbETzYNHjtgAAAABJRU5ErkJggg==
    """)
  /// The same.
  private static let webP = bytes(
    """
    UklGRiwAAABXRUJQVlA4TCAAAAAvK8ExEA8Q8x/zHwzCbKOZnT/VfWewiP5PwMVh5r8UAw==
    """)
  /// 320 by 160 points, blue and red, which lie on a side.
  private static let jpeg = bytes(
    """
    /9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDAAoHBwgHBgoI\
    CAgLCgoLDhgQDg0NDh0VFhEYIx8lJCIfIiEmKzcvJik0KSEiMEExNDk7Pj4+JS5ESUM8SDc9Pjv/2wBDAQoLCw4NDhwQ\
    EBw7KCIoOzs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozs7Ozv/wAARCACgAUADASIA\
    AhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIh\
    MUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZn\
    aGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl\
    5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3\
    AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RV\
    VldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU\
    1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDhaKKK/SjywooooAKKKKACiiigAooooAKKKKACiiig\
    AooooAKKKKACiiigDUooor8eP1gKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigAooooAy6KKK/YT8nCiiigAo\
    oooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKANSiiivx4/WAooooAKKKKACiiigAooooAKKKKACiiigAooooAKKK\
    KACiiigDLooor9hPycKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigAooooA1KKKK/Hj9YCiiigAooooAKKKKA\
    CiiigAooooAKKKKACiiigAooooAKKKKAMuiiiv2E/JwooooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigDU\
    ooor8eP1gKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigAooooAy6KKK/YT8nCiiigAooooAKKKKACiiigAooo\
    oAKKKKACiiigAooooAKKKKANSiiivx4/WAooooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigDLooor9hPyc\
    KKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigAooooA1KKKK/Hj9YCiiigAooooAKKKKACiiigAooooAKKKKACi\
    iigAooooAKKKKAMuiiiv2E/JwooooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigDUooor8eP1gKKKKACiii\
    gAooooAKKKKACiiigAooooAKKKKACiiigAooooAy6KKK/YT8nCiiigAooooAKKKKACiiigAooooAKKKKACiiigAooooA\
    KKKKANSiiivx4/WAooooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigDLooor9hPycKKKKACiiigAooooAKK\
    KKACiiigAooooAKKKKACiiigAooooA1KKKK/Hj9YCiiigAooooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKAMuii\
    iv2E/JwooooAKKKKACiiigAooooAKKKKACiiigAooooAKKKKACiiigDUooor8eP1gKKKKACiiigAooooAKKKKACiiigA\
    ooooAKKKKACiiigAooooA//Z
    """)

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64) ?? Data())
  }

  /// Width and height of a WebP file, by its head.
  private func size(_ file: [UInt8]) throws -> [Int] {
    try #require(file.starts(with: Array("RIFF".utf8)) && file.count > 30)
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
    }
    return switch String(decoding: file[12..<16], as: UTF8.self) {
    case "VP8X": [number(24, 3) + 1, number(27, 3) + 1]
    default: [number(26, 2) & 0x3FFF, number(28, 2) & 0x3FFF]
    }
  }

  @Test func everyTypeBecomesSmall() throws {
    for size in SmallPicture.Size.allCases {
      let edge = size.rawValue
      let wide = edge > 300 ? [300, 200] : [edge, (edge * 2 + 1) / 3]
      for file in [Self.png, Self.webP] {
        let small = try #require(SmallPicture.file(of: file, size: size))
        #expect(try self.size(small) == wide)
        // It is kept for long, and so in no more memory than it needs.
        #expect(small.capacity < small.count + 4096)
      }
      let turned = try #require(SmallPicture.file(of: Self.jpeg, size: size))
      let height = min(edge, 320)
      #expect(try self.size(turned) == [height / 2, height])
      #expect(!String(decoding: turned, as: UTF8.self).contains("Exif"))
    }
  }

  /// No truncation and no flipped bit ends the process; what comes out is a picture or nothing.
  @Test func damagedPicturesAreNone() throws {
    var generator = SeededGenerator(seed: 28)
    for file in [Self.png, Self.webP, Self.jpeg] {
      for count in stride(from: 0, to: file.count, by: max(1, file.count / 150)) {
        try check(Array(file[..<count]))
      }
      for _ in 0..<300 {
        var damaged = file
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          damaged[Int.random(in: 0..<file.count, using: &generator)] ^=
            1 << UInt8.random(in: 0..<8, using: &generator)
        }
        try check(damaged)
      }
    }
    #expect(SmallPicture.file(of: [], size: .small) == nil)
    #expect(SmallPicture.file(of: Array("<svg onload=alert(1)></svg>".utf8), size: .small) == nil)
  }

  private func check(_ file: [UInt8]) throws {
    guard let small = SmallPicture.file(of: file, size: .small) else { return }
    #expect(try size(small).allSatisfy { (1...128).contains($0) })
  }

  /// A head that says 60,000 by 60,000 points takes no memory for them.
  @Test func greatPicturesAreNone() {
    var file = Self.png
    for (offset, byte) in [(18, 0xEA), (19, 0x60), (22, 0xEA), (23, 0x60)] {
      file[offset] = UInt8(byte)
    }
    #expect(SmallPicture.file(of: file, size: .small) == nil)
  }
}
