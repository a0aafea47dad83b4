@_spi(Engine) import Belay
import CBelay

/// How deep arrays and causes of errors that pass may be nested: each level takes stack.
private let mostNesting = 100

// MARK: From this copy

/// The content of `value`, as exchange.h has it, until `free`.
func exchanged(_ value: ForeignValue, at depth: Int = 0) throws(Failure) -> belay_exchange_value {
  var content = belay_exchange_value()
  content.kind = (value.kind ?? .null).rawValue
  guard let box = value.box else {
    content.bits = value.payload
    return content
  }
  let entity = box.takeUnretainedValue()
  switch entity.valueKind {
  case .pointer:
    let pointer = unsafeDowncast(entity, to: PointerBox.self)
    if pointer is HomedPointerBox {
      throw Failure(.wrongKind, message: "a pointer with a home belongs to its copy of the library")
    }
    content.bits = UInt64(UInt(bitPattern: pointer.pointer))
    content.type = pointer.type?.pointer
    content.context = box.toOpaque()
    content.retain = { reference($0?.pointee.context).retain().toOpaque() }
    content.release = { reference($0).drop() }
  case .string, .bytes, .structure:
    let run = unsafeDowncast(entity, to: BytesBox.self)
    content.data = run.bytes.baseAddress
    content.size = run.bytes.count
    content.type = (run as? StructBox)?.type.pointer
  case .array:
    guard depth < mostNesting else { throw Failure(.range) }
    let array = unsafeDowncast(entity, to: ArrayBox.self)
    let items = allocate(belay_exchange_value.self, array.items.count)
    content.data = UnsafeRawPointer(items)
    for item in array.items {
      do throws(Failure) {
        items[content.size] = try exchanged(item, at: depth + 1)
        content.size += 1
      } catch {
        free(content)
        throw error
      }
    }
  case .error:
    let error = allocate(belay_exchange_error.self, 1)
    error.pointee = exchanged(unsafeDowncast(entity, to: Failure.self), at: depth + 1)
    content.data = UnsafeRawPointer(error)
  case .signal:
    let exchange = allocate(belay_exchange.self, 1)
    exchange.pointee = lentExchange(of: box.toOpaque())
    content.data = UnsafeRawPointer(exchange)
  default:
    throw Failure(.wrongKind, message: "a handle of this kind belongs to its copy of the library")
  }
  return content
}

/// The content of `failure`, until `free`. A payload that cannot pass is left out, and so are the
/// causes beyond the deepest that pass.
func exchanged(_ failure: Failure, at depth: Int = 0) -> belay_exchange_error {
  var content = belay_exchange_error()
  content.code = failure.code.rawValue
  content.domain = failure.domainCString
  content.message = failure.messageCString
  if let value = failure.value, let passed = try? exchanged(value, at: depth + 1) {
    let payload = allocate(belay_exchange_value.self, 1)
    payload.pointee = passed
    content.payload = UnsafePointer(payload)
  }
  if let cause = failure.cause, depth + 1 < mostNesting {
    let passed = allocate(belay_exchange_error.self, 1)
    passed.pointee = exchanged(cause, at: depth + 1)
    content.cause = UnsafePointer(passed)
  }
  return content
}

func free(_ content: belay_exchange_value) {
  guard let data = content.data else { return }
  switch ValueKind(rawValue: content.kind) {
  case .array:
    let items = data.assumingMemoryBound(to: belay_exchange_value.self)
    for index in 0..<content.size { free(items[index]) }
    data.deallocate()
  case .error:
    free(data.load(as: belay_exchange_error.self))
    data.deallocate()
  case .signal: data.deallocate()
  default: break
  }
}

func free(_ content: belay_exchange_error) {
  if let payload = content.payload {
    free(payload.pointee)
    payload.deallocate()
  }
  if let cause = content.cause {
    free(cause.pointee)
    cause.deallocate()
  }
}

private func allocate<Content>(_ type: Content.Type, _ count: Int) -> UnsafeMutablePointer<Content>
{
  .allocate(capacity: count)
}

private func reference(_ pointer: UnsafeMutableRawPointer?) -> Unmanaged<Entity> {
  .fromOpaque(pointer.unsafelyUnwrapped)
}

// MARK: To this copy

/// A value of this copy with that content, which the caller owns. The content is not trusted: another
/// program may have made it.
func value(of content: belay_exchange_value, at depth: Int = 0) throws(Failure) -> ForeignValue {
  guard let kind = ValueKind(rawValue: content.kind) else {
    throw Failure(
      .wrongKind, message: "a value of a kind that this copy of the library does not know")
  }
  switch kind {
  case .pointer:
    guard let retain = content.retain, let release = content.release else {
      return ForeignValue(payload: content.bits, tag: UInt64(content.kind))
    }
    let retained = withUnsafePointer(to: content) { retain($0) }
    return ForeignValue(
      taking: PointerBox(
        UnsafeMutableRawPointer(bitPattern: UInt(content.bits)), type: StaticSite(at: content.type)
      ) { release(retained) })
  case .string:
    return ForeignValue(taking: StringBox(copying: try copyableText(content.data, content.size)))
  case .bytes:
    return ForeignValue(taking: BytesBox(copying: try copyable(content.data, content.size)))
  case .structure:
    guard let type = content.type else { break }
    let bytes = try copyable(content.data, content.size)
    return ForeignValue(taking: StructBox(StaticSite(at: type), copying: bytes))
  case .array:
    guard depth < mostNesting else { throw Failure(.range) }
    return ForeignValue(taking: ArrayBox(taking: try items(of: content, at: depth + 1)))
  case .error:
    guard let error = content.data?.load(as: belay_exchange_error.self) else { break }
    return ForeignValue(taking: failure(of: error, at: depth + 1))
  case .signal:
    guard let exchange = content.data?.load(as: belay_exchange.self) else { break }
    return ForeignValue(taking: try imported(exchange))
  case ...(.pointer):
    return ForeignValue(payload: content.bits, tag: UInt64(content.kind))
  default:
    throw Failure(
      .wrongKind, message: "a handle of this kind belongs to its copy of the library")
  }
  throw Failure(.invalid)
}

/// The values of an array with that content, which the caller owns.
private func items(of content: belay_exchange_value, at depth: Int) throws(Failure)
  -> [ForeignValue]
{
  let stride = MemoryLayout<belay_exchange_value>.stride
  guard 0...largest / stride ~= content.size else { throw Failure(.invalid) }
  let bytes = try copyable(content.data, content.size * stride)
  var items: [ForeignValue] = []
  do throws(Failure) {
    for item in bytes.bindMemory(to: belay_exchange_value.self) {
      items.append(try value(of: item, at: depth))
    }
  } catch {
    for item in items { discard(item) }
    throw error
  }
  return items
}

/// A failure of this copy with that content. It lacks what cannot pass, like one that is passed.
func failure(of content: belay_exchange_error, at depth: Int = 0) -> Failure {
  var cause: Failure?
  if let passed = content.cause, depth + 1 < mostNesting {
    cause = failure(of: passed.pointee, at: depth + 1)
  }
  var payload = ForeignValue.null
  if let passed = content.payload, let value = try? value(of: passed.pointee, at: depth + 1) {
    payload = value
  }
  return described(
    content.code, content.domain, content.message, cause: cause, taking: payload)
}
