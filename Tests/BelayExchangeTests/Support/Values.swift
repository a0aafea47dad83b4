import Belay
import BelayExchange
import CBelay

/// What `signal` sends at once, and how it ends.
func heard<Value>(_ signal: Signal<Value>) -> (values: [Value], end: String) {
  var values: [Value] = []
  var end = "none"
  signal.subscribe(
    next: { values.append($0) }, error: { end = "\($0)" }, completed: { end = "completed" })
  return (values, end)
}

final class Values { var list: [Int] = [] }

/// An array of arrays of arrays.
struct Nest: ExchangedValue {
  private var inner: [Nest]?

  /// - Parameter depth: how many arrays there are.
  init(depth: Int) { inner = depth == 0 ? nil : [Nest(depth: depth - 1)] }

  private init(_ inner: [Nest]?) { self.inner = inner }

  var depth: Int { inner.map { 1 + ($0.first?.depth ?? 0) } ?? 0 }

  static func read(_ content: belay_exchange_value, at depth: Int) throws(Failure) -> Nest {
    Nest(try [Nest]?.read(content, at: depth))
  }

  func content(
    in storage: inout ExchangedStorage, at depth: Int
  ) throws(Failure) -> belay_exchange_value {
    try inner.content(in: &storage, at: depth)
  }
}
