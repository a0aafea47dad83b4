@_spi(Engine) import Belay
import CBelay

/// A pointer to the description of an observer. (A copy would cost more than the subscription.)
typealias Observer = UnsafePointer<belay_observer>

/// The subscription that calls the functions of `observer`, of the smallest class that has room
/// for them.
func observation(_ observer: Observer, home: consuming Home?) -> ForeignSubscription<ForeignValue> {
  let hasEnds =
    observer.pointee.error != nil || observer.pointee.completed != nil
    || observer.pointee.disposed != nil
  let made: ForeignSubscription<ForeignValue>
  if hasEnds {
    made = FullObserver(observer, home)
  } else if observer.pointee.label == nil && home == nil {
    made = NextObserver(observer)
  } else {
    made = NamedObserver(observer, home)
  }
  made.allowDirectCalls()
  if observer.pointee.disposed == nil && observer.pointee.ctx_free == nil {
    made.endsSilently = true
  }
  return made
}

/// `next` with its value as two words, which are passed like a struct of two words: see
/// `ForeignSubscription`.
private func inWords(_ observer: Observer) -> ForeignNext? {
  unsafeBitCast(observer.pointee.next, to: ForeignNext?.self)
}

/// A subscription with `next` and a context, which is enough for most observers.
private final class NextObserver<Value>: ForeignSubscription<Value>, @unchecked Sendable {
  private let place: UnsafePointer<CChar>?

  init(_ observer: Observer) {
    place = observer.pointee.site
    super.init(inWords(observer), observer.pointee.ctx, observer.pointee.ctx_free)
  }

  override var origin: Origin { Origin(site: StaticSite(at: place)) }
}

/// The same with a label and a home of its own, as a subscription that is bound to an owner has.
private class NamedObserver<Value>: ForeignSubscription<Value>, @unchecked Sendable {
  private let name: UnsafePointer<CChar>?
  private let place: UnsafePointer<CChar>?
  private let ownHome: Home?

  init(_ observer: Observer, _ home: consuming Home?) {
    name = observer.pointee.label
    place = observer.pointee.site
    ownHome = home
    super.init(inWords(observer), observer.pointee.ctx, observer.pointee.ctx_free)
  }

  final override var origin: Origin {
    Origin(label: StaticSite(at: name), site: StaticSite(at: place))
  }
  final override var fixedHome: Unmanaged<Home>? { ownHome.map { .passUnretained($0) } }
}

/// The same with all callbacks.
private final class FullObserver<Value>: NamedObserver<Value>, @unchecked Sendable {
  private let error: (@convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void)?
  private let completed: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
  private let disposed: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?

  override init(_ observer: Observer, _ home: consuming Home?) {
    error = observer.pointee.error
    completed = observer.pointee.completed
    disposed = observer.pointee.disposed
    super.init(observer, home)
  }

  override func onError(_ failure: Failure) -> Bool {
    guard let error else { return false }
    LastFailure.isolating { error(ctx, lend(failure)) }
    return true
  }

  override func onCompleted() {
    if let completed { LastFailure.isolating { completed(ctx) } }
  }

  override func onDisposed() {
    if let disposed { LastFailure.isolating { disposed(ctx) } }
  }
}
