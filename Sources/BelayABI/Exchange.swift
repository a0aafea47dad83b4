@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

/// The version of the structs in exchange.h.
private let exchangeVersion: UInt64 = 1

@_cdecl("belay_signal_export")
@implementation
public func belay_signal_export(
  _ s: OpaquePointer!, _ exchange: UnsafeMutablePointer<belay_exchange>!
) -> Int32 {
  exchange?.pointee = belay_exchange()
  guard let exchange, let signal = object(s, CSignal.self) else { return fail(invalid(s)) }
  exchange.pointee = lentExchange(of: Unmanaged.passUnretained(signal).toOpaque())
  exchange.pointee.retain(exchange.pointee.signal)
  return 0
}

@_cdecl("belay_signal_import")
@implementation
public func belay_signal_import(_ exchange: UnsafePointer<belay_exchange>!) -> OpaquePointer! {
  guard let exchange else { return failed(.missing) }
  do throws(Failure) { return give(try imported(exchange.pointee)) } catch {
    fail(error)
    return nil
  }
}

@_cdecl("belay_exchange_release")
@implementation
public func belay_exchange_release(_ exchange: UnsafeMutablePointer<belay_exchange>!) {
  guard let given = exchange?.pointee else { return }
  exchange.pointee = belay_exchange()
  given.release?(given.signal)
}

// MARK: Signals

/// An object of this copy behind a pointer that is no handle: checked builds do not look it up.
private func entity<Object: Entity>(_ pointer: UnsafeMutableRawPointer?, _ type: Object.Type)
  -> Unmanaged<Object>
{
  Unmanaged<Object>.fromOpaque(pointer.unsafelyUnwrapped)
}

/// The functions for the `CSignal` at `signal`, without a reference to it.
func lentExchange(of signal: UnsafeMutableRawPointer?) -> belay_exchange {
  belay_exchange(
    version: exchangeVersion, signal: signal,
    retain: { _ = entity($0, Entity.self).retain() }, release: { entity($0, Entity.self).drop() },
    name: { entity($0, CSignal.self)._withUnsafeGuaranteedRef { $0.nameCString } },
    subscribe: { subscribe(to: entity($0, CSignal.self).takeUnretainedValue(), $1, $2) })
}

/// The signal that `exchange` describes, of this copy.
func imported(_ exchange: belay_exchange) throws(Failure) -> CSignal {
  guard exchange.version >= 1, let signal = exchange.signal, exchange.retain != nil,
    exchange.release != nil, exchange.name != nil, let subscribe = exchange.subscribe
  else { throw Failure(.invalid) }
  guard exchange.version <= exchangeVersion else { throw Failure(.unsupported) }
  let own = lentExchange(of: nil).subscribe
  if unsafeBitCast(subscribe, to: UInt.self) == unsafeBitCast(own, to: UInt.self) {
    return entity(signal, CSignal.self).takeUnretainedValue()
  }
  return ImportedSignal(exchange)
}

// MARK: Subscriptions

/// Subscribes for another copy, which queues what it gets: at the loop that this copy has on this thread,
/// else wherever the events are sent.
private func subscribe(
  to signal: CSignal, _ observer: UnsafePointer<belay_exchange_observer>?,
  _ subscription: UnsafeMutablePointer<belay_exchange_subscription>?
) -> Int32 {
  guard let observer = observer?.pointee else { return Code.invalid.rawValue }
  guard let subscription, observer.next != nil, observer.error != nil, observer.completed != nil,
    observer.released != nil
  else {
    observer.released?(observer.ctx)
    return Code.invalid.rawValue
  }
  let listener = ExportedObserver(observer)
  var own = belay_observer()
  own.size = MemoryLayout<belay_observer>.size
  own.ctx = Unmanaged.passRetained(listener).toOpaque()
  own.ctx_free = { entity($0, Entity.self).drop() }
  own.next = { ctx, value in
    entity(ctx, ExportedObserver.self)._withUnsafeGuaranteedRef { $0.next(foreign(value)) }
  }
  own.error = { ctx, error in
    guard let failure = failure(error) else { return }
    entity(ctx, ExportedObserver.self)._withUnsafeGuaranteedRef { $0.failed(failure) }
  }
  own.completed = { ctx in
    entity(ctx, ExportedObserver.self)._withUnsafeGuaranteedRef { $0.completed() }
  }
  subscription.pointee.dispose = { belay_disposable_dispose(OpaquePointer($0)) }
  subscription.pointee.release = { belay_disposable_release(OpaquePointer($0)) }
  return withUnsafeMutablePointer(to: &subscription.pointee.object) { object in
    object.withMemoryRebound(to: OpaquePointer?.self, capacity: 1) {
      start(signal, &own, at: signal.homeForAnotherCopy, $0)
    }
  }
}

