@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

@_cdecl("belay_value_kind")
@implementation
public func belay_value_kind(_ v: belay_value) -> belay_kind {
  belay_kind(rawValue: (foreign(v).kind ?? .null).rawValue)
}

@_cdecl("belay_kind_name")
@implementation
public func belay_kind_name(_ kind: belay_kind) -> UnsafePointer<CChar>! {
  StaticSite(ValueKind(rawValue: UInt32(kind.rawValue))?.name ?? "unknown").pointer
}

/// Reads the value as one of `kind`, and stores it as the type that C's getter of that kind has.
private func read(
  _ v: belay_value, as kind: ValueKind, _ out: UnsafeMutableRawPointer?
) -> Code {
  let value = foreign(v)
  if kind.isPlain { return value.store(as: kind, at: out) }
  let isRight = value.kind == kind || kind == .bytes && value.kind == .string
  guard isRight else { return .wrongKind }
  if kind == .string || kind == .bytes {
    guard let box = value.entity as? BytesBox else { return .wrongKind }
    out?.storeBytes(
      of: belay_view(
        data: box.bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size: box.bytes.count),
      as: belay_view.self)
  } else if kind >= .signal {
    out?.storeBytes(of: lend(value.handle(kind)), as: OpaquePointer?.self)
  }
  return .ok
}

/// The same. Records a failure.
@inline(never)
private func get(_ v: belay_value, _ kind: ValueKind, _ out: UnsafeMutableRawPointer?) -> Int32 {
  answer(read(v, as: kind, out))
}

@_cdecl("belay_value_try")
@implementation
public func belay_value_try(
  _ v: belay_value, _ kind: belay_kind, _ out: UnsafeMutableRawPointer!
) -> Int32 {
  guard let kind = ValueKind(rawValue: UInt32(kind.rawValue)) else { return Code.invalid.rawValue }
  return read(v, as: kind, out).rawValue
}

// Programs often read numbers, so each kind of number has a function that knows its type.

/// Stores the value that was read, or records why it could not be read.
private func store<Thing>(
  _ reading: ForeignValue.Reading<Thing>, _ out: UnsafeMutablePointer<Thing>?
) -> Int32 {
  switch reading {
  case .thing(let thing):
    out?.pointee = thing
    return 0
  case .refused(let code): return fail(code)
  }
}

@_cdecl("belay_value_get_bool")
@implementation
public func belay_value_get_bool(_ v: belay_value, _ out: UnsafeMutablePointer<Int32>!) -> Int32 {
  switch foreign(v).bool() {
  case .thing(let thing): return store(.thing(thing ? 1 : 0), out)
  case .refused(let code): return fail(code)
  }
}

@_cdecl("belay_value_get_int32")
@implementation
public func belay_value_get_int32(_ v: belay_value, _ out: UnsafeMutablePointer<Int32>!) -> Int32 {
  store(foreign(v).integer(Int32.self), out)
}

@_cdecl("belay_value_get_int64")
@implementation
public func belay_value_get_int64(_ v: belay_value, _ out: UnsafeMutablePointer<Int64>!) -> Int32 {
  store(foreign(v).integer(Int64.self), out)
}

@_cdecl("belay_value_get_uint32")
@implementation
public func belay_value_get_uint32(
  _ v: belay_value, _ out: UnsafeMutablePointer<UInt32>!
) -> Int32 {
  store(foreign(v).integer(UInt32.self), out)
}

@_cdecl("belay_value_get_uint64")
@implementation
public func belay_value_get_uint64(
  _ v: belay_value, _ out: UnsafeMutablePointer<UInt64>!
) -> Int32 {
  store(foreign(v).integer(UInt64.self), out)
}

@_cdecl("belay_value_get_float")
@implementation
public func belay_value_get_float(_ v: belay_value, _ out: UnsafeMutablePointer<Float>!) -> Int32 {
  store(foreign(v).float(), out)
}

@_cdecl("belay_value_get_double")
@implementation
public func belay_value_get_double(
  _ v: belay_value, _ out: UnsafeMutablePointer<Double>!
) -> Int32 {
  store(foreign(v).double(), out)
}

@_cdecl("belay_value_get_pointer")
@implementation
public func belay_value_get_pointer(
  _ v: belay_value, _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>!
) -> Int32 {
  store(foreign(v).pointer(), out)
}

@_cdecl("belay_value_get_string")
@implementation
public func belay_value_get_string(
  _ v: belay_value, _ out: UnsafeMutablePointer<belay_view>!
) -> Int32 {
  get(v, .string, out)
}

@_cdecl("belay_value_get_bytes")
@implementation
public func belay_value_get_bytes(
  _ v: belay_value, _ out: UnsafeMutablePointer<belay_view>!
) -> Int32 {
  get(v, .bytes, out)
}

