@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay
import CBelayShim

/// The largest size of a box, in bytes. A larger one is refused, because it could never be allocated.
let largest = 1 << 40

/// The bytes at `data`, of which a copy can be allocated.
@inline(never)
func copyable(
  _ data: UnsafeRawPointer?, _ size: Int
) throws(Failure) -> UnsafeRawBufferPointer {
  guard size == 0 || data != nil && size > 0 && size <= largest else { throw Failure(.invalid) }
  guard belay_shim_has_room(1, size) else { throw Failure(.noMemory) }
  return UnsafeRawBufferPointer(start: data, count: size)
}

/// The same for text.
func copyableText(
  _ data: UnsafeRawPointer?, _ size: Int
) throws(Failure) -> UnsafeRawBufferPointer {
  let bytes = try copyable(data, size)
  guard UTF8Text.isValid(bytes) else { throw Failure(.notUTF8) }
  return bytes
}

/// A value in that box, or the error value that says why there is none.
private func boxed(_ make: () throws(Failure) -> BytesBox) -> belay_value {
  do throws(Failure) { return exported(ForeignValue(taking: try make())) } catch {
    return failureValue(error.code)
  }
}

func failureValue(_ code: Code, _ message: Text? = nil) -> belay_value {
  LastFailure.record(code, message)
  return exported(ForeignValue(taking: FailureBox(Failure(code, message: message))))
}

@_cdecl("belay_string")
@implementation
public func belay_string(_ text: UnsafePointer<CChar>!) -> belay_value {
  guard let text else { return exported(.null) }
  var size = 0
  while text[size] != 0 { size += 1 }
  return belay_string_n(text, size)
}

@_cdecl("belay_string_n")
@implementation
public func belay_string_n(_ data: UnsafePointer<CChar>!, _ size: Int) -> belay_value {
  if data == nil && size == 0 { return exported(.null) }
  return boxed { () throws(Failure) in StringBox(copying: try copyableText(data, size)) }
}

@_cdecl("belay_bytes")
@implementation
public func belay_bytes(_ data: UnsafeRawPointer!, _ size: Int) -> belay_value {
  boxed { () throws(Failure) in BytesBox(copying: try copyable(data, size)) }
}

@_cdecl("belay_struct")
@implementation
public func belay_struct(
  _ type: UnsafePointer<CChar>!, _ data: UnsafeRawPointer!, _ size: Int
) -> belay_value {
  boxed { () throws(Failure) in
    guard let type else { throw Failure(.invalid) }
    return StructBox(StaticSite(at: type), copying: try copyable(data, size))
  }
}

@_cdecl("belay_pointer_owned")
@implementation
public func belay_pointer_owned(
  _ p: UnsafeMutableRawPointer!, _ destroy: belay_free_fn!
) -> belay_value {
  belay_pointer_typed(nil, p, destroy)
}

@_cdecl("belay_pointer_typed")
@implementation
public func belay_pointer_typed(
  _ type: UnsafePointer<CChar>!, _ p: UnsafeMutableRawPointer!, _ destroy: belay_free_fn!
) -> belay_value {
  let context = Context(p, destroy)
  return exported(
    ForeignValue(taking: PointerBox(p, type: StaticSite(at: type)) { _ = context }))
}

@_cdecl("belay_pointer_at")
@implementation
public func belay_pointer_at(
  _ l: OpaquePointer!, _ type: UnsafePointer<CChar>!, _ p: UnsafeMutableRawPointer!,
  _ destroy: belay_free_fn!
) -> belay_value {
  let loop = object(l, Loop.self)
  guard let loop, !loop.isClosed else {
    Context.free(p, destroy)
    return failureValue(loop == nil ? .invalid : .closed)
  }
  // Not by a `Context`: this call might have its last reference, and would free the pointer on this thread.
  let pointee = HomedPointee(at: loop.home) { Context.free(p, destroy) }
  // The loop's user may be leaving at the same time.
  if loop.user.members.add(pointee) == 0 { return failureValue(.closed) }
  return exported(
    ForeignValue(taking: HomedPointerBox(p, type: StaticSite(at: type), pointee)))
}

@_cdecl("belay_array_of")
@implementation
public func belay_array_of(_ items: UnsafePointer<belay_value>!, _ count: Int) -> belay_value {
  var code = Code.ok
  guard let values = takeValues(items, count, &code) else { return failureValue(code) }
  return exported(ForeignValue(taking: ArrayBox(taking: values)))
}

