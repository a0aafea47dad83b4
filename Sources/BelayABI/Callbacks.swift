@_spi(Engine) import Belay
import CBelay

/// Calls a callback of the host's that answers an int. Throws its failure where that is negative.
func truth(_ callback: () -> Int32) throws(Failure) -> Bool {
  let (result, failure) = LastFailure.collecting(callback)
  if result < 0 { throw failure ?? Failure(Code(rawValue: result)) }
  return result != 0
}

/// Calls a callback of the host's that answers a value. Throws the failure that the value holds.
func value(_ callback: () -> belay_value) throws(Failure) -> ForeignValue {
  let result = foreign(LastFailure.isolating(callback))
  if let box = result.entity as? FailureBox {
    let failure = box.failure
    discard(result)
    throw failure
  }
  return result
}

/// Calls a callback of the host's that gives an object away. Throws its failure where that is NULL.
func produced<Object: Entity>(
  _ type: Object.Type, _ callback: () -> OpaquePointer?
) throws(Failure) -> Object {
  let (handle, failure) = LastFailure.collecting(callback)
  guard let object = take(handle, type) else { throw failure ?? Failure(.invalid) }
  return object
}

/// Runs a body that calls the host and may fail. Puts the caller's own failure aside meanwhile.
func isolated<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  var result: Result?
  var failure: Failure?
  LastFailure.isolating {
    do throws(Failure) { result = try body() } catch { failure = error }
  }
  if let failure { throw failure }
  return result.unsafelyUnwrapped
}
