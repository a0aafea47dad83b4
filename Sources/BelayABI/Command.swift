@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay

private typealias CCommand = Command<ForeignValue, ForeignValue>

private func command(_ handle: OpaquePointer?) -> CCommand? { object(handle, CCommand.self) }

@_cdecl("belay_command_create")
@implementation
public func belay_command_create(
  _ enabled: OpaquePointer!, _ execute: belay_command_fn!, _ ctx: UnsafeMutableRawPointer!,
  _ ctx_free: belay_free_fn!
) -> OpaquePointer! {
  let context = Context(ctx, ctx_free)
  let enabled = take(enabled, CSignal.self)
  guard let execute else { return failed(.invalid) }
  let booleans = enabled?.map { (value: ForeignValue) throws(Failure) -> ForeignValue in
    if case .refused(let code) = value.bool() { throw Failure(code) }
    return value
  }
  return give(
    LastFailure.isolating {
      CCommand(enabled: booleans) { (input: ForeignValue) throws(Failure) -> CSignal in
        defer { extendLifetime(context) }
        return try produced(CSignal.self) { execute(ctx, exported(input)) }
      }
    })
}

@_cdecl("belay_command_retain")
@implementation
public func belay_command_retain(_ c: OpaquePointer!) -> OpaquePointer! { retain(c) }

@_cdecl("belay_command_release")
@implementation
public func belay_command_release(_ c: OpaquePointer!) { release(c) }

@_cdecl("belay_command_execute")
@implementation
public func belay_command_execute(_ c: OpaquePointer!, _ input: belay_value) -> OpaquePointer! {
  let input = BelayABI.foreign(input)
  defer { discard(input) }
  guard let command = command(c) else { return failed(invalid(c)) }
  do throws(Failure) {
    return give(
      try isolated { () throws(Failure) -> CSignal in try command.execute(input) })
  } catch {
    fail(error)
    return nil
  }
}

@_cdecl("belay_command_executing")
@implementation
public func belay_command_executing(_ c: OpaquePointer!) -> OpaquePointer! {
  command(c).map { give($0.executing) } ?? failed(.missing)
}

@_cdecl("belay_command_enabled")
@implementation
public func belay_command_enabled(_ c: OpaquePointer!) -> OpaquePointer! {
  command(c).map { give($0.enabled) } ?? failed(.missing)
}

@_cdecl("belay_command_values")
@implementation
public func belay_command_values(_ c: OpaquePointer!) -> OpaquePointer! {
  command(c).map { give($0.values) } ?? failed(.missing)
}

@_cdecl("belay_command_errors")
@implementation
public func belay_command_errors(_ c: OpaquePointer!) -> OpaquePointer! {
  command(c).map { give($0.errors) } ?? failed(.missing)
}
