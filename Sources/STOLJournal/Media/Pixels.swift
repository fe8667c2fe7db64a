/// An image in memory: red, green and blue of each pixel, a byte each, row by row from the top.
struct Pixels: Equatable {
  let width: Int
  let height: Int
  let samples: [UInt8]

  /// An image of `width` by `height` pixels, both positive.
  ///
  /// - Precondition: there are three samples for each.
  init(width: Int, height: Int, samples: [UInt8]) {
    precondition(width > 0 && height > 0 && samples.count == 3 * width * height)
    self.width = width
    self.height = height
    self.samples = samples
  }

  /// The image as it is seen, of one that lies as Exif says: 1 as it is, 3 upside down, 6 and 8 on a side, the others
  /// mirrored.
  ///
  /// - Complexity: O(number of pixels)
  func turned(by orientation: Int) -> Pixels {
    guard (2...8).contains(orientation) else { return self }
    let (right, bottom) = (width - 1, height - 1)
    let isOnSide = orientation >= 5
    let (turnedWidth, turnedHeight) = isOnSide ? (height, width) : (width, height)
    var turned: [UInt8] = []
    turned.reserveCapacity(samples.count)
    for y in 0..<turnedHeight {
      for x in 0..<turnedWidth {
        let (column, row) =
          switch orientation {
          case 2: (right - x, y)
          case 3: (right - x, bottom - y)
          case 4: (x, bottom - y)
          case 5: (y, x)
          case 6: (y, bottom - x)
          case 7: (right - y, bottom - x)
          default: (right - y, x)
          }
        let start = 3 * (row * width + column)
        turned.append(samples[start])
        turned.append(samples[start + 1])
        turned.append(samples[start + 2])
      }
    }
    return Pixels(width: turnedWidth, height: turnedHeight, samples: turned)
  }
}
