@_spi(Engine) import Belay
import CBelayShim

extension Loop {
  /// Runs `work` on a thread of libuv's pool for each subscription, sends its result, then
  /// completes. An error that it throws is the signal's.
  ///
  /// A disposal before the work has begun prevents it. Work that has begun goes on to its end, and
  /// its result is released. Subscriptions do not wait for each other, as they do at one
  /// `PoolScheduler`.
  public func work<Value>(
    _ work: @escaping () throws(ClosureError) -> Value
  ) -> Signal<Value> {
    user.work(work)
  }
}

extension LoopUser {
  package func work<Value>(
    _ work: @escaping () throws(ClosureError) -> Value
  ) -> Signal<Value> {
    .defer { () throws(ClosureError) -> Signal<Value> in
      let code = belay_shim_find_threads()
      if code != 0 { throw Failure.uv(code, "cannot start a thread") }
      return .start(on: PoolScheduler(of: self), work)
    }
  }
}
