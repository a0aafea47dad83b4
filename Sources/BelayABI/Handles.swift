import CBelayShim

@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

/// The object behind a handle, borrowed; nil for NULL.
@inline(__always)
func object<Object: Entity>(_ handle: OpaquePointer?, _ type: Object.Type) -> Object? {
  guard let handle else { return nil }
  #if BELAY_CHECKED
    if HandleLedger.isReleased(handle) {
      LastFailure.record(.released, "a handle was used after its last reference was released")
      return nil
    }
  #endif
  return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Calls `body` with the object behind a handle. Counts no reference, because the caller's own reference
/// keeps the object.
@inline(__always)
func using<Object: Entity, Result>(
  _ handle: OpaquePointer?, _ type: Object.Type, orElse missing: Result,
  _ body: (Object) -> Result
) -> Result {
  #if BELAY_CHECKED
    guard let object = object(handle, type) else { return missing }
    return body(object)
  #else
    guard let handle else { return missing }
    return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle))._withUnsafeGuaranteedRef(body)
  #endif
}

/// A handle for the caller, with a reference.
@inline(never)
func give(_ object: consuming Entity?) -> OpaquePointer? {
  object.map { handle(for: Unmanaged.passRetained($0).toOpaque()) }
}

/// A handle for the object that `make` makes. Records the failure, and answers NULL, if it throws.
func giving(_ make: () throws(Failure) -> Entity) -> OpaquePointer? {
  do throws(Failure) {
    return give(try make())
  } catch {
    return failed(error.code, error.message)
  }
}

/// The handle for a reference that becomes the caller's.
@inline(__always)
func handle(for reference: UnsafeMutableRawPointer) -> OpaquePointer {
  let handle = OpaquePointer(reference)
  #if BELAY_CHECKED
    HandleLedger.gave(handle)
  #endif
  return handle
}

/// A handle that the caller borrows, without a reference.
func lend(_ object: Entity?) -> OpaquePointer? {
  lend(object.map { Unmanaged.passUnretained($0) })
}

/// The same for an object that need not be retained: only its address is used.
func lend<Object: Entity>(_ object: Unmanaged<Object>?) -> OpaquePointer? {
  guard let object else { return nil }
  let handle = OpaquePointer(object.toOpaque())
  #if BELAY_CHECKED
    HandleLedger.lent(handle)
  #endif
  return handle
}

/// Releases a reference of the caller's. A checked build refuses if the caller has none.
func release(_ handle: OpaquePointer?) { if isHeld(handle) { drop(handle) } }

/// Whether the caller has a reference to release. A checked build takes it off the caller's count.
func isHeld(_ handle: OpaquePointer?) -> Bool {
  guard let handle else { return false }
  #if BELAY_CHECKED
    if HandleLedger.takeBack(handle) { return true }
    LastFailure.record(.released, "a handle was released more often than it was retained")
    ErrorOutput.print("belay: a handle was released more often than it was retained")
    return false
  #else
    return true
  #endif
}

/// Releases the reference of a handle for which `isHeld` has answered true.
func drop(_ handle: OpaquePointer?) {
  guard let handle else { return }
  #if BELAY_CHECKED
    var object = Unmanaged<Entity>.fromOpaque(UnsafeRawPointer(handle)).takeRetainedValue()
    // Now, for what the end of the object calls.
    if isKnownUniquelyReferenced(&object) { HandleLedger.goes(object) }
  #else
    Unmanaged<Entity>.fromOpaque(UnsafeRawPointer(handle)).drop()
  #endif
}

/// Gives `value` to the object behind a handle. Discards it where there is none.
@inline(never)
func giving<Object: Entity>(
  _ value: belay_value, to object: Object?, _ body: (Object, ForeignValue) -> Code
) -> Int32 {
  if let object { return answer(body(object, foreign(value))) }
  discard(foreign(value))
  return fail(.missing)
}

