@_spi(Engine) import Belay
import CBelay

/// The version of the structs in exchange.h.
let exchangeVersion: UInt64 = 1

/// The signal to which an exchange of this copy refers. C's functions know no `Value`, so they call
/// this class.
class ExportedSignal {
  /// The name at the time of the export, lent to the other copies.
  let name: UnsafeMutablePointer<CChar>

  init(_ name: String) {
    let text = name.utf8CString
    self.name = .allocate(capacity: text.count)
    for (index, unit) in text.enumerated() { (self.name + index).initialize(to: unit) }
  }

  deinit { name.deallocate() }

  func subscribe(
    _ observer: belay_exchange_observer,
    _ subscription: UnsafeMutablePointer<belay_exchange_subscription>
  ) -> Int32 { Code.unsupported.rawValue }
}

/// An exported signal of a known type.
final class TypedExport<Value: ExchangedValue>: ExportedSignal {
  let signal: Signal<Value>
  /// Whether closures of an ordinary subscription would run on the senders' threads.
  let isShared: Bool

  init(_ signal: Signal<Value>, isShared: Bool) {
    self.signal = signal
    self.isShared = isShared
    super.init("\(signal.name)")
  }

  override func subscribe(
    _ observer: belay_exchange_observer,
    _ subscription: UnsafeMutablePointer<belay_exchange_subscription>
  ) -> Int32 {
    let home = signal.homeForAnotherCopy
    let made = ExportedSubscription<Value>(observer, home)
    // Filled in first, because the start may call the observer.
    subscription.pointee.object = Unmanaged.passRetained(made as Disposable).toOpaque()
    subscription.pointee.dispose = {
      if let object = $0 {
        Unmanaged<Disposable>.fromOpaque(object).takeUnretainedValue().dispose()
      }
    }
    subscription.pointee.release = {
      if let object = $0 { Unmanaged<Disposable>.fromOpaque(object).release() }
    }
    let code = signal.start(made, owner: nil, at: home)
    if code.isFailure {
      made.freeContext()
      Unmanaged.passUnretained(made as Disposable).release()
      subscription.pointee.object = nil
    }
    return code.rawValue
  }
}

/// Calls another copy's observer.
private final class ExportedSubscription<Value: ExchangedValue>: Subscription<Value>,
  @unchecked Sendable
{
  /// nil once it has been released. It lacks no function.
  private var observer: belay_exchange_observer?
  private let ownHome: Home

  init(_ observer: belay_exchange_observer, _ home: Home) {
    self.observer = observer
    ownHome = home
    super.init()
  }

  deinit { freeContext() }

  override var fixedHome: Unmanaged<Home>? { .passUnretained(ownHome) }

  override func next(_ value: Value) {
    guard !isClosed, let observer else { return }
    var storage = ExchangedStorage()
    do throws(Failure) {
      var content = try value.content(in: &storage, at: 0)
      observer.next(observer.ctx, &content)
    } catch {
      end(.failed(error))
    }
  }

  override func onError(_ failure: Failure) -> Bool {
    guard let observer else { return false }
    var storage = ExchangedStorage()
    observer.error(observer.ctx, content(of: failure, in: &storage))
    return true
  }

  override func onCompleted() { if let observer { observer.completed(observer.ctx) } }

  override func freeContext() {
    guard let observer else { return }
    self.observer = nil
    observer.released(observer.ctx)
  }
}

// MARK: The functions of an exchange

/// An exchange with a reference to `export`.
func exchange(of export: ExportedSignal) -> belay_exchange {
  belay_exchange(
    version: exchangeVersion, signal: Unmanaged.passRetained(export).toOpaque(),
    retain: { if let signal = $0 { _ = Unmanaged<ExportedSignal>.fromOpaque(signal).retain() } },
    release: { if let signal = $0 { Unmanaged<ExportedSignal>.fromOpaque(signal).release() } },
    name: { $0.map { UnsafePointer(exported($0).name) } },
    subscribe: subscribeForAnotherCopy)
}

/// The signal to which an exchange of this copy refers.
func exported(_ signal: UnsafeMutableRawPointer) -> ExportedSignal {
  Unmanaged<ExportedSignal>.fromOpaque(signal).takeUnretainedValue()
}

private typealias Subscribe =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafePointer<belay_exchange_observer>?,
    UnsafeMutablePointer<belay_exchange_subscription>?
  ) -> Int32

private let subscribeForAnotherCopy: Subscribe = { signal, observer, subscription in
  guard let observer = observer?.pointee else { return Code.invalid.rawValue }
  guard let signal, let subscription, observer.next != nil, observer.error != nil,
    observer.completed != nil, observer.released != nil
  else {
    observer.released?(observer.ctx)
    return Code.invalid.rawValue
  }
  return exported(signal).subscribe(observer, subscription)
}

/// Whether `subscribe` is this copy's.
func isOwn(
  _ subscribe:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<belay_exchange_observer>?,
      UnsafeMutablePointer<belay_exchange_subscription>?
    ) -> Int32
) -> Bool {
  unsafeBitCast(subscribe, to: UInt.self) == unsafeBitCast(subscribeForAnotherCopy, to: UInt.self)
}
