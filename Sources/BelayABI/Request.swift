@_spi(Engine) import Belay
import CBelay

private typealias CRequest = Request<ForeignValue, ForeignValue>

private func request(_ handle: OpaquePointer?) -> CRequest? { object(handle, CRequest.self) }

@_cdecl("belay_request_create")
@implementation
public func belay_request_create(
  _ initial: belay_value, _ accumulate: belay_scan_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  let initial = Kept(taking: foreign(initial))
  guard let accumulate else { return failed(.invalid) }
  return give(
    CRequest(initial) {
      (before: ForeignValue, answer: ForeignValue) throws(Failure) -> ForeignValue in
      defer { extendLifetime(context) }
      return try value { accumulate(ctx, exported(before), exported(answer)) }
    })
}

@_cdecl("belay_request_retain")
@implementation
public func belay_request_retain(_ r: OpaquePointer!) -> OpaquePointer! { retain(r) }

@_cdecl("belay_request_release")
@implementation
public func belay_request_release(_ r: OpaquePointer!) { release(r) }

@_cdecl("belay_request_subscribe")
@implementation
public func belay_request_subscribe(
  _ r: OpaquePointer!, _ answer: belay_map_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  disposable?.pointee = nil
  let context = Context(ctx, ctx_free)
  guard let request = request(r), let answer else { return fail(invalid(r)) }
  var code = Code.ok
  let listener = request.subscribe(&code) {
    (question: ForeignValue) throws(Failure) -> ForeignValue in
    defer { extendLifetime(context) }
    return try value { answer(ctx, exported(question)) }
  }
  if code.isFailure { return fail(code) }
  disposable?.pointee = give(listener)
  return 0
}

@_cdecl("belay_request_send")
@implementation
public func belay_request_send(
  _ r: OpaquePointer!, _ question: belay_value, _ answer: UnsafeMutablePointer<belay_value>!
) -> Int32 {
  answer?.pointee = exported(.null)
  let question = foreign(question)
  defer { discard(question) }
  guard let request = request(r), let answer else { return fail(invalid(r)) }
  do throws(Failure) {
    answer.pointee = exported(
      try isolated { () throws(Failure) -> ForeignValue in try request.send(question) })
    return 0
  } catch {
    return fail(error)
  }
}