/// The object behind a handle that the caller gives away. The caller's reference becomes this one.
func take<Object: Entity>(_ handle: OpaquePointer?, _ type: Object.Type) -> Object? {
  guard let object = object(handle, type) else { return nil }
  release(handle)
  return object
}

/// Another reference for the caller.
func retain(_ handle: OpaquePointer?) -> OpaquePointer? { give(object(handle, Entity.self)) }

/// The code for a call that refuses its arguments: `.missing` if one of these handles is, or else
/// `.invalid`.
func invalid(_ one: OpaquePointer?) -> Code { isMissing(one) ? .missing : .invalid }

func invalid(_ one: OpaquePointer?, _ other: OpaquePointer?) -> Code {
  isMissing(one) || isMissing(other) ? .missing : .invalid
}

private func isMissing(_ handle: OpaquePointer?) -> Bool {
  guard let handle else { return true }
  #if BELAY_CHECKED
    return HandleLedger.isReleased(handle)
  #else
    return false
  #endif
}

/// Records a failed call's code for the thread, and answers it.
// Not optimised: LLVM would see that it answers its argument, and each caller would keep that over the call.
@discardableResult
@inline(never)
@_optimize(none)
func fail(_ code: Code) -> Int32 { LastFailure.record(code, nil).rawValue }

/// The same with a message.
@discardableResult
@inline(never)
func fail(_ code: Code, _ message: Text) -> Int32 { LastFailure.record(code, message).rawValue }

/// The same with a whole failure.
@discardableResult
@inline(never)
func fail(_ failure: Failure) -> Int32 { LastFailure.record(failure).rawValue }

/// The code that a call of the core has answered. Records it if it is a failure.
@inline(__always)
func answer(_ code: Code) -> Int32 { code.isFailure ? fail(code) : code.rawValue }

/// The same for a call of the core that may call the host. The host may have set a failure that says more
/// than the code.
@inline(never)
func explained(_ body: () -> Code) -> Int32 {
  let (code, failure) = LastFailure.explaining(body)
  if let failure { return fail(failure) }
  return answer(code)
}

/// The core's form of a value of C's.
@inline(__always)
func foreign(_ value: belay_value) -> ForeignValue {
  ForeignValue(payload: value.payload_, tag: value.tag_)
}

@inline(__always)
func exported(_ value: ForeignValue) -> belay_value {
  belay_value(payload_: value.payload, tag_: value.tag)
}

/// Lends the values to `body` as C has them, which is in the same form.
@inline(__always)
func lending<Result>(
  _ values: [ForeignValue],
  _ body: (UnsafePointer<belay_value>?, Int) throws(Failure) -> Result
) throws(Failure) -> Result {
  try values.withUnsafeBufferPointer { (values) throws(Failure) -> Result in
    let lent = UnsafeRawPointer(values.baseAddress)?.assumingMemoryBound(to: belay_value.self)
    return try body(lent, values.count)
  }
}

typealias CSignal = Signal<ForeignValue>
typealias CSubject = PublishSubject<ForeignValue>
typealias CSubscriber = Subscriber<ForeignValue>
typealias FreeFunction = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// A callback's context. The last reference to this frees it.
final class Context {
  let pointer: UnsafeMutableRawPointer?
  private let free: FreeFunction?

  @inline(never)
  init(_ pointer: UnsafeMutableRawPointer?, _ free: FreeFunction?) {
    self.pointer = pointer
    self.free = free
  }

  deinit { Self.free(pointer, free) }

  static func free(_ pointer: UnsafeMutableRawPointer?, _ free: FreeFunction?) {
    if let free { LastFailure.isolating { free(pointer) } }
  }
}

/// Converts seconds to nanoseconds; nil for NaN. A time above 0 is a nanosecond at least.
func nanoseconds(_ seconds: Double) -> Int64? {
  if seconds.isNaN { return nil }
  let scaled = seconds * 1e9
  if scaled >= 9.2e18 { return .max }
  if scaled <= -9.2e18 { return .min }
  return scaled > 0 && scaled < 1 ? 1 : Int64(scaled)
}

func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }
