import Belay
import CBelay

/// What a callback of the host's that answers with an int said: true, false, or how it failed.
func truth(_ callback: () -> Int32) throws(Failure) -> Bool {
  let (result, failure) = LastFailure.collecting(callback)
  if result < 0 { throw failure ?? Failure(Code(rawValue: result)) }
  return result != 0
}

/// What a callback of the host's that answers with a value said.
func value(_ callback: () -> belay_value) throws(Failure) -> ForeignValue {
  let result = foreign(LastFailure.isolating(callback))
  if let box = result.entity as? FailureBox {
    let failure = box.failure
    discard(result)
    throw failure
  }
  return result
}

/// The object that a callback of the host's gives away; NULL is a failure.
func produced<Object: Entity>(
  _ type: Object.Type, _ callback: () -> OpaquePointer?
) throws(Failure) -> Object {
  let (handle, failure) = LastFailure.collecting(callback)
  guard let object = take(handle, type) else { throw failure ?? Failure(.invalid) }
  return object
}

/// Runs what calls back and may fail: the caller's own failure is put aside meanwhile.
func isolated<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  var result: Result?
  var failure: Failure?
  LastFailure.isolating {
    do throws(Failure) { result = try body() } catch { failure = error }
  }
  if let failure { throw failure }
  return result.unsafelyUnwrapped
}
