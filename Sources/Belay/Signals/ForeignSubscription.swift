import CBelayShim
import Synchronization

/// Called with a context and the two words of a value.
@_spi(Engine) public typealias ForeignNext =
  @convention(c) (UnsafeMutableRawPointer?, UInt64, UInt64) -> Void
@_spi(Engine) public typealias ForeignFree = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// A subscription whose `next` is a C function. An emitter calls it without a virtual call
/// (`Lifecycle.Marks.callsDirectly`), so that a delivery costs one indirect call.
///
/// It is generic because all sinks are; its values are always `ForeignValue`s. A struct of two
/// words is passed like two separate words on every machine that passes three arguments in
/// registers.
@_spi(Engine) open class ForeignSubscription<Value>: Subscription<Value>, @unchecked Sendable {
  final let onNext: ForeignNext
  public final let ctx: UnsafeMutableRawPointer?
  private final let ctxFree: ForeignFree?

  public init(_ next: ForeignNext?, _ ctx: UnsafeMutableRawPointer?, _ ctxFree: ForeignFree?) {
    onNext = next ?? { _, _, _ in }
    self.ctx = ctx
    self.ctxFree = ctxFree
    super.init()
  }

  /// Lets emitters call `next` directly. The creator calls this once. (Called in `init`, it would
  /// cost a reference.)
  @inline(__always)
  public final func allowDirectCalls() { lifecycle.begin(with: .callsDirectly) }

  /// Calls `next`. The code that began the delivery has put an earlier failure aside
  /// (`LastFailure.isolating`).
  @inline(__always)
  final func call(_ value: Value) {
    let bits = unsafeBitCast(value, to: ForeignValue.self, ofType: Value.self)
    onNext(ctx, bits.payload, bits.tag)
  }

  /// Handles a note that came while an emitter called this. A recorded failure is noted, too.
  @inline(never)
  final func calledNotably(_ record: UnsafeMutablePointer<belay_thread>) {
    if !LastFailure.isNone {
      let delivery = beginDelivery()
      heedFailure()
      endDelivery(delivery)
    }
    heedNote(record)
  }

  /// Ends the subscription if its callback has failed on purpose, and forgets failures that its
  /// calls recorded.
  @inline(never)
  private final func heedFailure() {
    if let failure = LastFailure.takeDeliberate() { end(.failed(failure)) }
  }

  public final override func next(_ value: Value) {
    if !lifecycle.state.isOpenToDirectCalls { return nextNotably(value) }
    call(value)
    if !LastFailure.isNone { heedFailure() }
  }

  /// `next` where direct calls are not allowed: it was closed, or its values are watched.
  @inline(never)
  private final func nextNotably(_ value: Value) {
    if isClosed { return }
    if belay_shim_watches_next() {
      Probe.next(self, value)
    } else {
      _ = lifecycle.set(.callsDirectly)
    }
    call(value)
    if !LastFailure.isNone { heedFailure() }
  }

  @_optimize(speed)
  public final override func freeContext() {
    if let ctxFree { LastFailure.isolating { ctxFree(ctx) } }
  }
}
