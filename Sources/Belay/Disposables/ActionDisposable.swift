import CBelayShim
import Synchronization

/// Runs an action once, when it is disposed. Releasing it does not run the action.
open class ActionDisposable: Disposable, @unchecked Sendable {
  private let runningThread = Atomic<UInt64>(0)

  @_spi(Engine) public override init() {
    super.init()
    Live.disposables.began()
  }

  deinit { Live.disposables.ended() }

  /// The action. It must release what it captured before it returns.
  @_spi(Engine) open func act() {}

  package final override func dispose(noting quiescence: Quiescence?) {
    if close() {
      runningThread.store(Thread.record.pointee.id, ordering: .relaxed)
      act()
      runningThread.store(0, ordering: .relaxed)
      finalise()
    } else {
      quiescence?.note(self)
    }
  }

  package final override func isQuiescent(_ level: Quiescence.Level) -> Bool {
    life.has(.finalised)
  }
  package final override var runners: [UInt64] { [runningThread.load(ordering: .relaxed)] }
}

/// Runs a closure once, when it is disposed. It releases its own reference to the closure before
/// the call.
public final class AnonymousDisposable: ActionDisposable, @unchecked Sendable {
  private var action: (() -> Void)?

  /// - Parameter action: runs on the thread that disposes.
  public init(_ action: @escaping () -> Void) {
    self.action = action
    super.init()
  }

  @_spi(Engine) public override func act() {
    let action = action
    self.action = nil
    action?()
  }
}
