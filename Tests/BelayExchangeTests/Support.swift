import Belay
import BelayExchange
import CBelay
import Glibc
import Synchronization

/// What `signal` sends at once, and how it ends.
func heard<Value>(_ signal: Signal<Value>) -> (values: [Value], end: String) {
  var values: [Value] = []
  var end = "none"
  signal.subscribe(
    next: { values.append($0) }, error: { end = "\($0)" }, completed: { end = "completed" })
  return (values, end)
}

final class Values { var list: [Int] = [] }

final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

/// A thread of its own, to be joined.
final class Routine: @unchecked Sendable {
  private var thread = pthread_t()
  private let body: @Sendable () -> Void

  /// - Parameter stack: its size in bytes.
  init(stack: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) {
    self.body = body
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    precondition(pthread_attr_setstacksize(&attributes, stack) == 0)
    let code = pthread_create(
      &thread, &attributes,
      {
        Unmanaged<Routine>.fromOpaque($0.unsafelyUnwrapped).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(code == 0)
    pthread_attr_destroy(&attributes)
  }

  func join() { pthread_join(thread, nil) }
}

/// Runs `body` on another thread, and waits for it.
func inThread(stack: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) {
  Routine(stack: stack, body).join()
}

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
