/// Why a call has no answer: what it returns, and a sentence.
struct DoorError: Error {
  let code: Code
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// What a function returns: as stol.h lists it.
  enum Code: Equatable {
    case moreRoom
    case unreadable
    case noPack
    case textIDs
    case changed
    /// The number of the argument, from 1.
    case wrongArgument(Int32)

    var rawValue: Int32 {
      switch self {
      case .moreRoom: 1
      case .unreadable: 2
      case .noPack: 3
      case .textIDs: 4
      case .changed: 5
      case .wrongArgument(let number): 100 + number
      }
    }
  }

  /// Argument `number`, from 1, is wrong.
  static func argument(_ number: Int32, _ message: String) -> DoorError {
    DoorError(.wrongArgument(number), message)
  }

  /// An error where there are more elements than there is room for.
  static func check(needed: Int, room: Int) throws(DoorError) {
    guard needed <= room else {
      throw DoorError(.moreRoom, "there are \(needed) elements and room for \(room)")
    }
  }
}

/// An argument by its number, from 1, and its name.
struct Argument {
  let number: Int32
  let name: String

  init(_ number: Int32, _ name: String) {
    self.number = number
    self.name = name
  }

  /// That it is not what it should be.
  func wrong(_ why: String) -> DoorError { .argument(number, "\(name) \(why)") }
}
