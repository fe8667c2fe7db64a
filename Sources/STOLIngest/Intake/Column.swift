/// One value for each row, in pieces, so that growing copies nothing and frees nothing.
struct Column<Element> {
  private var pieces: [[Element]] = []
  private(set) var count = 0
  private static var shift: Int { 16 }
  private static var mask: Int { 1 << shift - 1 }

  init() {}

  init(repeating value: Element, count: Int) {
    for _ in 0..<count >> Self.shift {
      pieces.append(Array(repeating: value, count: 1 << Self.shift))
    }
    pieces.append(Array(repeating: value, count: count & Self.mask))
    self.count = count
  }

  mutating func append(_ value: Element) {
    if count >> Self.shift == pieces.count {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(1 << Self.shift)
    }
    pieces[count >> Self.shift].append(value)
    count += 1
  }

  subscript(row: Int) -> Element {
    get { pieces[row >> Self.shift][row & Self.mask] }
    set { pieces[row >> Self.shift][row & Self.mask] = newValue }
  }
}
