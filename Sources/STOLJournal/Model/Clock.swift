import Foundation

/// The milliseconds since 1970 by the clock of this machine.
func currentMilliseconds() -> Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }
