import CBelayShim

/// Counts of what is alive, by kind. Always on: a count costs a plain store of its own thread.
public enum Live: Int32, Sendable, CaseIterable {
  case subscriptions
  case signals
  case subscribers
  case disposables
  case owners
  case loops
  case values
  case errors

  /// The kind's name, as it is called in reports.
  package var name: StaticString {
    switch self {
    case .subscriptions: "subscriptions"
    case .signals: "signals"
    case .subscribers: "subscribers"
    case .disposables: "disposables"
    case .owners: "owners"
    case .loops: "loops"
    case .values: "values"
    case .errors: "errors"
    }
  }

  /// How many of this kind are alive in the process.
  public var count: Int { Int(max(0, belay_shim_live(rawValue))) }

  /// How many of all kinds together.
  public static var total: Int {
    var sum = 0
    for kind in allCases { sum += kind.count }
    return sum
  }

  @inline(__always)
  package func began() { belay_shim_count_live(rawValue, 1) }

  @inline(__always)
  package func ended() { belay_shim_count_live(rawValue, -1) }
}
