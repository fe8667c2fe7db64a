/// The table of whole names, to be written.
struct WholeNameTable {
  /// Where each bucket begins in `values`, and their number.
  let starts: [Int]
  /// The names of all buckets, each with its tag; those of one bucket ascend.
  let values: [UInt64]

  /// Takes the hash of each name.
  init(_ hashes: [UInt64]) {
    let shape = NameHash(nameCount: hashes.count)
    let tagCount = Int(shape.tagCount)
    // A stable counting sort: the names of one bucket and tag stay in their order.
    var next = [UInt32](repeating: 0, count: shape.bucketCount * tagCount + 1)
    for hash in hashes {
      let (bucket, tag) = shape.slot(of: hash)
      next[bucket * tagCount + Int(tag) + 1] += 1
    }
    for slot in 1..<next.count { next[slot] += next[slot - 1] }
    starts = (0...shape.bucketCount).map { Int(next[$0 * tagCount]) }
    var values = [UInt64](repeating: 0, count: hashes.count)
    for (name, hash) in hashes.enumerated() {
      let (bucket, tag) = shape.slot(of: hash)
      let slot = bucket * tagCount + Int(tag)
      values[Int(next[slot])] = tag * UInt64(hashes.count) + UInt64(name)
      next[slot] += 1
    }
    self.values = values
  }

  func write<Output: SectionOutput & ~Copyable>(to file: inout Output) throws(Output.Failure) {
    try file.write(.hashStarts, .monotone(starts))
    let width = values.reduce(0) { max($0, $1) }.significantBitCount
    try file.write(
      .hashNames, .packed(count: values.count, width: width) { values[$0] })
  }
}
