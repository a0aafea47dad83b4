import Belay
import CBelay
import CBelayShim
import Synchronization

/// The subscription that calls what `observer` says: the small kind if that is enough.
func observation(_ observer: belay_observer, home: Home?) -> Subscription<ForeignValue> {
  let isSmall =
    observer.error == nil && observer.completed == nil && observer.disposed == nil
    && observer.label == nil && home == nil
  return isSmall ? NextObservation(observer) : FullObservation(observer, home)
}

/// Calls back without an error waiting, and without leaving one.
private func calling(_ body: () -> Void) { LastFailure.isolating(body) }

/// `next`, a context and what frees it: what most subscribers are. Generic, as all sinks must be;
/// its values are always `ForeignValue`s.
private final class NextObservation<Value>: Subscription<Value>, @unchecked Sendable {
  private let onNext: (@convention(c) (UnsafeMutableRawPointer?, belay_value) -> Void)?
  private let ctx: UnsafeMutableRawPointer?
  private let ctxFree: FreeFunction?
  private let place: UnsafePointer<CChar>?

  init(_ observer: belay_observer) {
    onNext = observer.next
    ctx = observer.ctx
    ctxFree = observer.ctx_free
    place = observer.site
    super.init()
  }

  override var site: StaticSite? { StaticSite(at: place) }

  override func enter(_ value: Value) {
    let passage = enter()
    if passage.isOpen { call(onNext, ctx, value) }
    leave(passage)
  }

  override func next(_ value: Value) { if !isDisposed { call(onNext, ctx, value) } }

  override func freeContext() { if let ctxFree { calling { ctxFree(ctx) } } }
}

/// All six callbacks, a label, and a home of its own.
private final class FullObservation<Value>: Subscription<Value>, @unchecked Sendable {
  private let observer: Observer
  private let ownHome: Home?

  /// What is kept of a `belay_observer`.
  private struct Observer {
    let next: (@convention(c) (UnsafeMutableRawPointer?, belay_value) -> Void)?
    let error: (@convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void)?
    let completed: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    let disposed: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    let ctx: UnsafeMutableRawPointer?
    let ctxFree: FreeFunction?
    let label: UnsafePointer<CChar>?
    let site: UnsafePointer<CChar>?
  }

  init(_ observer: belay_observer, _ home: Home?) {
    self.observer = Observer(
      next: observer.next, error: observer.error, completed: observer.completed,
      disposed: observer.disposed, ctx: observer.ctx, ctxFree: observer.ctx_free,
      label: observer.label, site: observer.site)
    ownHome = home
    super.init()
  }

  override var label: StaticSite? { StaticSite(at: observer.label) }
  override var site: StaticSite? { StaticSite(at: observer.site) }
  override var fixedHome: Home? { ownHome }

  override func enter(_ value: Value) {
    let passage = enter()
    if passage.isOpen { call(observer.next, observer.ctx, value) }
    leave(passage)
  }

  override func next(_ value: Value) {
    if !isDisposed { call(observer.next, observer.ctx, value) }
  }

  override func onError(_ failure: Failure) -> Bool {
    guard let error = observer.error else { return false }
    calling { error(observer.ctx, lend(failure)) }
    return true
  }

  override func onCompleted() {
    if let completed = observer.completed { calling { completed(observer.ctx) } }
  }

  override func onDisposed() {
    if let disposed = observer.disposed { calling { disposed(observer.ctx) } }
  }

  override func freeContext() {
    if let free = observer.ctxFree { calling { free(observer.ctx) } }
  }
}

private typealias NextFunction = @convention(c) (UnsafeMutableRawPointer?, belay_value) -> Void

@inline(__always)
private func call<Value>(
  _ function: NextFunction?, _ ctx: UnsafeMutableRawPointer?, _ value: Value
) {
  guard let function else { return }
  let borrowed = exported(unsafeBitCast(value, to: ForeignValue.self, ofType: Value.self))
  if LastFailure.isNone {
    function(ctx, borrowed)
    if !LastFailure.isNone { LastFailure.drop() }
  } else {
    callIsolated(function, ctx, borrowed)
  }
}

@inline(never)
private func callIsolated(
  _ function: NextFunction, _ ctx: UnsafeMutableRawPointer?, _ value: belay_value
) {
  LastFailure.isolating { function(ctx, value) }
}
