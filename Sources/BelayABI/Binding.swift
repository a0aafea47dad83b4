import Belay
import CBelay

private typealias Out = UnsafeMutablePointer<OpaquePointer?>

@inline(never)
private func bind(
  _ s: OpaquePointer?, _ kind: belay_kind, _ address: UnsafeMutableRawPointer?,
  _ owner: OwnerRecord?, _ disposable: Out?
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
    }, owner, &observer, disposable)
}

private func bind(
  _ s: OpaquePointer?, _ property: OpaquePointer?, _ owner: OwnerRecord?, _ disposable: Out?
) -> Int32 {
  disposable?.pointee = nil
  guard let signal = signal(s), let property = object(property, Property<ForeignValue>.self) else {
    return fail(invalid(s, property))
  }
  let (code, binding) = LastFailure.isolating { signal.bound(to: property, owner) }
  if !code.isFailure { disposable?.pointee = give(binding) }
  return answer(code)
}

private func refused(_ disposable: Out?) -> Int32 {
  disposable?.pointee = nil
  return fail(.missing)
}

@_cdecl("belay_signal_bind_variable")
@implementation
public func belay_signal_bind_variable(
  _ s: OpaquePointer!, _ kind: belay_kind, _ address: UnsafeMutableRawPointer!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  bind(s, kind, address, nil, disposable)
}

@_cdecl("belay_signal_bind_variable_owned")
@implementation
public func belay_signal_bind_variable_owned(
  _ s: OpaquePointer!, _ kind: belay_kind, _ address: UnsafeMutableRawPointer!,
  _ owner: OpaquePointer!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  guard let owner = object(owner, OwnerRecord.self) else { return refused(disposable) }
  return bind(s, kind, address, owner, disposable)
}

@_cdecl("belay_signal_bind_property")
@implementation
public func belay_signal_bind_property(
  _ s: OpaquePointer!, _ property: OpaquePointer!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  bind(s, property, nil, disposable)
}

@_cdecl("belay_signal_bind_property_owned")
@implementation
public func belay_signal_bind_property_owned(
  _ s: OpaquePointer!, _ property: OpaquePointer!, _ owner: OpaquePointer!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  guard let owner = object(owner, OwnerRecord.self) else { return refused(disposable) }
  return bind(s, property, owner, disposable)
}