/// Whether there can be a C array of `count` items at `items`.
func isArray(_ items: UnsafeRawPointer?, _ count: Int) -> Bool {
  count == 0 || items != nil && count > 0 && count <= largest / MemoryLayout<belay_value>.size
}

/// The values of a C array.
func values(_ items: UnsafePointer<belay_value>?, _ count: Int) -> [ForeignValue] {
  UnsafeBufferPointer(start: items, count: items == nil ? 0 : count).map { foreign($0) }
}

/// Takes over the values of a C array. Otherwise nil, and `code` says why: it is no array, or there is no
/// memory for a copy. In the second case the values are released.
@inline(never)
func takeValues(
  _ items: UnsafePointer<belay_value>?, _ count: Int, _ code: inout Code
) -> [ForeignValue]? {
  if !isArray(items, count) {
    code = .invalid
    return nil
  }
  if !belay_shim_has_room(count, MemoryLayout<belay_value>.size) {
    for value in UnsafeBufferPointer(start: items, count: count) { discard(foreign(value)) }
    code = .noMemory
    return nil
  }
  return values(items, count)
}

/// The same. Records why it is nil.
@inline(never)
func takeValues(_ items: UnsafePointer<belay_value>?, _ count: Int) -> [ForeignValue]? {
  var code = Code.ok
  let values = takeValues(items, count, &code)
  if values == nil { fail(code) }
  return values
}

private func handleValue(_ handle: OpaquePointer?) -> belay_value {
  exported(object(handle, Entity.self).map { ForeignValue(taking: $0) } ?? .null)
}

@_cdecl("belay_value_from_signal")
@implementation
public func belay_value_from_signal(_ h: OpaquePointer!) -> belay_value { handleValue(h) }

@_cdecl("belay_value_from_subscriber")
@implementation
public func belay_value_from_subscriber(_ h: OpaquePointer!) -> belay_value { handleValue(h) }

@_cdecl("belay_value_from_disposable")
@implementation
public func belay_value_from_disposable(_ h: OpaquePointer!) -> belay_value { handleValue(h) }

@_cdecl("belay_value_from_bag")
@implementation
public func belay_value_from_bag(_ h: OpaquePointer!) -> belay_value { handleValue(h) }

@_cdecl("belay_value_from_owner")
@implementation
public func belay_value_from_owner(_ h: OpaquePointer!) -> belay_value {
  exported(object(h, OwnerRecord.self).map { ForeignValue(taking: OwnerBox($0)) } ?? .null)
}

@_cdecl("belay_value_from_weak")
@implementation
public func belay_value_from_weak(_ h: OpaquePointer!) -> belay_value { handleValue(h) }

@_cdecl("belay_value_from_loop")
@implementation
public func belay_value_from_loop(_ h: OpaquePointer!) -> belay_value { handleValue(h) }

@_cdecl("belay_value_from_scheduler")
@implementation
public func belay_value_from_scheduler(_ h: OpaquePointer!) -> belay_value { handleValue(h) }

@_cdecl("belay_value_from_error")
@implementation
public func belay_value_from_error(_ h: OpaquePointer!) -> belay_value { handleValue(h) }

@_cdecl("belay_value_from_stream")
@implementation
public func belay_value_from_stream(_ h: OpaquePointer!) -> belay_value { handleValue(h) }

@_cdecl("belay_value_failure")
@implementation
public func belay_value_failure(_ code: Int32, _ message: UnsafePointer<CChar>!) -> belay_value {
  let failure = Failure(errorCode(code), message: message.map { Text(cString: $0) })
  return exported(ForeignValue(taking: FailureBox(failure)))
}

@_cdecl("belay_value_failure_with")
@implementation
public func belay_value_failure_with(_ error: OpaquePointer!) -> belay_value {
  exported(ForeignValue(taking: FailureBox(failure(error) ?? Failure(.invalid))))
}

@_cdecl("belay_value_retain")
@implementation
public func belay_value_retain(_ v: belay_value) -> belay_value {
  keep(foreign(v))
  return v
}

@_cdecl("belay_value_release")
@implementation
public func belay_value_release(_ v: belay_value) { discard(foreign(v)) }
