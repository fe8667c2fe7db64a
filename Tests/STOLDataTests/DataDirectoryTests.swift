import Foundation
import STOLData
import STOLSystem
import TestSupport
import Testing

/// The folder of what a person keeps is theirs alone.
@Suite("The data directory")
struct DataDirectoryTests {
  private static func mode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private static func folder(_ path: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test func aFolderOfOnesOwnIsTrusted() throws {
    let folder = try TemporaryFolder()
    let home = try Self.folder(folder("home"))
    try Self.mode(0o700, home)
    try DataDirectory(override: home).check()
    try DataDirectory(override: home + "/not/there/yet").check()
    try DataDirectory(override: home + "/").check()
  }

  @Test func whatOthersCanChangeIsNot() throws {
    let folder = try TemporaryFolder()
    let above = try Self.folder(folder("above"))
    let home = try Self.folder(above + "/home")
    let real = try FileManager.default.destinationOfSymbolicLinkOrSelf(home)
    for mode in [0o722, 0o720, 0o702] {
      try Self.mode(mode, home)
      #expect(throws: DataDirectoryError.writableByOthers(path: real)) {
        try DataDirectory(override: home).check()
      }
    }
    try Self.mode(0o700, home)
    // What lies above can be exchanged as a whole, unless the sticky bit keeps others from it.
    try Self.mode(0o777, above)
    for path in [home, home + "/not/there", above + "/neither"] {
      #expect(throws: DataDirectoryError.self) { try DataDirectory(override: path).check() }
    }
    try Self.mode(0o1777, above)
    try DataDirectory(override: home).check()
    // A link is judged by where it leads.
    try Self.mode(0o777, above)
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: home)
    #expect(throws: DataDirectoryError.self) { try DataDirectory(override: folder("link")).check() }
  }

  @Test(.enabled(if: getuid() == 0, "only root can give a folder away"))
  func whatIsAnotherUsersIsNot() throws {
    let folder = try TemporaryFolder()
    let home = try Self.folder(folder("home"))
    try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: home)
    #expect(throws: DataDirectoryError.self) { try DataDirectory(override: home).check() }
  }

  /// Whoever owns a folder, or is of a group that may write to it, can exchange what lies below.
  @Test(.enabled(if: getuid() == 0, "only root can give a folder away"))
  func whatLiesAboveIsNobodyElses() throws {
    let folder = try TemporaryFolder()
    let above = try Self.folder(folder("above"))
    let home = try Self.folder(above + "/home")
    try Self.mode(0o700, home)
    for mode in [0o775, 0o2775] {
      // The group with the user's own number is theirs alone.
      for (group, isTheirs) in [(Int(getuid()), true), (12_345, false)] {
        try FileManager.default.setAttributes([.groupOwnerAccountID: group], ofItemAtPath: above)
        try Self.mode(mode, above)
        if isTheirs {
          try DataDirectory(override: home).check()
        } else {
          #expect(throws: DataDirectoryError.self) { try DataDirectory(override: home).check() }
        }
      }
    }
    try Self.mode(0o1775, above)
    try DataDirectory(override: home).check()
    try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: above)
    let real = try FileManager.default.destinationOfSymbolicLinkOrSelf(above)
    for mode in [0o1777, 0o755, 0o700] {
      try Self.mode(mode, above)
      for path in [home, above + "/not/there"] {
        #expect(throws: DataDirectoryError.otherOwner(path: real, owner: 12_345)) {
          try DataDirectory(override: path).check()
        }
      }
    }
  }

  @Test func whatLiesInsideIsNobodyElses() throws {
    let folder = try TemporaryFolder()
    let directory = DataDirectory(override: folder.path)
    for inside in [
      directory.keys, directory.databases, directory.favorites, directory.media,
      directory.diagnostics,
    ] {
      _ = try Self.folder(inside)
      for mode in [0o777, 0o775, 0o1777] {
        try Self.mode(mode, inside)
        #expect(throws: DataDirectoryError.self) { try directory.check() }
        #expect(throws: DataDirectoryError.self) { try LocalDatabaseProvider(directory: directory) }
      }
      try Self.mode(0o755, inside)
      try directory.check()
    }
  }

  /// Keys, and the files that say what answers and hold it.
  @Test func theFilesInsideAreNobodyElses() throws {
    let folder = try TemporaryFolder()
    let directory = DataDirectory(override: folder.path)
    _ = try Self.folder(directory.keys)
    _ = try Self.folder(directory.media)
    let generation = try Self.folder(directory.databases + "/reference-2")
    let files = [
      directory.keys + "/keys.txt", directory.databases + "/reference.txt",
      directory.databases + "/releases.txt", directory.media + "/releases.txt",
      generation + "/reference.sqlite", generation + "/reference.stolpack",
    ]
    for file in files { try Data("x".utf8).write(to: URL(fileURLWithPath: file)) }
    for file in files { try Self.mode(0o644, file) }
    try directory.check()
    for file in files {
      for mode in [0o666, 0o602] {
        try Self.mode(mode, file)
        #expect(throws: DataDirectoryError.writableByOthers(path: file)) { try directory.check() }
      }
      try Self.mode(0o644, file)
    }
    try Self.mode(0o777, generation)
    #expect(throws: DataDirectoryError.self) { try directory.check() }
    try Self.mode(0o700, generation)
    try directory.check()
  }

  /// Whoever can write to the folder of a link can make it lead elsewhere.
  @Test func aLinkThatOthersCanReplaceIsNotFollowed() throws {
    let folder = try TemporaryFolder()
    let home = try Self.folder(folder.path + "/home")
    let shared = try Self.folder(folder.path + "/shared")
    func link(_ name: String, to path: String) throws -> String {
      let link = shared + "/" + name
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      return link
    }
    let direct = DataDirectory(override: try link("direct", to: home))
    let indirect = DataDirectory(override: try link("indirect", to: "./direct/../home"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/outside", withDestinationPath: shared + "/direct")
    let outside = DataDirectory(override: folder.path + "/outside/./")
    for directory in [direct, indirect, outside] { try directory.check() }
    try Self.mode(0o777, shared)
    for directory in [direct, indirect, outside] {
      #expect(throws: DataDirectoryError.writableByOthers(path: shared)) { try directory.check() }
    }
    // The sticky bit keeps others from links that are not theirs.
    try Self.mode(0o1777, shared)
    for directory in [direct, indirect, outside] { try directory.check() }
    // A file that a link leads to counts as one in its own folder.
    let keys = try Self.folder(home + "/Keys")
    try Data("x".utf8).write(to: URL(fileURLWithPath: shared + "/keys.txt"))
    try FileManager.default.createSymbolicLink(
      atPath: keys + "/keys.txt", withDestinationPath: shared + "/keys.txt")
    #expect(throws: DataDirectoryError.self) { try DataDirectory(override: home).check() }
    try Self.mode(0o700, shared)
    try DataDirectory(override: home).check()
  }

  @Test(.enabled(if: getuid() == 0, "only root can give a file away"))
  func aFileOfAnotherUserIsNotTrusted() throws {
    let folder = try TemporaryFolder()
    let directory = DataDirectory(override: folder.path)
    let file = try Self.folder(directory.keys) + "/keys.txt"
    try Data("x".utf8).write(to: URL(fileURLWithPath: file))
    try Self.mode(0o664, file)
    for (group, isTheirs) in [(Int(getuid()), true), (12_345, false)] {
      try FileManager.default.setAttributes([.groupOwnerAccountID: group], ofItemAtPath: file)
      if isTheirs {
        try directory.check()
      } else {
        #expect(throws: DataDirectoryError.writableByOthers(path: file)) { try directory.check() }
      }
    }
    try Self.mode(0o600, file)
    try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: file)
    #expect(throws: DataDirectoryError.otherOwner(path: file, owner: 12_345)) {
      try directory.check()
    }
  }

  @Test func thePasswordFileSaysWhoseHomeIsWhere() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      Array(
        "root:x:0:0:root:/root:/bin/sh\nbad\nann:x:1000:1000::/home/ann:/bin/sh\nno:x:7:7::none:\n"
          .utf8),
      to: "passwd")
    #expect(homeFolder(of: 1000, inPasswordFile: path) == "/home/ann")
    #expect(homeFolder(of: 0, inPasswordFile: path) == "/root")
    for user: UInt32 in [7, 99] { #expect(homeFolder(of: user, inPasswordFile: path) == nil) }
    #expect(homeFolder(of: 0, inPasswordFile: path + "x") == nil)
  }
}

extension FileManager {
  /// The path with all links followed.
  fileprivate func destinationOfSymbolicLinkOrSelf(_ path: String) throws -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }
}
