@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv
import Synchronization

/// The bytes that a stream has to write. It is the part of the `StreamCore` that writes, and not an
/// object of its own.
///
/// `count`, `mayTake`, `refusal`, `announce` and `retract` may be used on any thread, the rest at the
/// stream's loop.
package class StreamOutput: ByteSource, @unchecked Sendable {
  final let descriptor: Descriptor
  private let high: Int
  private let waiting = Atomic<Int>(0)
  private final var queue: ReferenceArray<BytesBox> = []
  private final var waiters: ReferenceArray<Waiter> = []
  /// How much has been written of the first box of the queue that has not been, and which that is.
  private final var written = 0
  private final var first: UInt32 = 0
  /// `refusal`; 0: none.
  private let refused = Atomic<UInt32>(0)
  /// The failure of a write that is the connection's, in both directions; 0: none. EPIPE is not: the
  /// peer may have ended its side before.
  private(set) final var lost: Int32 = 0
  private(set) final var failure: Code?
  private final var end: End = .open

  private enum End { case open, asked, done, closed }

  /// How many bytes have ever had to wait in the queue, and how many of them wait no more.
  private final var queued = 0
  private final var done = 0

  /// Waits until at most `limit` of the bytes that are queued at its beginning are left.
  final class Waiter {
    let limit: Int
    let tell: (Code) -> Void
    /// What `done` has to reach.
    fileprivate var goal = 0
    init(_ limit: Int, _ tell: @escaping (Code) -> Void) {
      self.limit = limit
      self.tell = tell
    }
  }

  init(_ descriptor: Descriptor, _ high: Int) {
    self.descriptor = descriptor
    self.high = high
    super.init(countsGathered: true)
  }

  /// How many bytes wait to be written.
  package final var count: Int { waiting.load(ordering: .relaxed) }
  /// Whether the mark lets more in.
  package final var mayTake: Bool { count < high }
  /// Counts bytes that are on their way from another thread.
  package final func announce(_ box: BytesBox) {
    waiting.wrappingAdd(box.bytes.count, ordering: .relaxed)
  }
  /// Counts them no more, because they have arrived, or will not.
  package final func retract(_ box: BytesBox) {
    waiting.wrappingSubtract(box.bytes.count, ordering: .relaxed)
  }

  final var isWaiting: Bool { first < queue.count }

  /// Why nothing is written any more.
  final var refusal: Code? {
    let code = refused.load(ordering: .relaxed)
    return code == 0 ? nil : Code(rawValue: Int32(bitPattern: code))
  }

  private final func refuse(_ code: Code) {
    refused.store(UInt32(bitPattern: code.rawValue), ordering: .relaxed)
  }

  /// Writes bytes that were announced.
  package final func writeAnnounced(_ box: BytesBox) -> Code {
    retract(box)
    return write(box)
  }

  /// Writes, or keeps the bytes until that is possible.
  package final func write(_ box: BytesBox) -> Code {
    var rest = box.bytes.count
    if let refusal { return refusal }
    if rest == 0 { return .ok }
    if !isWaiting {
      let count = belay_shim_write(descriptor.fd, descriptor.kind, box.bytes.baseAddress, rest)
      if count < 0 && count != Int(Code.again.rawValue) {
        fail(Code(rawValue: Int32(count)))
        return Code(rawValue: Int32(count))
      }
      written = max(0, count)
      rest -= written
      if rest == 0 {
        written = 0
        return .ok
      }
    }
    waiting.wrappingAdd(rest, ordering: .relaxed)
    queued += rest
    queue.append(box)
    descriptor.wait(for: UV_WRITABLE)
    return .queued
  }

  /// Continues when the descriptor can take more.
  final func goOn() {
    while isWaiting {
      let box = queue[Int(first)]
      let rest = box.bytes.count - written
      let count = belay_shim_write(
        descriptor.fd, descriptor.kind, box.bytes.baseAddress.unsafelyUnwrapped + written, rest)
      if count == Int(Code.again.rawValue) { return tellWaiters() }
      if count < 0 { return fail(Code(rawValue: Int32(count))) }
      waiting.wrappingSubtract(count, ordering: .relaxed)
      done += count
      written += count
      if written < box.bytes.count { continue }
      written = 0
      first += 1
      if first == queue.count || first >= 64 && first > queue.count / 2 {
        let written = queue
        queue.removeFirst(Int(first))
        first = 0
        extendLifetime(written)  // The last references go when all is in order.
      }
    }
    descriptor.wait(for: UV_WRITABLE, false)
    if end == .asked { finish() }
    tellWaiters()
  }

  /// Ends the writing after what waits.
  package final func shutDownOutput() {
    if end != .open || failure != nil { return }
    end = .asked
    refuse(.ended)
    if !isWaiting { finish() }
  }

  private final func finish() {
    end = .done
    let code = belay_shim_shut_down(descriptor.fd, descriptor.kind)
    if code < 0 { note(Code(rawValue: code)) }
    if code > 0 { descriptor.close() }
  }

  private final func note(_ code: Code) {
    failure = code
    refuse(code)
  }

  private final func fail(_ code: Code) {
    note(code)
    if descriptor.kind == BELAY_SHIM_SOCKET && code.rawValue != UV_EPIPE.rawValue {
      lost = code.rawValue
    }
    drop()
    tellWaiters()
  }

  private final func drop() {
    let dropped = queue
    waiting.wrappingSubtract(queued - done, ordering: .relaxed)
    done = queued
    queue = []
    first = 0
    written = 0
    descriptor.wait(for: UV_WRITABLE, false)
    extendLifetime(dropped)  // The last references go when all is in order.
  }

  final func closeOutput() {
    if failure == nil {
      refuse(.canceled)
      failure = end == .done ? .ended : .canceled
    }
    end = .closed
    drop()
    tellWaiters()
  }

  // MARK: Waiting

  /// Whether bytes of another thread are on their way.
  final var isAnnounced: Bool { count > queued - done }

  /// Calls `tell` when at most `limit` of the bytes that are queued now are left, or when that cannot
  /// be any more. Bytes that are written later do not delay it.
  final func wait(_ waiter: Waiter) {
    waiter.goal = queued - waiter.limit
    waiters.append(waiter)
    tellWaiters()
  }

  final func leave(_ waiter: Waiter) { waiters.remove(waiter) }

  private final func tellWaiters() {
    // Asked anew each time, because one who is told may write.
    while let index = waiters.firstIndex(where: { failure != nil || done >= $0.goal }) {
      waiters.remove(at: index).tell(failure ?? .ok)
    }
  }
}
