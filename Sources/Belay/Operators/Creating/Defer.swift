extension Signal {
  /// Calls `make` for each subscription, and subscribes to the signal that it returns. An error
  /// that it throws is the subscription's. (deferred, Deferred in other libraries.)
  public static func `defer`(
    _ make: @escaping () throws(ClosureError) -> Signal<Value>
  ) -> Signal<Value> {
    DeferSignal(make)
  }

  /// Sends a success's value, then completes; a failure becomes the error.
  public static func from(_ result: Result<Value, Failure>) -> Signal<Value> {
    switch result {
    case .success(let value): .just(value)
    case .failure(let failure): .error(failure)
    }
  }

  /// Sends the value, if there is one, then completes.
  public static func from(optional value: Value?) -> Signal<Value> {
    if let value { .just(value) } else { .empty() }
  }
}

/// Makes a signal for each subscription, and connects to it.
private final class DeferSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let make: () throws(ClosureError) -> Signal<Value>

  init(_ make: @escaping () throws(ClosureError) -> Signal<Value>) {
    self.make = make
    super.init()
  }

  override var builtName: Text { "defer" }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    do throws(ClosureError) {
      let signal = try make()
      return sink.isClosed ? .ok : signal.connect(sink, at: home)
    } catch {
      return sink.refuse(.carrying(error), "defer", at: home)
    }
  }
}
