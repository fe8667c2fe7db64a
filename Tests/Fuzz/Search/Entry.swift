import FuzzSupport
import STOLPack

/// Any text finds what plain comparison finds, in order, once and no more than asked for.
@_cdecl("FuzzSearch_main")
func run(_ count: CInt, _ arguments: Arguments) -> CInt {
  unsafe Fuzzer.run(count, arguments) { bytes in
    guard let model = unsafe SearchModel.shared else { fatalError("STOL_FUZZ_PACKS names no pack") }
    model.check(SearchInput(bytes))
  }
}
