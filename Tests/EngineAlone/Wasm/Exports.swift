// What the module shows to whoever loads it. `EngineAnswers` is the same program with a system.

private nonisolated(unsafe) var input = UnsafeMutableRawBufferPointer(start: nil, count: 0)
private nonisolated(unsafe) var pack: Pack?
private nonisolated(unsafe) var session = SearchSession()
private nonisolated(unsafe) var output: [UInt8] = []

/// Room for a pack or a question, in place of that of the one before.
@_expose(wasm, "room")
func room(_ byteCount: Int) -> UnsafeMutableRawPointer? {
  input.deallocate()
  input = .allocate(byteCount: byteCount, alignment: 16)
  return input.baseAddress
}

/// Opens the pack that has been put there; gives the length of what is wrong with it, if anything.
@_expose(wasm, "open")
func open() -> Int {
  do throws(PackError) {
    pack = try Pack(PackBytes(copying: Array(input)))
    output = []
  } catch {
    output = Array(error.description.utf8)
  }
  return output.count
}

/// Answers the question that has been put there; gives the length of the answer.
@_expose(wasm, "answer")
func answer() -> Int {
  let question = String(decoding: input, as: UTF8.self)
  output = Array((pack?.view.answer(question, &session) ?? "").utf8)
  return output.count
}

/// Where the answer is.
@_expose(wasm, "output")
func outputStart() -> UnsafePointer<UInt8>? { output.withUnsafeBufferPointer { $0.baseAddress } }
