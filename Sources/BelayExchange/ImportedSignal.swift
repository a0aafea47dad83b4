@_spi(Engine) import Belay
import CBelay

/// Another copy's signal. Its subscriptions do not keep it, because the source of that copy is
/// interrupted when its last reference goes.
///
/// The C library has a class like this one for its untyped values. It cannot share it: BelayABI is no
/// module of this package, and this one is none of the library's.
final class ImportedSignal<Value: ExchangedValue>: CreateSignal<Value>, @unchecked Sendable {
  private let exchange: belay_exchange

  /// `exchange` lacks no function.
  init(_ exchange: belay_exchange) {
    self.exchange = exchange
    super.init(SourceOptions())
    exchange.retain(exchange.signal)
    if let name = exchange.name(exchange.signal) { self.name = Text(cString: name) }
  }

  deinit { exchange.release(exchange.signal) }

  override func produce(_ subscriber: Subscriber<Value>) -> Disposable? {
    let made = TypedFeed(subscriber)
    var observer = belay_exchange_observer()
    observer.ctx = Unmanaged.passRetained(made as ImportedFeed).toOpaque()
    observer.next = { ctx, value in
      feed(ctx).takeUnretainedValue().next(value)
    }
    observer.error = { ctx, error in
      feed(ctx).takeUnretainedValue().failed(failure(of: error))
    }
    observer.completed = { ctx in feed(ctx).takeUnretainedValue().completed() }
    observer.released = { ctx in feed(ctx).takeRetainedValue().released() }
    let code = exchange.subscribe(exchange.signal, &observer, made.upstream)
    if code < 0 {
      subscriber.error(Failure(Code(rawValue: code)))
    } else if !made.canBeEnded {
      subscriber.error(Failure(.invalid))
    }
    return made
  }
}

private func feed(_ ctx: UnsafeMutableRawPointer?) -> Unmanaged<ImportedFeed> {
  .fromOpaque(ctx.unsafelyUnwrapped)
}

/// Passes on what comes from another copy. Disposing of it ends the subscription there. C's functions
/// know no `Value`, so they call this class.
private class ImportedFeed: ActionDisposable, @unchecked Sendable {
  /// Filled in before the first event. Not in this object, for then the call that fills it in would
  /// have exclusive access while those events come.
  final let upstream = UnsafeMutablePointer<belay_exchange_subscription>.allocate(capacity: 1)

  override init() {
    upstream.initialize(to: belay_exchange_subscription())
    super.init()
  }

  deinit {
    if let object = upstream.pointee.object { upstream.pointee.release?(object) }
    upstream.deallocate()
  }

  override final func act() {
    if let object = upstream.pointee.object { upstream.pointee.dispose?(object) }
  }

  /// Whether the other copy has filled in all that it must.
  final var canBeEnded: Bool {
    upstream.pointee.object != nil && upstream.pointee.dispose != nil
      && upstream.pointee.release != nil
  }

  func next(_ content: UnsafePointer<belay_exchange_value>?) {}
  func failed(_ failure: Failure) {}
  func completed() {}
  /// Nothing comes any more.
  func released() {}
}

private final class TypedFeed<Value: ExchangedValue>: ImportedFeed, @unchecked Sendable {
  /// Only the functions that the other copy calls use this, and it calls them one at a time. Without
  /// an end, dropping it interrupts.
  private var subscriber: Subscriber<Value>?

  init(_ subscriber: Subscriber<Value>) {
    self.subscriber = subscriber
    super.init()
  }

  override func next(_ content: UnsafePointer<belay_exchange_value>?) {
    guard let subscriber else { return }
    do throws(Failure) {
      guard let content else { throw Failure(.invalid) }
      let code = subscriber.next(try Value.read(content.pointee, at: 0))
      if code.isFailure && code != .ended { throw Failure(code) }
    } catch {
      // Without a loop, nothing gets from a sender's thread to the subscriber's. The subscription at
      // the source ends, so that the next sender sees that nobody listens.
      if subscriber.error(error).isFailure {
        Lost.lose(self, error.code)
        return dispose()
      }
    }
    // An end from inside comes before the producer has returned what is disposed of then.
    if subscriber.isDisposed { dispose() }
  }

  override func failed(_ failure: Failure) { subscriber?.error(failure) }
  override func completed() { subscriber?.completed() }
  override func released() { subscriber = nil }
}
