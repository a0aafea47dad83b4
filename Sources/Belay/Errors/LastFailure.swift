import CBelayShim
import Synchronization

extension Code {
  /// What a call of C's makes of NULL where a handle belongs, and answers as `.invalid`. That NULL
  /// is what another call has answered when it failed. Its failure is the one to be told of, so
  /// this is recorded only where none waits.
  package static let missing = Code(rawValue: -20_999)
}

/// The calling thread's last failure, until somebody takes it.
package enum LastFailure {
  @inline(__always)
  package static var isNone: Bool { belay_shim_get_failure() == nil }

  /// Records `code` in the place of what waits; answers `code`. What a callback fails with on
  /// purpose stays.
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

  /// The same with a failure that there is already.
  package static func record(_ failure: Failure) -> Code {
    Misuse.note(failure.code)
    if !isDeliberate { replace(failure) }
    return failure.code
  }

  /// Whether the same failure waits already. Who sends into a full queue again and again allocates
  /// nothing.
  private static func waits(_ code: Code, _ message: Text?) -> Bool {
    guard message == nil, let held = belay_shim_get_failure() else { return false }
    let failure = Unmanaged<Failure>.fromOpaque(held).takeUnretainedValue()
    return failure.code == code && failure.isPlain
  }

  /// Records `failure` in the place of whatever waits, as what a callback fails with: also where it
  /// answers nothing (`takeDeliberate`). A mark in the address says so.
  package static func replaceDeliberately(_ failure: Failure) {
    replace(failure)
    belay_shim_set_failure(belay_shim_get_failure().map { $0 + 1 })
  }

  /// Takes what a callback that answers nothing failed with; what was only recorded is dropped.
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

  /// Records `failure` in the place of whatever waits.
  package static func replace(_ failure: Failure) {
    drop()
    hold(failure)
  }

  private static func hold(_ failure: Failure) {
    // Its record is what gives it back when the thread ends.
    _ = Thread.releasesWhenEnding
    // Whatever is being called is looked after when it is left.
    Delivery.noteHere()
    // What only waits to be asked for is not counted as alive.
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

  /// Forgets it.
  @inline(never)
  package static func drop() { _ = take() }

  /// Takes the failure out and keeps it alive for the thread until the next time.
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

  /// Runs a callback that starts without a failure, and answers with the one it leaves; the
  /// caller's is put back after.
  @inline(__always)
  package static func collecting<Result>(_ callback: () -> Result) -> (Result, Failure?) {
    let held = belay_shim_get_failure()
    belay_shim_set_failure(nil)
    let result = callback()
    let left = take()
    belay_shim_set_failure(held)
    return (result, left)
  }

  /// Runs what calls the host and answers with a code; the failure is what the host's callback has said
  /// of that code, if it has (`tell`).
  // Not optimised, for else there is one of it for each caller.
  @inline(never)
  @_optimize(none)
  package static func explaining(_ body: () -> Code) -> (code: Code, failure: Failure?) {
    let (code, left) = collecting(body)
    return (code, left?.code == code ? left : nil)
  }

  /// What a callback of the host's answers: 0, or how it failed. Leaves what it says of its failure for
  /// `explaining`.
  @inline(never)
  package static func tell(_ callback: () -> Int32) -> Code {
    let (answer, failure) = collecting(callback)
    if answer >= 0 { return .ok }
    if let failure { replace(failure) }
    return Code(rawValue: answer)
  }

  /// Runs a callback that starts without a failure, and puts the caller's back after.
  @inline(__always)
  package static func isolating<Result>(_ callback: () -> Result) -> Result {
    let held = belay_shim_get_failure()
    belay_shim_set_failure(nil)
    let result = callback()
    if !isNone { drop() }
    belay_shim_set_failure(held)
    return result
  }
}
