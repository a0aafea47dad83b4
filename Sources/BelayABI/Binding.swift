import Belay
import CBelay

@_cdecl("belay_signal_bind")
@implementation
public func belay_signal_bind(
  _ s: OpaquePointer!, _ subject: OpaquePointer!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  disposable?.pointee = nil
  guard let source = signal(s), let target = signal(subject) else {
    return fail(invalid(s, subject))
  }
  guard let target = target as? Subject<ForeignValue> else { return fail(.wrongKind) }
  let (code, binding) = LastFailure.isolating { source.bound(to: target) }
  if !code.isFailure { disposable?.pointee = give(binding) }
  return answer(code)
}

@_cdecl("belay_signal_bind_variable")
@implementation
public func belay_signal_bind_variable(
  _ s: OpaquePointer!, _ kind: belay_kind, _ address: UnsafeMutableRawPointer!,
  _ owner: OpaquePointer!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  disposable?.pointee = nil
  guard let signal = signal(s), let address, let kind = ValueKind(rawValue: UInt32(kind.rawValue))
  else { return fail(invalid(s)) }
  let variable = ForeignVariable(kind, at: address)
  var observer = belay_observer()
  observer.size = MemoryLayout<belay_observer>.size
  return subscribe(
    to: signal.attempt("bind_variable") { (value: ForeignValue) throws(Failure) in
      try variable.store(value)
    }, object(owner, OwnerRecord.self), &observer, disposable)
}

@_cdecl("belay_signal_bind_property")
@implementation
public func belay_signal_bind_property(
  _ s: OpaquePointer!, _ property: OpaquePointer!, _ owner: OpaquePointer!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  disposable?.pointee = nil
  guard let signal = signal(s), let property = object(property, Property<ForeignValue>.self) else {
    return fail(invalid(s, property))
  }
  let owner = object(owner, OwnerRecord.self)
  let (code, binding) = LastFailure.isolating { signal.bound(to: property, owner) }
  if !code.isFailure { disposable?.pointee = give(binding) }
  return answer(code)
}
