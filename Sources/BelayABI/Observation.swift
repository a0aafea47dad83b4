import Belay
import CBelay

/// The subscription that calls what `observer` says: the small kind if that is enough.
func observation(
  _ observer: belay_observer, home: Home?
) -> ForeignSubscription<ForeignValue> {
  let isSmall =
    observer.error == nil && observer.completed == nil && observer.disposed == nil
    && observer.label == nil && home == nil
  let made: ForeignSubscription<ForeignValue> =
    isSmall ? NextObservation(observer) : FullObservation(observer, home)
  made.allowDirectCalls()
  return made
}

/// A struct of two words and two words are passed alike; see `ForeignSubscription`.
private func inWords(_ observer: belay_observer) -> ForeignNext? {
  unsafeBitCast(observer.next, to: ForeignNext?.self)
}

/// `next`, a context and what frees it: what most subscribers are.
private final class NextObservation<Value>: ForeignSubscription<Value>, @unchecked Sendable {
  private let place: UnsafePointer<CChar>?

  init(_ observer: belay_observer) {
    place = observer.site
    super.init(inWords(observer), observer.ctx, observer.ctx_free)
  }

  override var site: StaticSite? { StaticSite(at: place) }
}

/// All six callbacks, a label, and a home of its own.
private final class FullObservation<Value>: ForeignSubscription<Value>, @unchecked Sendable {
  private let error: (@convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void)?
  private let completed: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
  private let disposed: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
  private let name: UnsafePointer<CChar>?
  private let place: UnsafePointer<CChar>?
  private let ownHome: Home?

  init(_ observer: belay_observer, _ home: Home?) {
    error = observer.error
    completed = observer.completed
    disposed = observer.disposed
    name = observer.label
    place = observer.site
    ownHome = home
    super.init(inWords(observer), observer.ctx, observer.ctx_free)
  }

  override var label: StaticSite? { StaticSite(at: name) }
  override var site: StaticSite? { StaticSite(at: place) }
  override var fixedHome: Home? { ownHome }

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
