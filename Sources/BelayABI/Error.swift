@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay
import CBelayShim
import CLibuv

func failure(_ handle: OpaquePointer?) -> Failure? { object(handle, Failure.self) }

@_cdecl("belay_error_name")
@implementation
public func belay_error_name(_ code: Int32) -> UnsafePointer<CChar>! {
  let code = Code(rawValue: code)
  if let known = code.staticName { return StaticSite(known).pointer }
  return (code.libuvText(uv_err_name) ?? StaticSite("UNKNOWN")).pointer
}

@_cdecl("belay_error_text")
@implementation
public func belay_error_text(_ code: Int32) -> UnsafePointer<CChar>! {
  let code = Code(rawValue: code)
  if let known = code.staticText { return StaticSite(known).pointer }
  return (code.libuvText(uv_strerror) ?? StaticSite("unknown error")).pointer
}

/// `code` if an error can have it, else `.invalid`.
func errorCode(_ code: Int32) -> Code { code < 0 ? Code(rawValue: code) : .invalid }

/// A failure as C describes it. Without a domain it is Belay's, without a message it has its code's.
func described(
  _ code: Int32, _ domain: UnsafePointer<CChar>?, _ message: UnsafePointer<CChar>?,
  cause: Failure?, taking value: ForeignValue
) -> Failure {
  let code = errorCode(code)
  return Failure(
    code, domain: domain.map { Text(cString: $0) } ?? "belay",
    message: Text(cString: message ?? belay_error_text(code.rawValue)), cause: cause, taking: value)
}

@_cdecl("belay_error_create")
@implementation
public func belay_error_create(
  _ code: Int32, _ domain: UnsafePointer<CChar>!, _ message: UnsafePointer<CChar>!,
  _ value: belay_value, _ cause: OpaquePointer!
) -> OpaquePointer! {
  give(described(code, domain, message, cause: failure(cause), taking: foreign(value)))
}

@_cdecl("belay_error_retain")
@implementation
public func belay_error_retain(_ error: OpaquePointer!) -> OpaquePointer! { retain(error) }

@_cdecl("belay_error_release")
@implementation
public func belay_error_release(_ error: OpaquePointer!) { release(error) }

@_cdecl("belay_error_code")
@implementation
public func belay_error_code(_ error: OpaquePointer!) -> Int32 {
  failure(error)?.code.rawValue ?? 0
}

@_cdecl("belay_error_domain")
@implementation
public func belay_error_domain(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  failure(error)?.domainCString ?? StaticSite("").pointer
}

@_cdecl("belay_error_message")
@implementation
public func belay_error_message(_ error: OpaquePointer!) -> UnsafePointer<CChar>! {
  guard let failure = failure(error) else { return StaticSite("").pointer }
  // The core does not know the texts of the system's codes.
  return failure.isPlain ? belay_error_text(failure.code.rawValue) : failure.messageCString
}

@_cdecl("belay_error_payload")
@implementation
public func belay_error_payload(_ error: OpaquePointer!) -> belay_value {
  exported(failure(error)?.value ?? .null)
}

@_cdecl("belay_error_cause")
@implementation
public func belay_error_cause(_ error: OpaquePointer!) -> OpaquePointer! {
  lend(failure(error)?.cause)
}

@_cdecl("belay_last_error")
@implementation
public func belay_last_error() -> OpaquePointer! { lend(LastFailure.takeKept()) }

@_cdecl("belay_fail")
@implementation
public func belay_fail(_ code: Int32, _ message: UnsafePointer<CChar>!) -> Int32 {
  LastFailure.replaceDeliberately(
    Failure(errorCode(code), message: message.map { Text(cString: $0) }))
  return errorCode(code).rawValue
}

@_cdecl("belay_fail_with")
@implementation
public func belay_fail_with(_ error: OpaquePointer!) -> Int32 {
  let failure = failure(error) ?? Failure(.invalid)
  LastFailure.replaceDeliberately(failure)
  return failure.code.rawValue
}

/// The core's hook that calls one of the host's; nil for NULL.
func unhandledHook(
  _ hook: belay_unhandled_fn?, _ ctx: UnsafeMutableRawPointer?, _ ctxFree: FreeFunction?
) -> UnhandledErrorHook? {
  let context = Context(ctx, ctxFree)
  guard let hook else { return nil }
  return UnhandledErrorHook { failure, signal, site in
    signal.withCString { name in
      LastFailure.isolating { hook(context.pointer, lend(failure), name, site?.pointer) }
    }
  }
}

@_cdecl("belay_on_unhandled_error")
@implementation
public func belay_on_unhandled_error(
  _ hook: belay_unhandled_fn!, _ ctx: UnsafeMutableRawPointer!, _ ctx_free: belay_free_fn!
) -> Int32 {
  UnhandledErrorHook.install(unhandledHook(hook, ctx, ctx_free))
  return 0
}
