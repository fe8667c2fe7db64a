import FuzzSupport
import STOLPack

/// A damaged pack opens or is refused; open, it answers everything, and so does its verification.
@_cdecl("FuzzPack_main")
func run(_ count: CInt, _ arguments: Arguments) -> CInt {
  unsafe Fuzzer.run(count, arguments) { bytes in
    guard let pack = try? Pack(PackBytes(copying: bytes)) else { return }
    Questions.ask(pack)
    if (try? pack.verify()) != nil { Questions.requireSense(of: pack) }
  }
}

/// Changes a pack and makes its checksums right again.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: UInt32) -> Int
{
  unsafe Fuzzer.mutate(bytes, count, limit: limit, seed: seed) { bytes, random in
    PackMutator.mutate(&bytes, limit: limit, &random)
  }
}
