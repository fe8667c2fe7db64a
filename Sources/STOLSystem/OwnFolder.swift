#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The user that this process acts for.
package var effectiveUser: UInt32 { geteuid() }

/// The user whom everything belongs to that no other has; out of reach of any check.
private let systemUser: UInt32 = 0

/// The home of a user as the password file has it, which says it where `HOME` does not.
///
/// - Parameters:
///   - user: the number of the user.
///   - path: the file, passwd(5).
/// - Returns: nil where the file does not have the user, or no absolute path for one.
package func homeFolder(of user: UInt32, inPasswordFile path: String = "/etc/passwd") -> String? {
  guard let file = try? RegularFile(path: path, followsLinks: true),
    let bytes = try? file.bytes(at: 0, limit: 1 << 22)
  else { return nil }
  for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
    let fields = line.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count > 5, UInt32(fields[2]) == user else { continue }
    return fields[5].hasPrefix("/") ? String(fields[5]) : nil
  }
  return nil
}

/// Why a folder, or a file, cannot be trusted to hold what only its owner may change.
package enum FolderFault: Equatable, Sendable {
  /// Another user's, or what lies above it is, who can put something else in its place.
  case otherOwner(path: String, owner: UInt32)
  /// Others may change it, or what lies above it, and so put something else in its place.
  case writableByOthers(path: String)
}

/// What is wrong with a folder, or with those above it; a folder that is not there yet is judged by them.
///
/// It and all above it must be the user's own, or the system's, and nobody else may write to them: not a
/// group either. Those above may be writable by the group that has the number of their owner, which on
/// many systems is that user alone, and may have the sticky bit, which keeps others from what is not
/// theirs (as /tmp has).
///
/// Links are followed, and must lie where nobody else can put another in their place.
///
/// - Parameter path: absolute, or from the current folder.
/// - Returns: nil where nothing is.
package func fault(ofOwnFolder path: String) -> FolderFault? {
  for link in links(on: path) {
    guard link.owner == effectiveUser || link.owner == systemUser else {
      return .otherOwner(path: link.path, owner: link.owner)
    }
    if let fault = fault(from: parentFolder(of: link.path), isAbove: true) { return fault }
  }
  var existing = path
  var isAbove = false
  while true {
    if let resolved = resolvedPath(existing) {
      existing = resolved
      break
    }
    let parent = parentFolder(of: existing)
    guard parent != existing else { return nil }
    existing = parent
    isAbove = true
  }
  return fault(from: existing, isAbove: isAbove)
}

/// What is wrong with a folder without links in its path, or with those above it.
private func fault(from folder: String, isAbove: Bool) -> FolderFault? {
  var existing = folder
  var isAbove = isAbove
  while true {
    if let facts = facts(of: existing) {
      guard facts.owner == effectiveUser || facts.owner == systemUser else {
        return .otherOwner(path: existing, owner: facts.owner)
      }
      let others: UInt32 = isAbove && facts.group == facts.owner ? 0o002 : 0o022
      if facts.mode & others != 0, !isAbove || facts.mode & 0o1000 == 0 {
        return .writableByOthers(path: existing)
      }
    }
    let next = parentFolder(of: existing)
    if next == existing { return nil }
    existing = next
    isAbove = true
  }
}

/// What is wrong with a file in a folder that nothing is wrong with; one that is not there is no fault.
///
/// It must be the user's own, or the system's, and nobody else may write to it, but for the group that has
/// the number of its owner; where it is a link, nobody else may put another file in the place that it leads to.
package func fault(ofOwnFile path: String) -> FolderFault? {
  if target(ofLink: path) != nil, let file = resolvedPath(path),
    let fault = fault(ofOwnFolder: parentFolder(of: file))
  {
    return fault
  }
  guard let facts = facts(of: path) else { return nil }
  guard facts.owner == effectiveUser || facts.owner == systemUser else {
    return .otherOwner(path: path, owner: facts.owner)
  }
  let others: UInt32 = facts.group == facts.owner ? 0o002 : 0o022
  return facts.mode & others == 0 ? nil : .writableByOthers(path: path)
}

/// The links that a path leads over, those that they lead over among them, each without links before it.
private func links(on path: String) -> [(path: String, owner: UInt32)] {
  guard let start = path.hasPrefix("/") ? "/" : resolvedPath(".") else { return [] }
  var found: [(path: String, owner: UInt32)] = []
  var folder = start
  var rest = path.split(separator: "/").map(String.init)[...]
  while let name = rest.popFirst(), found.count < mostLinks {
    if name == "." { continue }
    if name == ".." {
      folder = parentFolder(of: folder)
      continue
    }
    let next = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    guard let link = target(ofLink: next) else {
      folder = next
      continue
    }
    found.append((next, link.owner))
    if link.target.hasPrefix("/") { folder = "/" }
    rest = (link.target.split(separator: "/").map(String.init) + rest)[...]
  }
  return found
}

/// A path over more links leads nowhere: that of Linux.
private let mostLinks = 40

/// Where a link leads, and whose it is; nil for what is none.
private func target(ofLink path: String) -> (target: String, owner: UInt32)? {
  var info = stat()
  // SAFETY: the path is a NUL-terminated copy; the call fills in the block that is given.
  guard unsafe lstat(path, &info) == 0, FileKind(mode: info.st_mode) == .link else { return nil }
  var bytes = [CChar](repeating: 0, count: 4096)
  // SAFETY: the path is a NUL-terminated copy; the call writes no more than the array has.
  let count = unsafe readlink(path, &bytes, bytes.count)
  guard count > 0 else { return nil }
  return (
    String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self), info.st_uid
  )
}

/// The path that a link leads to in the end, where nothing need be; a path that is no link is its own.
///
/// - Throws: `SystemError`, where links lead to each other.
func targetOfLinks(_ path: String) throws(SystemError) -> String {
  var path = path
  for _ in 0..<mostLinks {
    guard let link = target(ofLink: path) else { return path }
    path =
      link.target.hasPrefix("/") ? link.target : "\(parentFolder(of: path))/\(link.target)"
  }
  throw SystemError(
    operation: "open", path: path, code: SystemErrorCode(rawValue: ELOOP))
}

private func parentFolder(of path: String) -> String {
  let trimmed = path.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
  guard let slash = trimmed.lastIndex(of: "/") else { return "." }
  return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
}

private func facts(of path: String) -> (owner: UInt32, group: UInt32, mode: UInt32)? {
  var info = stat()
  // SAFETY: the path is a NUL-terminated copy; the call fills in the block that is given.
  guard unsafe stat(path, &info) == 0 else { return nil }
  return (info.st_uid, info.st_gid, UInt32(info.st_mode))
}

/// The path without links; nil where nothing is there.
private func resolvedPath(_ path: String) -> String? {
  // SAFETY: the path is a NUL-terminated copy; the result is a new block, freed once it was copied.
  guard let text = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(text) }
  return unsafe String(cString: text)
}
