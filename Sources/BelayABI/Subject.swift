import Belay
import CBelay

/// The subject behind a handle; nil, with the code to answer, for NULL and for other signals.
@inline(__always)
private func subject(_ handle: OpaquePointer?) -> CSubject? {
  signal(handle).flatMap { $0.asSubject }
}

@inline(never)
private func refused(_ handle: OpaquePointer?) -> Int32 {
  fail(handle == nil ? .invalid : .wrongKind)
}

@_cdecl("belay_subject_create")
@implementation
public func belay_subject_create(_ options: UnsafePointer<belay_source_options>!) -> OpaquePointer!
{
  sourceOptions(options).flatMap { give(CSubject($0)) }
}

@_cdecl("belay_subject_next")
@implementation
public func belay_subject_next(_ s: OpaquePointer!, _ value: belay_value) -> Int32 {
  sendNext(s, foreign(value))
}

/// Apart, for C inline functions are not inlined into exported ones.
@inline(__always)
private func sendNext(_ s: OpaquePointer?, _ value: ForeignValue) -> Int32 {
  guard let subject = subject(s) else {
    discard(value)
    return refused(s)
  }
  let code = subject.next(value)
  discard(value)
  return answer(code)
}

@_cdecl("belay_subject_error")
@implementation
public func belay_subject_error(_ s: OpaquePointer!, _ error: OpaquePointer!) -> Int32 {
  guard let subject = subject(s) else { return refused(s) }
  guard let failure = failure(error) else { return fail(.invalid) }
  return answer(subject.error(failure))
}

@_cdecl("belay_subject_completed")
@implementation
public func belay_subject_completed(_ s: OpaquePointer!) -> Int32 {
  guard let subject = subject(s) else { return refused(s) }
  return answer(subject.completed())
}

@_cdecl("belay_subject_count")
@implementation
public func belay_subject_count(_ s: OpaquePointer!) -> Int { subject(s)?.subscriberCount ?? 0 }
