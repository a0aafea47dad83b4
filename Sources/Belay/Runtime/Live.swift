import CBelayShim

/// Counts live objects by kind, in every build. A count costs a plain store into the thread's
/// record.
public enum Live: Int32, Sendable, CaseIterable {
  /// Subscriptions that have not been freed.
  case subscriptions
  /// Signals, subjects and properties included.
  case signals
  /// The subscribers that producers send into.
  case subscribers
  /// Disposables that are no subscriptions, work included.
  case disposables
  /// Owners of objects.
  case owners
  /// Loops that have not been closed, or a handle of which has not gone.
  case loops
  /// Boxes that values refer to.
  case values
  /// Failures.
  case errors
  /// Objects' tables whose private copy is in use.
  case tables
  /// Words of tables that hold a function of ours.
  case slots
  /// Delegate proxies.
  case proxies
  /// Functions made at run time. A slot in a table keeps its own.
  case closures
  /// Classes whose destroy function was replaced, which is for good.
  case classes

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
    case .tables: "tables"
    case .slots: "slots"
    case .proxies: "proxies"
    case .closures: "closures"
    case .classes: "classes"
    }
  }

  /// How many objects of this kind are alive in the process.
  public var count: Int { Int(max(0, belay_shim_live(rawValue))) }

  /// The sum over all kinds but closures and classes, which may stay.
  public static var total: Int {
    var sum = 0
    for kind in allCases where kind.rawValue < closures.rawValue { sum += kind.count }
    return sum
  }

  @inline(__always)
  package func began() { belay_shim_count_live(rawValue, 1) }

  @inline(__always)
  package func ended() { belay_shim_count_live(rawValue, -1) }

  /// Counts something that is alive while a property is true.
  @inline(never)
  package func changed(from old: Bool, to new: Bool) {
    if new != old { belay_shim_count_live(rawValue, new ? 1 : -1) }
  }
}
