import STOLSystem
public import Foundation

/// The last lines of what the services say of their work, kept in memory where somebody asked for it.
///
/// It is off until it is switched on, never written anywhere by itself, and gone with the process.
/// Paths, quoted texts and ids are taken out before a line is kept.
public final class DiagnosticLog: Sendable {
  /// The parts that a line may come from.
  public enum Category: String, CaseIterable, Sendable {
    /// Databases: opening, switching.
    case db
    /// Search.
    case search
    /// Comparisons.
    case compare
    /// What a person sees: commands, pages, screens.
    case ui
    /// Imports of databases and media packs.
    case `import`
    /// Favourites.
    case favorites
    /// Media packs.
    case media
  }

  /// The most lines that are kept; the oldest go first.
  public static let capacity = 1_000
  /// The longest line, in bytes; the rest is cut off.
  public static let longestLine = 400

  private struct State {
    var isEnabled: Bool
    var lines: [String] = []
  }
  private let state: Locked<State>

  /// A log without lines.
  public init(isEnabled: Bool = false) { state = Locked(State(isEnabled: isEnabled)) }

  /// Whether lines are kept; switching it off forgets them.
  public var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set {
      state.withLock { state in
        state.isEnabled = newValue
        if !newValue { state.lines = [] }
      }
    }
  }

  /// The lines, oldest first.
  public var lines: [String] { state.withLock { $0.lines } }

  /// Forgets all lines.
  public func clear() { state.withLock { $0.lines = [] } }

  /// Keeps a line, if the log is on.
  ///
  /// - Complexity: O(length); O(1) where the log is off.
  public func record(
    _ category: Category, _ level: String, _ message: @autoclosure () -> String,
    at time: Date = .now
  ) {
    guard isEnabled else { return }
    let text = Redaction.redact(message())
    let cut = String(decoding: text.utf8.prefix(Self.longestLine), as: UTF8.self)
    let line = "\(time.formatted(.iso8601)) \(level) \(category.rawValue): \(cut)"
    state.withLock { state in
      guard state.isEnabled else { return }
      if state.lines.count >= Self.capacity {
        state.lines.removeFirst(state.lines.count - Self.capacity + 1)
      }
      state.lines.append(line)
    }
  }
}