private func readTyped(
  _ v: belay_value, _ type: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Code {
  guard let type else { return .invalid }
  guard let box = foreign(v).entity as? PointerBox, let own = box.type,
    own.isEqual(to: StaticSite(at: type))
  else { return .wrongKind }
  switch foreign(v).pointer() {
  case .thing(let pointer): out?.pointee = pointer
  case .refused(let code): return code
  }
  return .ok
}

@_cdecl("belay_value_get_typed")
@implementation
public func belay_value_get_typed(
  _ v: belay_value, _ type: UnsafePointer<CChar>!,
  _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>!
) -> Int32 {
  answer(readTyped(v, type, out))
}

@_cdecl("belay_value_try_typed")
@implementation
public func belay_value_try_typed(
  _ v: belay_value, _ type: UnsafePointer<CChar>!,
  _ out: UnsafeMutablePointer<UnsafeMutableRawPointer?>!
) -> Int32 {
  readTyped(v, type, out).rawValue
}

private func readStruct(
  _ v: belay_value, _ type: UnsafePointer<CChar>?, _ out: UnsafeMutableRawPointer?, _ size: Int
) -> Code {
  guard let type else { return .invalid }
  guard let box = foreign(v).entity as? StructBox, box.type.isEqual(to: StaticSite(at: type)) else {
    return .wrongKind
  }
  guard box.bytes.count == size else { return .range }
  if let out, let start = box.bytes.baseAddress {
    out.copyMemory(from: start, byteCount: size)
  }
  return .ok
}

@_cdecl("belay_value_get_struct")
@implementation
public func belay_value_get_struct(
  _ v: belay_value, _ type: UnsafePointer<CChar>!, _ out: UnsafeMutableRawPointer!, _ size: Int
) -> Int32 {
  answer(readStruct(v, type, out, size))
}

@_cdecl("belay_value_try_struct")
@implementation
public func belay_value_try_struct(
  _ v: belay_value, _ type: UnsafePointer<CChar>!, _ out: UnsafeMutableRawPointer!, _ size: Int
) -> Int32 {
  readStruct(v, type, out, size).rawValue
}

@_cdecl("belay_value_count")
@implementation
public func belay_value_count(_ v: belay_value) -> Int {
  (foreign(v).entity as? ArrayBox)?.items.count ?? 0
}

private func readItem(
  _ v: belay_value, _ index: Int, _ out: UnsafeMutablePointer<belay_value>?
) -> Code {
  guard let array = foreign(v).entity as? ArrayBox else { return .wrongKind }
  guard array.items.indices.contains(index) else { return .range }
  out?.pointee = exported(array.items[index])
  return .ok
}

@_cdecl("belay_value_get_item")
@implementation
public func belay_value_get_item(
  _ v: belay_value, _ index: Int, _ out: UnsafeMutablePointer<belay_value>!
) -> Int32 {
  answer(readItem(v, index, out))
}

@_cdecl("belay_value_try_item")
@implementation
public func belay_value_try_item(
  _ v: belay_value, _ index: Int, _ out: UnsafeMutablePointer<belay_value>!
) -> Int32 {
  readItem(v, index, out).rawValue
}

private func handle(_ v: belay_value, _ kind: ValueKind) -> OpaquePointer? {
  guard let handle = foreign(v).handle(kind) else {
    fail(.wrongKind)
    return nil
  }
  return lend(handle)
}

@_cdecl("belay_value_get_signal")
@implementation
public func belay_value_get_signal(_ v: belay_value) -> OpaquePointer! { handle(v, .signal) }

@_cdecl("belay_value_get_subscriber")
@implementation
public func belay_value_get_subscriber(_ v: belay_value) -> OpaquePointer! {
  handle(v, .subscriber)
}

@_cdecl("belay_value_get_disposable")
@implementation
public func belay_value_get_disposable(_ v: belay_value) -> OpaquePointer! {
  handle(v, .disposable)
}

@_cdecl("belay_value_get_bag")
@implementation
public func belay_value_get_bag(_ v: belay_value) -> OpaquePointer! { handle(v, .bag) }

@_cdecl("belay_value_get_owner")
@implementation
public func belay_value_get_owner(_ v: belay_value) -> OpaquePointer! { handle(v, .owner) }

@_cdecl("belay_value_get_weak")
@implementation
public func belay_value_get_weak(_ v: belay_value) -> OpaquePointer! { handle(v, .weak) }

@_cdecl("belay_value_get_loop")
@implementation
public func belay_value_get_loop(_ v: belay_value) -> OpaquePointer! { handle(v, .loop) }

@_cdecl("belay_value_get_scheduler")
@implementation
public func belay_value_get_scheduler(_ v: belay_value) -> OpaquePointer! { handle(v, .scheduler) }

@_cdecl("belay_value_get_error")
@implementation
public func belay_value_get_error(_ v: belay_value) -> OpaquePointer! { handle(v, .error) }

@_cdecl("belay_value_get_stream")
@implementation
public func belay_value_get_stream(_ v: belay_value) -> OpaquePointer! { handle(v, .stream) }

@_cdecl("belay_value_equal")
@implementation
public func belay_value_equal(_ a: belay_value, _ b: belay_value) -> Int32 {
  foreign(a).isEqual(to: foreign(b)) ? 1 : 0
}

@_cdecl("belay_value_describe")
@implementation
public func belay_value_describe(
  _ v: belay_value, _ buffer: UnsafeMutablePointer<CChar>!, _ size: Int
) -> Int {
  write(foreign(v).text, buffer, size)
}

func write(_ text: Text, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
  Array(text.utf8).withUnsafeBufferPointer { write($0, buffer, size) }
}

/// Copies as much of the text as fits into a buffer of C's, with a NUL after it. Answers the length of the
/// whole text.
func write(
  _ text: UnsafeBufferPointer<UInt8>, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
  guard let buffer, size != 0 else { return text.count }
  // A size that is too large for Swift's Int is negative here.
  var kept = size < 0 ? text.count : min(text.count, size - 1)
  // Not within a character of UTF-8.
  while kept > 0, kept < text.count, text[kept] & 0xC0 == 0x80 { kept -= 1 }
  for index in 0..<kept { buffer[index] = CChar(bitPattern: text[index]) }
  buffer[kept] = 0
  return text.count
}
