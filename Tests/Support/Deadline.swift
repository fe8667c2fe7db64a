import Foundation

/// Ends this process, as a crash does, unless it is called again within half a minute.
///
/// It is there for what hangs: nothing that ends is slow enough for it, on any machine. Only for processes
/// of their own, those of exit tests.
public func endIfThisHangs() { alarm(30) }
