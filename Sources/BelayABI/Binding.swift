@_spi(Engine) import Belay
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

/// Binds by `bind`. Gives the caller a reference to the binding, and answers the call's code.
private func bound(
  _ disposable: UnsafeMutablePointer<OpaquePointer?>?,
  _ bind: () -> (code: Code, disposable: Disposable)
) -> Int32 {
  explained {
    let (code, made) = bind()
    if !code.isFailure { disposable?.pointee = give(made) }
    return code
  }
}

// MARK: A signal

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
  return bound(disposable) { source.bound(to: target) }
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
  return subscribeHere(
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
  guard let signal = signal(s), let property = object(property, CProperty.self) else {
    return fail(invalid(s, property))
  }
  let owner = object(owner, OwnerRecord.self)
  return bound(disposable) { signal.bound(to: property, owner) }
}

// MARK: A field of an object

@_cdecl("belay_signal_bind_object")
@implementation
public func belay_signal_bind_object(
  _ s: OpaquePointer!, _ o: OpaquePointer!, _ path: UnsafePointer<CChar>!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  disposable?.pointee = nil
  guard let signal = object(s, CSignal.self), let place = place(o, path) else {
    return fail(invalid(s, o))
  }
  return bound(disposable) { Bindable(place.owner, place.path).follow(signal) }
}

// MARK: Fields and properties that follow each other

@inline(never)
private func bindable(_ given: UnsafePointer<belay_bindable>?, _ context: Context) -> Bindable? {
  guard let given = known(given) else { return nil }
  var made: Bindable?
  if let property = property(given.property) {
    if given.object == nil { made = Bindable(property) }
  } else if let place = place(given.object, given.path) {
    made = Bindable(place.owner, place.path)
  }
  if let convert = given.convert {
    made?.convert = { (given: ForeignValue) throws(Failure) -> ForeignValue in
      try value { convert(context.pointer, exported(given)) }
    }
  }
  return made
}

@inline(never)
private func handle(_ given: UnsafePointer<belay_bindable>?) -> OpaquePointer? {
  known(given).flatMap { $0.property ?? $0.object }
}

@_cdecl("belay_bind")
@implementation
public func belay_bind(
  _ binding: UnsafePointer<belay_binding>!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  disposable?.pointee = nil
  guard let given = known(binding) else { return fail(.invalid) }
  let context = Context(given.ctx, given.ctx_free)
  guard let from = bindable(given.from, context), let to = bindable(given.to, context) else {
    return fail(invalid(handle(given.from), handle(given.to)))
  }
  let (isBothWays, callsFree) = (given.both_ways != 0, given.ctx_free != nil)
  return bound(disposable) {
    from.bind(to: to, bothWays: isBothWays, holding: context, callsFree: callsFree)
  }
}

@_cdecl("belay_property_channel")
@implementation
public func belay_property_channel(
  _ a: OpaquePointer!, _ b: OpaquePointer!, _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  disposable?.pointee = nil
  guard let a = property(a), let b = property(b), a !== b else { return fail(invalid(a, b)) }
  guard let made = LastFailure.isolating({ a.channel(with: b) }) else { return fail(.wrongThread) }
  disposable?.pointee = give(made)
  return 0
}
