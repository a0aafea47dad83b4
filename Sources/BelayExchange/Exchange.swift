@_spi(Engine) import Belay
import CBelay

/// A reference to a signal that any copy of Belay in the process understands: a plug-in's, a Python
/// wheel's, a C program's. `belay/exchange.h` has the rules. Any thread.
public final class Exchange: @unchecked Sendable {
  private var raw: belay_exchange

  /// Takes over the reference that a C struct holds. The struct must come from a copy of Belay, and
  /// the caller must not release it.
  public init(adopting raw: belay_exchange) { self.raw = raw }

  deinit { if let signal = raw.signal { raw.release?(signal) } }

  /// Calls `body` with the struct, which it may pass to `belay_signal_import()` of another copy. The
  /// struct is lent for the call.
  public func withStruct<Result>(
    _ body: (UnsafePointer<belay_exchange>) throws -> Result
  ) rethrows -> Result { try withUnsafePointer(to: raw) { try body($0) } }

  /// Makes a cold signal that subscribes to the exported one. A `Signal` that was
  /// exported here with the same type is given back itself.
  ///
  /// A subscription ends with `.wrongKind` or `.range` at a value that is no `Value`, and with
  /// `.invalid` or `.notUTF8` at one that is wrong. Values that other threads send come by the loop
  /// of the thread that subscribes. Without a loop there, the first one is
  /// lost (`Lost` counts it), and the subscription at the source ends.
  ///
  /// - Throws: `.invalid` if the struct lacks a function, `.unsupported` for an unknown version.
  public func signal<Value: ExchangedValue>(
    of type: Value.Type = Value.self
  ) throws(Failure) -> Signal<Value> {
    guard raw.version >= 1, let signal = raw.signal, raw.retain != nil, raw.release != nil,
      raw.name != nil, let subscribe = raw.subscribe
    else { throw Failure(.invalid) }
    guard raw.version == exchangeVersion else { throw Failure(.unsupported) }
    if isOwn(subscribe), let own = exported(signal) as? TypedExport<Value>, !own.isShared {
      return own.signal
    }
    return ImportedSignal(raw)
  }
}

extension Signal where Value: ExchangedValue {
  /// Describes this signal for other copies of Belay. The exchange keeps the signal. Any thread.
  public final func exported() -> Exchange {
    Exchange(adopting: exchange(of: TypedExport(self, isShared: false)))
  }
}

extension SharedSignal where Value: ExchangedValue {
  /// Describes this signal for other copies of Belay. The exchange keeps the signal. Any thread.
  ///
  /// A copy that subscribes gets the values on their senders' threads, and queues them to its own
  /// loop. So does `Exchange.signal(of:)`, which therefore needs a loop on its thread.
  public final func exported() -> Exchange {
    Exchange(adopting: exchange(of: TypedExport(signal, isShared: true)))
  }
}
