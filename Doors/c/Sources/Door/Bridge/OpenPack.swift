import CDoor
import STOLPack

/// What a `stol_pack` is: an open pack.
final class OpenPack: Sendable {
  private let pack: Pack
  private let path: String

  init(path: String) throws(DoorError) {
    self.path = path
    do {
      pack = try Pack(path: path)
    } catch let error as PackError {
      throw DoorError(.noPack, "\(path): \(error)")
    } catch {
      throw DoorError(.unreadable, "\(error)")
    }
  }

  /// The handle that C keeps, which owns the pack until `close`.
  var handle: OpaquePointer {
    // SAFETY: the reference that is counted here is given back by `close` alone.
    unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque())
  }

  /// The pack of a handle.
  ///
  /// - Throws: also where its file was written over, of which pages may be gone that it takes to
  ///   answer, or its time set, which looks the same.
  static func of(_ handle: OpaquePointer?) throws(DoorError) -> Pack {
    guard let handle = unsafe handle else { throw .argument(1, "pack is NULL") }
    // SAFETY: the caller of the library states that the handle is one of `stol_open` that is not closed.
    let open = unsafe Unmanaged<OpenPack>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
    guard open.pack.isUnchanged else { throw open.changed }
    return open.pack
  }

  private var changed: DoorError {
    DoorError(
      .changed,
      "the pack was written over, or its time set, after it was opened: open it again, and replace "
        + "packs by renaming (mv), never by copying over them (cp): \(path)")
  }

  static func close(_ handle: OpaquePointer?) {
    guard let handle = unsafe handle else { return }
    // SAFETY: the caller of the library states that this is the last use of a handle of `stol_open`.
    unsafe Unmanaged<OpenPack>.fromOpaque(UnsafeRawPointer(handle)).release()
  }
}

/// Runs what a function does, and returns what that amounts to in C.
@inline(__always)
func code(
  _ error: UnsafeMutablePointer<stol_error>?, _ body: () throws(DoorError) -> Int32
) -> Int32 {
  do {
    let code = try body()
    unsafe clear(error)
    return code
  } catch let failure {
    unsafe report(failure, error)
    return failure.code.rawValue
  }
}

/// Says that nothing went wrong.
@inline(__always)
private func clear(_ error: UnsafeMutablePointer<stol_error>?) {
  // SAFETY: as in `report`.
  guard let error = unsafe error, unsafe error.pointee.size >= MemoryLayout<stol_error>.size else {
    return
  }
  unsafe error.pointee.code = 0
  unsafe error.pointee.message.0 = 0
}

/// Writes what went wrong into a struct, as far as its size says that there is room.
private func report(_ failure: DoorError, _ error: UnsafeMutablePointer<stol_error>?) {
  guard let error = unsafe error, let messageOffset = MemoryLayout<stol_error>.offset(of: \.message)
  else { return }
  // SAFETY: the caller of the library states that the struct begins with its size; no more is written than
  // that, nor than the struct that the library knows.
  let size = unsafe min(error.pointee.size, MemoryLayout<stol_error>.size)
  guard size > messageOffset else { return }
  unsafe error.pointee.code = failure.code.rawValue
  // As many whole characters as there is room for, and a NUL.
  var message: [UInt8] = []
  for character in failure.message {
    guard message.count + character.utf8.count < size - messageOffset else { break }
    message += character.utf8
  }
  message.append(0)
  unsafe UnsafeMutableRawPointer(error).advanced(by: messageOffset).copyMemory(
    from: message, byteCount: message.count)
}