/// Tells another copy's subscriber of events.
private final class ExportedObserver: Entity, @unchecked Sendable {
  private let observer: belay_exchange_observer

  init(_ observer: belay_exchange_observer) { self.observer = observer }

  deinit { observer.released(observer.ctx) }

  func next(_ value: ForeignValue) {
    do throws(Failure) {
      var content = try exchanged(value)
      observer.next(observer.ctx, &content)
      free(content)
    } catch {
      // The subscription ends with it.
      LastFailure.replaceDeliberately(error)
    }
  }

  func failed(_ failure: Failure) {
    var content = exchanged(failure)
    observer.error(observer.ctx, &content)
    free(content)
  }

  func completed() { observer.completed(observer.ctx) }
}

/// Another copy's signal. Its subscriptions do not keep it, because the source of that copy is interrupted
/// when its last reference goes.
private final class ImportedSignal: CreateSignal<ForeignValue>, @unchecked Sendable {
  private let exchange: belay_exchange

  init(_ exchange: belay_exchange) {
    self.exchange = exchange
    // The other copy sends on any thread.
    var options = SourceOptions()
    options.isShared = true
    options.prefersHops = true
    super.init(options)
    exchange.retain(exchange.signal)
    if let name = exchange.name(exchange.signal) { self.name = Text(cString: name) }
  }

  deinit { exchange.release(exchange.signal) }

  override func produce(_ subscriber: Subscriber<ForeignValue>) -> Disposable? {
    let made = ImportedFeed(subscriber)
    var observer = belay_exchange_observer()
    observer.ctx = Unmanaged.passRetained(made).toOpaque()
    observer.next = { ctx, value in feed(ctx)._withUnsafeGuaranteedRef { $0.next(value) } }
    observer.error = { ctx, error in feed(ctx)._withUnsafeGuaranteedRef { $0.failed(error) } }
    observer.completed = { ctx in feed(ctx)._withUnsafeGuaranteedRef { $0.completed() } }
    // Drops the last reference to the subscriber. Without an end this interrupts.
    observer.released = { ctx in feed(ctx).takeRetainedValue().subscriber = nil }
    let code = exchange.subscribe(exchange.signal, &observer, made.upstream)
    if code < 0 {
      _ = subscriber.error(Failure(errorCode(code)))
    } else if !made.canBeEnded {
      _ = subscriber.error(Failure(.invalid))
    }
    return made
  }
}

private func feed(_ ctx: UnsafeMutableRawPointer?) -> Unmanaged<ImportedFeed> {
  entity(ctx, ImportedFeed.self)
}

/// Passes on what comes from another copy. Disposing of it ends the subscription there.
private final class ImportedFeed: ActionDisposable, @unchecked Sendable {
  /// Only the functions that the other copy calls use this, and it calls them one at a time.
  var subscriber: Subscriber<ForeignValue>?
  /// Filled in before the first event. Not in this object, for then the call that fills it in would have
  /// exclusive access while those events come.
  let upstream = UnsafeMutablePointer<belay_exchange_subscription>.allocate(capacity: 1)

  init(_ subscriber: Subscriber<ForeignValue>) {
    self.subscriber = subscriber
    upstream.initialize(to: belay_exchange_subscription())
    super.init()
  }

  deinit {
    if let object = upstream.pointee.object { upstream.pointee.release?(object) }
    upstream.deallocate()
  }

  override func act() {
    if let object = upstream.pointee.object { upstream.pointee.dispose?(object) }
  }

  /// Whether the other copy has filled in all that it must.
  var canBeEnded: Bool {
    upstream.pointee.object != nil && upstream.pointee.dispose != nil
      && upstream.pointee.release != nil
  }

  func next(_ content: UnsafePointer<belay_exchange_value>?) {
    guard let subscriber, let content else { return }
    do throws(Failure) {
      let value = try value(of: content.pointee)
      let code = subscriber.next(value)
      discard(value)
      if code.isFailure && code != .ended { throw Failure(code) }
    } catch {
      _ = subscriber.error(error)
    }
    // An end from inside comes before the producer has returned what is disposed of then.
    if subscriber.isDisposed { dispose() }
  }

  func completed() { _ = subscriber?.completed() }

  func failed(_ content: UnsafePointer<belay_exchange_error>?) {
    guard let subscriber, let content else { return }
    _ = subscriber.error(failure(of: content.pointee))
  }
}
