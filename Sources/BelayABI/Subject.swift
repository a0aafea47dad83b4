import Belay
import CBelay

@_cdecl("belay_subject_create")
@implementation
public func belay_subject_create(_ options: UnsafePointer<belay_source_options>!) -> OpaquePointer!
{
  sourceOptions(options).flatMap { give(CSubject($0)) }
}

@_cdecl("belay_subject_next")
@implementation
public func belay_subject_next(_ s: OpaquePointer!, _ value: belay_value) -> Int32 {
  let value = foreign(value)
  let code = using(s, CSignal.self, orElse: .invalid) { subject in
    LastFailure.isNone
      ? subject.emit(value) : LastFailure.isolating { subject.emit(value) }
  }
  discard(value)
  return answer(code)
}

@_cdecl("belay_subject_error")
@implementation
public func belay_subject_error(_ s: OpaquePointer!, _ error: OpaquePointer!) -> Int32 {
  guard let subject = signal(s) else { return fail(.invalid) }
  guard subject.isSource else { return fail(.wrongKind) }
  guard let failure = failure(error) else { return fail(.invalid) }
  return answer(LastFailure.isolating { subject.emit(.failed(failure)) })
}

@_cdecl("belay_subject_completed")
@implementation
public func belay_subject_completed(_ s: OpaquePointer!) -> Int32 {
  answer(
    using(s, CSignal.self, orElse: .invalid) { subject in
      LastFailure.isolating { subject.emit(.completed) }
    })
}

@_cdecl("belay_subject_count")
@implementation
public func belay_subject_count(_ s: OpaquePointer!) -> Int { signal(s)?.sinkCount ?? 0 }
