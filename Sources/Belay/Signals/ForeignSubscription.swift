import CBelayShim
import Synchronization

/// A context and the two words of a value.
public typealias ForeignNext =
  @convention(c) (UnsafeMutableRawPointer?, UInt64, UInt64) -> Void
public typealias ForeignFree = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// A subscription whose `next` is a function of C's. An emitter calls it without asking the class
/// (`Lifecycle.Marks.callsDirectly`): that leaves one indirect call to a delivery.
///
/// Generic, as all sinks must be; its values are always `ForeignValue`s. A struct of two words is
/// passed like two words, on every machine that has registers for three arguments.
open class ForeignSubscription<Value>: Subscription<Value>, @unchecked Sendable {
  final let onNext: ForeignNext
  public final let ctx: UnsafeMutableRawPointer?
  private final let ctxFree: ForeignFree?

  public init(_ next: ForeignNext?, _ ctx: UnsafeMutableRawPointer?, _ ctxFree: ForeignFree?) {
    onNext = next ?? { _, _, _ in }
    self.ctx = ctx
    self.ctxFree = ctxFree
    super.init()
  }

  /// Lets emitters call `next` directly. Called once, by who has made it. (From `init` it would
  /// cost a reference.)
  @inline(__always)
  public final func allowDirectCalls() { lifecycle.begin(with: .callsDirectly) }

  /// No failure is waiting: whoever begins a delivery has put it aside (`LastFailure.isolating`).
  @inline(__always)
  final func call(_ value: Value) {
    let bits = unsafeBitCast(value, to: ForeignValue.self, ofType: Value.self)
    onNext(ctx, bits.payload, bits.tag)
  }

  /// Something was noted while an emitter called this, as a failure is, too.
  @inline(never)
  final func calledNotably(_ record: UnsafeMutablePointer<belay_thread>) {
    if !LastFailure.isNone {
      let delivery = beginDelivery()
      heedFailure()
      endDelivery(delivery)
    }
    heedNote(record)
  }

  /// Ends the subscription if the subscriber has failed; what its calls recorded is forgotten.
  @inline(never)
  private final func heedFailure() {
    if let failure = LastFailure.takeDeliberate() { end(.failed(failure)) }
  }

  public final override func next(_ value: Value) {
    if isClosed { return }
    call(value)
    if !LastFailure.isNone { heedFailure() }
  }

  @_optimize(speed)
  public final override func freeContext() {
    if let ctxFree { LastFailure.isolating { ctxFree(ctx) } }
  }
}
