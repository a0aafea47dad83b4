import CBelayShim
import Synchronization

/// The calling thread's first failure that nobody has taken yet.
package enum LastFailure {
  /// Records `code` unless one is waiting already; answers `code`.
  @discardableResult
  package static func record(_ code: Code, _ message: String? = nil) -> Code {
    Misuse.note(code)
    if Thread.record.pointee.failure == nil {
      hold(Failure(code, message: message))
    }
    return code
  }

  private static func hold(_ failure: Failure) {
    _ = Thread.releasesWhenEnding
    // What only waits to be asked for is not counted as alive.
    Live.errors.ended()
    Thread.record.pointee.failure = Unmanaged.passRetained(failure as Entity).toOpaque()
  }

  /// Records `failure` in the place of whatever waits.
  package static func replace(_ failure: Failure) {
    _ = take()
    hold(failure)
  }

  /// Takes the failure out.
  package static func take() -> Failure? {
    guard let held = Thread.record.pointee.failure else { return nil }
    Thread.record.pointee.failure = nil
    Live.errors.began()
    return Unmanaged<Failure>.fromOpaque(held).takeRetainedValue()
  }

  /// Takes the failure out and keeps it alive for the thread until the next time.
  package static func takeKept() -> Failure? {
    let record = Thread.record
    let old = record.pointee.taken_failure
    let taken = record.pointee.failure
    record.pointee.taken_failure = taken
    record.pointee.failure = nil
    if let old {
      Live.errors.began()
      Unmanaged<Entity>.fromOpaque(old).release()
    }
    return taken.map { Unmanaged<Failure>.fromOpaque($0).takeUnretainedValue() }
  }

  package static var isNone: Bool { Thread.record.pointee.failure == nil }

  /// Runs a callback like `isolating`, and answers with the failure it leaves.
  @inline(__always)
  package static func collecting<Result>(_ callback: () -> Result) -> (Result, Failure?) {
    let record = Thread.record
    let held = record.pointee.failure
    record.pointee.failure = nil
    let result = callback()
    let left = take()
    record.pointee.failure = held
    return (result, left)
  }

  /// Runs a callback that starts without a failure, and puts the caller's back after.
  @inline(__always)
  package static func isolating<Result>(_ callback: () -> Result) -> Result {
    let record = Thread.record
    let held = record.pointee.failure
    record.pointee.failure = nil
    let result = callback()
    _ = take()
    record.pointee.failure = held
    return result
  }
}

/// Counts calls that were wrong.
public enum Misuse {
  private static let total = Atomic<Int>(0)

  /// Misuse seen so far in the process.
  public static var count: Int { total.load(ordering: .relaxed) }

  static func note(_ code: Code) {
    switch code {
    case .invalid, .wrongKind, .wrongThread, .released, .assigned, .bound, .closed, .busy:
      total.add(1, ordering: .relaxed)
    default: break
    }
  }
}
