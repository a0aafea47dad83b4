@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

private typealias CConnectable = ConnectableSignal<ForeignValue>
private typealias AnySubject = Subject<ForeignValue>

@_cdecl("belay_signal_publish")
@implementation
public func belay_signal_publish(_ source: OpaquePointer!) -> OpaquePointer! {
  guard let signal = take(source, CSignal.self) else { return failed(.missing) }
  return give(signal.publish())
}

@_cdecl("belay_signal_replay")
@implementation
public func belay_signal_replay(
  _ source: OpaquePointer!, _ scheduler: OpaquePointer!, _ seconds: Double, _ count: Int
) -> OpaquePointer! {
  guard let source = take(source, CSignal.self) else { return failed(.missing) }
  guard let limits = replayLimits(scheduler, seconds, count) else { return failed(.invalid) }
  return give(source.replay(limits))
}

@_cdecl("belay_signal_multicast")
@implementation
public func belay_signal_multicast(_ source: OpaquePointer!, _ subject: OpaquePointer!)
  -> OpaquePointer!
{
  let source = take(source, CSignal.self)
  let subject = take(subject, CSignal.self)
  guard let source, let subject else { return failed(.missing) }
  guard let subject = subject as? AnySubject else { return failed(.wrongKind) }
  return give(source.multicast(subject))
}

@_cdecl("belay_signal_connect")
@implementation
public func belay_signal_connect(
  _ s: OpaquePointer!, _ connection: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  connection?.pointee = nil
  guard let signal = signal(s) else { return fail(invalid(s)) }
  guard let connectable = signal as? CConnectable else { return fail(.wrongKind) }
  let (code, made) = LastFailure.isolating { connectable.connection() }
  if !code.isFailure { connection?.pointee = give(made) }
  return answer(code)
}

@_cdecl("belay_op_ref_count")
@implementation
public func belay_op_ref_count() -> OpaquePointer! {
  operation(.refCount)
}

@_cdecl("belay_op_auto_connect")
@implementation
public func belay_op_auto_connect(_ count: Int) -> OpaquePointer! {
  operation(.autoConnect, limit: count)
}

private func shareRules(_ bits: UInt32) -> ShareRules? {
  bits <= 7 ? ShareRules(rawValue: bits) : nil
}

@_cdecl("belay_op_share")
@implementation
public func belay_op_share(_ rules: UInt32) -> OpaquePointer! {
  guard let rules = shareRules(rules) else { return failed(.invalid) }
  return operation(.share, Int(rules.rawValue))
}

@_cdecl("belay_op_share_replay")
@implementation
public func belay_op_share_replay(
  _ scheduler: OpaquePointer!, _ seconds: Double, _ count: Int, _ rules: UInt32
) -> OpaquePointer! {
  guard let rules = shareRules(rules), let limits = replayLimits(scheduler, seconds, count) else {
    return failed(.invalid)
  }
  return operation { $0.shareReplay(limits, rules) }
}

@_cdecl("belay_op_share_until")
@implementation
public func belay_op_share_until(
  _ replayed: Int, _ error: OpaquePointer!, _ completed: OpaquePointer!, _ unused: OpaquePointer!
) -> OpaquePointer! {
  var resets = ShareResets()
  if let signal = take(error, CSignal.self) { resets = resets.error(signal) }
  if let signal = take(completed, CSignal.self) { resets = resets.completion(signal) }
  if let signal = take(unused, CSignal.self) { resets = resets.unused(signal) }
  return operation { $0.share(replaying: replayed < 0 ? .max : replayed, until: resets) }
}

private func wait(
  _ s: OpaquePointer?, for awaited: Awaited, _ loop: OpaquePointer?, _ limit: Double,
  _ value: UnsafeMutablePointer<belay_value>?
) -> Int32 {
  value?.pointee = exported(.null)
  guard let signal = signal(s), let loop = object(loop, Loop.self),
    let timeout = nanoseconds(limit)
  else { return fail(invalid(s, loop)) }
  do throws(Failure) {
    let waited = try isolated { () throws(Failure) -> ForeignValue? in
      try signal.wait(for: awaited, on: loop, timeout < 0 ? nil : timeout)
    }
    guard let got = waited else { return fail(.ended, "completed without a value") }
    if let value { value.pointee = exported(got) } else { discard(got) }
    return 0
  } catch {
    return fail(error)
  }
}

@_cdecl("belay_signal_wait_first")
@implementation
public func belay_signal_wait_first(
  _ s: OpaquePointer!, _ loop: OpaquePointer!, _ seconds: Double,
  _ value: UnsafeMutablePointer<belay_value>!
) -> Int32 {
  wait(s, for: .first, loop, seconds, value)
}

@_cdecl("belay_signal_wait_last")
@implementation
public func belay_signal_wait_last(
  _ s: OpaquePointer!, _ loop: OpaquePointer!, _ seconds: Double,
  _ value: UnsafeMutablePointer<belay_value>!
) -> Int32 {
  wait(s, for: .last, loop, seconds, value)
}
