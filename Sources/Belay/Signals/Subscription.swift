import CBelayShim
import Synchronization

/// The lower end of a subscription: what calls the subscriber, what ends it, and the handle to it,
/// in one object.
///
/// Subclasses say what is called; this class says when.
open class Subscription<Value>: Sink<Value>, @unchecked Sendable {
  public override init() {
    super.init()
    Live.subscriptions.began()
  }

  // MARK: What is called

  open func onError(_ failure: Failure) -> Bool { false }
  open func onCompleted() {}
  open func onDisposed() {}
  /// Frees the subscriber's context; nothing is called after.
  open func freeContext() {}
  /// Its home; nil for that of the source that it hangs on directly (`Signal.hangsDirectly`).
  open var fixedHome: Home? { nil }

  package final override var home: Home? { fixedHome ?? upstream?.home }

  // MARK: A terminal event

  package final override func enterEnd(_ end: End) {
    let passage = enter()
    if passage.isOpen { self.end(end) }
    leave(passage)
  }

  public final override func end(_ end: End) {
    guard close() else { return }
    let isInterruption: Bool
    if case .interrupted = end { isInterruption = true } else { isInterruption = false }
    // Without an event it is like a disposal, from the source on.
    if isInterruption { leave(afterEnd: false) }
    switch end {
    case .completed: onCompleted()
    case .failed(let failure):
      if !onError(failure) {
        UnhandledErrorHook.report(failure, signal: chainName, site: origin.site, home: home)
      }
    case .interrupted: break
    }
    onDisposed()
    if !isInterruption { leave(afterEnd: true) }
    // Freed by the `leave` of whoever delivered this.
    _ = raise([.torn, .done])
  }

  /// A stage above and this hold each other. A source does not hold what has left it, and tells its
  /// home to whoever asks for it, on any thread, as long as this lives.
  private final func forgetUpstream() { if fixedHome != nil { upstream = nil } }

  // MARK: Disposal

  @_optimize(speed)
  package final override func dispose(noting quiet: Quiet?) {
    if isClosed {
      // Somebody sees to it.
    } else if isAtHome {
      disposeAtHome()
    } else if close() {
      finishClosedElsewhere()
    }
    quiet?.note(self)
  }

  /// Whether this is the home's thread. (Elsewhere the answer may be old, but is never yes.)
  @inline(__always)
  private final var isAtHome: Bool {
    if flags.contains(.direct) { return withEmitter(of: Value.self) { $0.ownHome.isCurrent } }
    return fixedHome?.isCurrent ?? isHere
  }

  private final func finishClosedElsewhere() {
    let home = home
    if let home, home.acceptsMail,
      !home.post(Letter(to: self, .dispose), reserved: true).isFailure
    {
      belay_shim_barrier()
    } else {
      disposeElsewhere()
    }
  }

  /// The usual way: nobody else can be inside.
  @_optimize(speed)
  private final func disposeAtHome() {
    // Counts as running, so that a delivery begun by a callback does not finish it from inside, and
    // that nobody takes it for quiet before its context is freed.
    let passage = enter()
    let isInside = passage.isInside
    let before = raise(isInside ? [.closed, .torn] : [.closed, .torn, .done, .freed, .gone])
    // Another thread may have closed it just now; tearing down is for one all the same.
    if before.contains(.torn) { return leave(passage) }
    if before.contains(.direct) {
      withEmitter(of: Value.self) { $0.detachHere(self) }
    } else {
      leave(afterEnd: false)
    }
    onDisposed()
    if isInside {
      _ = raise(.done)
    } else {
      if !before.contains(.direct) { forgetUpstream() }
      freeContext()
      Live.subscriptions.ended()
      if !before.isDisjoint(with: [.member, .memberOfMore]) && !isOnlyInEmptied(before) {
        leaveContainers(before)
      }
    }
    leaveClosed(passage)
  }

  /// Without a way home: here if no callback is running, else on the thread that leaves the last.
  private final func disposeElsewhere() {
    // Only now may another thread take it on: until here `home` was read.
    _ = raise(.deferred)
    belay_shim_barrier()
    if !isRunning { finish() }
  }

  /// Disposed elsewhere; the letter has come home.
  public final override func receive(_ letter: inout Letter, isRefused: Bool) {
    // Refused: home has closed.
    if isRefused { disposeElsewhere() } else if !isRunning { finish() }
  }

  /// Tears down and frees, for whoever claims it first.
  private final func finish() {
    if raise(.torn).contains(.torn) { return }
    if isAtHome { tearDown() } else { Quiet.asStranger(to: self) { tearDown() } }
  }

  private final func tearDown() {
    leave(afterEnd: false)
    onDisposed()
    _ = raise(.done)
    belay_shim_barrier()
    if !isRunning { free() }
  }

  package final override func leftAfterClose() {
    guard !isRunning else { return }
    let flags = flags
    if !flags.contains(.freed) {
      if flags.contains(.done) {
        free()
      } else if flags.contains(.deferred) && !flags.contains(.torn) {
        finish()
      }
    }
    if flags.contains(.awaited) { Quiet.settle(self) }
  }

  private final func free() {
    if raise(.freed).contains(.freed) { return }
    forgetUpstream()
    freeContext()
    Live.subscriptions.ended()
    becomeGone()
  }

  package final override func isQuiet(_ level: Quiet.Level) -> Bool {
    let flags = flags
    if flags.contains(.gone) || level == .freed { return flags.contains(.gone) && !isRunning }
    // Tearing down and freeing call back as well.
    let isTearing = flags.contains(.torn) && !flags.contains(.done)
    return !isRunning && !isTearing && !flags.contains(.freed)
  }

  /// The start failed: nothing was called, and only the context is freed.
  final func abandonStart() {
    guard close() else { return }
    _ = raise([.torn, .done])
    free()
  }

  package final override var runner: UInt64 { home?.runner ?? 0 }
}
