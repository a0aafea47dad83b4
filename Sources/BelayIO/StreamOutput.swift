@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv
import Synchronization

/// What a stream has to write.
///
/// `count`, `mayTake`, `refusal`, `announce` and `retract` may be used on any thread, the rest at the
/// stream's loop.
package final class StreamOutput {
  private let descriptor: Descriptor
  private let high: Int
  private let waiting = Atomic<Int>(0)
  private var queue: ReferenceArray<BytesBox> = []
  private var waiters: ReferenceArray<Waiter> = []
  /// The first box of the queue that has not been written, and how much of it has been.
  private var first = 0
  private var written = 0
  /// `refusal`; 0: none.
  private let refused = Atomic<UInt32>(0)
  /// The failure of a write that is the connection's, in both directions; 0: none. EPIPE is not: the peer
  /// may have ended its side before.
  private(set) var lost: Int32 = 0
  private(set) var failure: Code?
  private var end: End = .open

  private enum End { case open, asked, done, closed }

  /// Somebody who waits until at most `limit` bytes wait.
  final class Waiter {
    let limit: Int
    let tell: (Code) -> Void
    init(_ limit: Int, _ tell: @escaping (Code) -> Void) {
      self.limit = limit
      self.tell = tell
    }
  }

  init(_ descriptor: Descriptor, _ high: Int) {
    self.descriptor = descriptor
    self.high = high
  }

  /// How many bytes wait to be written.
  package var count: Int { waiting.load(ordering: .relaxed) }
  /// Whether the mark lets more in.
  package var mayTake: Bool { count < high }
  /// Counts bytes that are on their way from another thread.
  package func announce(_ box: BytesBox) {
    waiting.wrappingAdd(box.bytes.count, ordering: .relaxed)
  }
  /// Counts them no more, because they have arrived, or will not.
  package func retract(_ box: BytesBox) {
    waiting.wrappingSubtract(box.bytes.count, ordering: .relaxed)
  }

  var isWaiting: Bool { first < queue.count }

  /// Why nothing is written any more.
  var refusal: Code? {
    let code = refused.load(ordering: .relaxed)
    return code == 0 ? nil : Code(rawValue: Int32(bitPattern: code))
  }

  private func refuse(_ code: Code) {
    refused.store(UInt32(bitPattern: code.rawValue), ordering: .relaxed)
  }

  /// Writes bytes that were announced.
  package func writeAnnounced(_ box: BytesBox) -> Code {
    retract(box)
    let code = write(box)
    tellWaiters()
    return code
  }

  /// Writes, or keeps the bytes until that is possible.
  package func write(_ box: BytesBox) -> Code {
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
    queue.append(box)
    descriptor.wait(for: UV_WRITABLE)
    return .queued
  }

  /// Continues when the descriptor can take more.
  func goOn() {
    while isWaiting {
      let box = queue[first]
      let rest = box.bytes.count - written
      let count = belay_shim_write(
        descriptor.fd, descriptor.kind, box.bytes.baseAddress.unsafelyUnwrapped + written, rest)
      if count == Int(Code.again.rawValue) { return tellWaiters() }
      if count < 0 { return fail(Code(rawValue: Int32(count))) }
      waiting.wrappingSubtract(count, ordering: .relaxed)
      written += count
      if written < box.bytes.count { continue }
      written = 0
      first += 1
      if first == queue.count || first >= 64 && first * 2 > queue.count {
        let written = queue
        queue.removeFirst(first)
        first = 0
        extendLifetime(written)  // The last references go when all is in order.
      }
    }
    descriptor.wait(for: UV_WRITABLE, false)
    if end == .asked { finish() }
    tellWaiters()
  }

  /// Ends the writing after what waits.
  package func shutDown() {
    if end != .open || failure != nil { return }
    end = .asked
    refuse(.ended)
    if !isWaiting { finish() }
  }

  private func finish() {
    end = .done
    let code = belay_shim_shut_down(descriptor.fd, descriptor.kind)
    if code < 0 { note(Code(rawValue: code)) }
    if code > 0 { descriptor.close() }
  }

  private func note(_ code: Code) {
    failure = code
    refuse(code)
  }

  private func fail(_ code: Code) {
    note(code)
    if descriptor.kind == BELAY_SHIM_SOCKET && code.rawValue != UV_EPIPE.rawValue {
      lost = code.rawValue
    }
    drop()
    tellWaiters()
  }

  private func drop() {
    let dropped = queue
    for index in first..<max(first, queue.count) {
      waiting.wrappingSubtract(queue[index].bytes.count, ordering: .relaxed)
    }
    waiting.wrappingAdd(isWaiting ? written : 0, ordering: .relaxed)
    queue = []
    first = 0
    written = 0
    descriptor.wait(for: UV_WRITABLE, false)
    extendLifetime(dropped)  // The last references go when all is in order.
  }

  func close() {
    if failure == nil {
      refuse(.canceled)
      failure = end == .done ? .ended : .canceled
    }
    end = .closed
    drop()
    tellWaiters()
  }

  // MARK: Waiting

  /// Calls `tell` when at most `limit` bytes wait, or when that cannot be any more.
  func wait(_ waiter: Waiter) {
    waiters.append(waiter)
    tellWaiters()
  }

  func leave(_ waiter: Waiter) { waiters.remove(waiter) }

  private func tellWaiters() {
    // Asked anew each time, because one who is told may write.
    while let index = waiters.firstIndex(where: { failure != nil || count <= $0.limit }) {
      waiters.remove(at: index).tell(failure ?? .ok)
    }
  }
}
