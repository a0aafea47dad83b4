@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

@_cdecl("belay_subject_create")
@implementation
public func belay_subject_create(_ options: UnsafePointer<belay_source_options>!) -> OpaquePointer!
{
  sourceOptions(options).flatMap { give(CSubject($0)) }
}

@_cdecl("belay_subject_create_behavior")
@implementation
public func belay_subject_create_behavior(
  _ initial: belay_value, _ options: UnsafePointer<belay_source_options>!
) -> OpaquePointer! {
  guard let options = sourceOptions(options) else {
    discard(foreign(initial))
    return nil
  }
  return give(BehaviorSubject(foreign(initial), options))
}

/// The limits of a replay; nil for a count of 0 and for a NaN.
func replayLimits(_ scheduler: OpaquePointer?, _ seconds: Double, _ count: Int) -> ReplayLimits? {
  guard let age = nanoseconds(seconds), let count = counted(count) else { return nil }
  return ReplayLimits(
    count: count, age: age < 0 ? .max : age, clock: object(scheduler, Scheduler.self))
}

@_cdecl("belay_subject_create_replay")
@implementation
public func belay_subject_create_replay(
  _ scheduler: OpaquePointer!, _ seconds: Double, _ count: Int,
  _ options: UnsafePointer<belay_source_options>!
) -> OpaquePointer! {
  guard let limits = replayLimits(scheduler, seconds, count) else { return failed(.invalid) }
  return sourceOptions(options).flatMap { give(ReplaySubject<ForeignValue>(limits, $0)) }
}

@_cdecl("belay_subject_create_async")
@implementation
public func belay_subject_create_async(_ options: UnsafePointer<belay_source_options>!)
  -> OpaquePointer!
{
  sourceOptions(options).flatMap { give(AsyncSubject<ForeignValue>($0)) }
}

@_cdecl("belay_subject_get")
@implementation
public func belay_subject_get(
  _ s: OpaquePointer!, _ value: UnsafeMutablePointer<belay_value>!
) -> Int32 {
  value?.pointee = exported(.null)
  guard let value, let subject = signal(s) else { return fail(invalid(s)) }
  guard let behavior = subject as? BehaviorSubject<ForeignValue> else { return fail(.wrongKind) }
  value.pointee = exported(behavior.keptValue)
  return 0
}

// Optimised for speed, because only then it is aligned, which saves a seventh of an event's cost.
@_optimize(speed)
@_cdecl("belay_subject_next")
@implementation
public func belay_subject_next(_ s: OpaquePointer!, _ value: belay_value) -> Int32 {
  let value = foreign(value)
  // The usual case: no failure waits, and the value need not be discarded.
  guard LastFailure.isNone else { return sendIsolating(s, value) }
  guard value.box == nil else { return sendIsolating(s, value) }
  return answer(using(s, CSignal.self, orElse: .missing) { $0.emit(value) })
}

/// `belay_subject_next` with a value that has to be discarded, or while a failure waits.
@inline(never)
private func sendIsolating(_ s: OpaquePointer?, _ value: ForeignValue) -> Int32 {
  let code = using(s, CSignal.self, orElse: .missing) { subject in
    LastFailure.isolating { subject.emit(value) }
  }
  discard(value)
  return answer(code)
}

@_cdecl("belay_subject_next_wait")
@implementation
public func belay_subject_next_wait(
  _ s: OpaquePointer!, _ value: belay_value, _ timeout: Double
) -> Int32 {
  sendWaiting(s, CSignal.self, value, timeout) { subject, value, limit in
    subject.emit(value, waitingAtMost: limit)
  }
}

/// Takes `value` over.
func sendWaiting<Target: Entity>(
  _ s: OpaquePointer?, _ kind: Target.Type, _ value: belay_value, _ timeout: Double,
  _ send: (Target, ForeignValue, Int64) -> Code
) -> Int32 {
  let value = foreign(value)
  var code = Code.missing
  // Retained, because another thread may release the caller's reference meanwhile.
  if let target = object(s, kind) {
    code = .invalid
    if let limit = nanoseconds(timeout) {
      code = LastFailure.isolating { send(target, value, limit) }
    }
  }
  discard(value)
  return answer(code)
}

@_cdecl("belay_subject_next_batch")
@implementation
public func belay_subject_next_batch(
  _ s: OpaquePointer!, _ items: UnsafePointer<belay_value>!, _ count: Int
) -> Int32 {
  sendBatch(s, items, count, by: belay_subject_next)
}

/// Sends the values as one batch, until one is refused. The caller gives all of them away.
func sendBatch(
  _ handle: OpaquePointer?, _ items: UnsafePointer<belay_value>?, _ count: Int,
  by next: @convention(c) (OpaquePointer?, belay_value) -> Int32
) -> Int32 {
  guard isArray(items, count) else { return fail(invalid(handle)) }
  // A callback may release the caller's last reference.
  let kept = retain(handle)
  var code: Int32 = 0
  Batch.begin()
  for value in UnsafeBufferPointer(start: items, count: count) {
    if code < 0 { discard(foreign(value)) } else { code = next(handle, value) }
  }
  Batch.end()
  release(kept)
  return code
}

@_cdecl("belay_subject_error")
@implementation
public func belay_subject_error(_ s: OpaquePointer!, _ error: OpaquePointer!) -> Int32 {
  guard let subject = signal(s) else { return fail(invalid(s)) }
  guard subject.route.isSource else { return fail(.wrongKind) }
  guard let failure = failure(error) else { return fail(invalid(error)) }
  return answer(LastFailure.isolating { subject.emit(.failed(failure)) })
}

@_cdecl("belay_subject_completed")
@implementation
public func belay_subject_completed(_ s: OpaquePointer!) -> Int32 {
  answer(
    using(s, CSignal.self, orElse: .missing) { subject in
      LastFailure.isolating { subject.emit(.completed) }
    })
}

@_cdecl("belay_subject_count")
@implementation
public func belay_subject_count(_ s: OpaquePointer!) -> Int {
  signal(s)?.ownSource?.sinkCount ?? 0
}
