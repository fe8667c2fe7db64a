import FuzzSupport

/// A container that is damaged but signed is refused, or decompresses to what was signed.
@_cdecl("FuzzContainer_main")
func run(_ count: CInt, _ arguments: Arguments) -> CInt {
  unsafe Fuzzer.run(count, arguments) { bytes in ContainerReading.read(bytes) }
}

/// Changes a container and makes its digests and signature right again.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: UInt32) -> Int
{
  unsafe Fuzzer.mutate(bytes, count, limit: limit, seed: seed) { bytes, random in
    ContainerMutator.mutate(&bytes, limit: limit, &random)
  }
}
