import CBelayShim

/// Counts live objects by kind, in every build. A count costs a plain store into the thread's
/// record.
public enum Live: Int32, Sendable, CaseIterable {
  case subscriptions
  case signals
  case subscribers
  case disposables
  case owners
  case loops
  case values
  case errors

  /// The name of the kind in reports.
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

  /// How many objects of this kind are alive in the process.
  public var count: Int { Int(max(0, belay_shim_live(rawValue))) }

  /// The sum over all kinds.
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
