@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim

extension Loop {
  /// Sends a value once the wall clock shows a time, and completes.
  ///
  /// Other timers follow the monotonic clock, which nobody sets. This one follows the clock that people
  /// read: if that is set forward beyond the time, or the machine sleeps past it, the value comes at
  /// once; if it is set back, the value comes later.
  ///
  /// - Parameter sinceEpoch: the time, counted from the beginning of 1970 in UTC.
  public func wallTimer(at sinceEpoch: Duration) -> Signal<Void> {
    core.wallTimer(at: sinceEpoch.nanoseconds) {}
  }
}

extension LoopCore {
  /// `sinceEpoch` is in nanoseconds. The signal takes over the reference of what `make` makes.
  package func wallTimer<Value>(at sinceEpoch: Int64, make: @escaping () -> Value) -> Signal<Value>
  {
    source("wall_timer") { [self] subscriber in
      let descriptor = belay_shim_wall_timer(sinceEpoch)
      if descriptor < 0 {
        subscriber.error(.uv(descriptor, "cannot make a timer of the wall clock"))
        return nil
      }
      return PollSource(
        self, descriptor, .readable, Events(subscriber) { _ in make() }, isTimer: true)
    }
  }
}
