import CBelayShim
import Synchronization

extension Code {
  /// The code for a NULL where C must pass a handle; the call answers `.invalid`. Usually that NULL
  /// is the answer of another call, whose failure is the original one. So this is recorded only if
  /// no failure waits.
  package static let missing = Code(rawValue: -20_999)
}

/// The last failure of the calling thread, until it is taken.
package enum LastFailure {
  @inline(__always)
  package static var isNone: Bool { belay_shim_get_failure() == nil }

  /// Records a failure with `code`, which replaces the one that waits, and answers `code`. It does
  /// not replace a failure that a callback has set on purpose.
  @discardableResult
  package static func record(_ code: Code, _ message: Text? = nil) -> Code {
    let isMissing = code == .missing
    let code = isMissing ? .invalid : code
    Misuse.note(code)
    if isMissing ? isNone : !isDeliberate && !waits(code, message) {
      replace(Failure(code, message: message))
    }
    return code
  }

  /// The same with an existing failure.
  package static func record(_ failure: Failure) -> Code {
    Misuse.note(failure.code)
    if !isDeliberate { replace(failure) }
    return failure.code
  }

  /// Whether the same failure waits already. So a program that sends into a full queue again and
  /// again allocates nothing.
  private static func waits(_ code: Code, _ message: Text?) -> Bool {
    guard message == nil, let held = belay_shim_get_failure() else { return false }
    let failure = Unmanaged<Failure>.fromOpaque(held).takeUnretainedValue()
    return failure.code == code && failure.isPlain
  }

  /// Records `failure` in the place of the one that waits, and marks it: the callback fails on purpose.
  /// A callback without a result can fail so, too (`takeDeliberate`). The mark is the lowest bit of the
  /// address.
  package static func replaceDeliberately(_ failure: Failure) {
    replace(failure)
    belay_shim_set_failure(belay_shim_get_failure().map { $0 + 1 })
  }

  /// Takes the failure that a callback without a result has set on purpose. Drops one that was only
  /// recorded.
  @inline(never)
  package static func takeDeliberate() -> Failure? {
    let isDeliberate = isDeliberate
    let taken = take()
    return isDeliberate ? taken : nil
  }

  private static var isDeliberate: Bool {
    belay_shim_get_failure().map { $0 != unmarked($0) } ?? false
  }

  private static func unmarked(_ held: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: held) & ~1).unsafelyUnwrapped
  }

  /// Records `failure` in the place of the one that waits.
  package static func replace(_ failure: Failure) {
    drop()
    hold(failure)
  }

  private static func hold(_ failure: Failure) {
    // At its end the thread releases the failure that its record holds.
    _ = Thread.releasesWhenEnding
    // The thread that leaves the current callback must look at the failure.
    Delivery.noteHere()
    // A failure that waits is not counted as alive, because it may stay for as long as the thread.
    Live.errors.ended()
    belay_shim_set_failure(Unmanaged.passRetained(failure as Entity).toOpaque())
  }

  /// Takes the failure out.
  package static func take() -> Failure? {
    guard let held = belay_shim_get_failure() else { return nil }
    belay_shim_set_failure(nil)
    Live.errors.began()
    return Unmanaged<Failure>.fromOpaque(unmarked(held)).takeRetainedValue()
  }

  /// Drops the failure.
  @inline(never)
  package static func drop() { _ = take() }

  /// Takes the failure out, and keeps it alive until the thread takes the next one so.
  package static func takeKept() -> Failure? {
    let own = Thread.own
    let old = own.pointee.taken_failure
    let taken = belay_shim_get_failure().map(unmarked)
    own.pointee.taken_failure = taken
    belay_shim_set_failure(nil)
    if let old {
      Live.errors.began()
      Unmanaged<Entity>.fromOpaque(old).drop()
    }
    return taken.map { Unmanaged<Failure>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs a callback that starts without a failure, and answers with the failure that it leaves.
  /// Puts the caller's failure back.
  @inline(__always)
  package static func collecting<Result>(_ callback: () -> Result) -> (Result, Failure?) {
    let held = belay_shim_get_failure()
    belay_shim_set_failure(nil)
    let result = callback()
    let left = take()
    belay_shim_set_failure(held)
    return (result, left)
  }

  /// Runs `body`, which calls the host and answers a code. Also answers the failure that the host's
  /// callback has set with that code, if it has (`tell`).
  // Not optimised, because the compiler would make a copy for each caller.
  @inline(never)
  @_optimize(none)
  package static func explaining(_ body: () -> Code) -> (code: Code, failure: Failure?) {
    let (code, left) = collecting(body)
    return (code, left?.code == code ? left : nil)
  }

  /// Runs a callback of the host's, and answers its code. Leaves the failure that it has set for
  /// `explaining`.
  @inline(never)
  package static func tell(_ callback: () -> Int32) -> Code {
    let (answer, failure) = collecting(callback)
    if answer >= 0 { return .ok }
    if let failure { replace(failure) }
    return Code(rawValue: answer)
  }

  /// Leaves a failure for `explaining`, and answers its code.
  package static func tell(_ failure: Failure) -> Code {
    replace(failure)
    return failure.code
  }

  /// Runs a callback that starts without a failure. Drops the failure that it leaves, and puts the
  /// caller's back.
  @inline(__always)
  package static func isolating<Result, Problem>(
    _ callback: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    let held = belay_shim_get_failure()
    belay_shim_set_failure(nil)
    defer {
      if !isNone { drop() }
      belay_shim_set_failure(held)
    }
    return try callback()
  }
}
