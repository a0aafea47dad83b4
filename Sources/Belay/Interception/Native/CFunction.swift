import CBelayClosure

/// A C function that calls a closure, for C code that takes a function without a context.
/// (imp_implementationWithBlock.)
///
/// The function is there while this is. A call that is in it when this goes returns as usual; a
/// later one is undefined, so take the function back first from the code that has it.
public final class CFunction<Result: CResult, each Argument: CType> {
  private let function: @convention(c) () -> Void
  /// Ends the function. An owner that it is added to ends the function when it dies, and waits for
  /// the calls that are in it.
  public let disposable: Disposable

  /// - Parameter body: runs on the thread that calls the function. A string that it returns is
  ///   valid until the next result.
  /// - Throws: `.noMemory` if no function can be made at run time; `.invalid` for types that C does
  ///   not have.
  public init(_ body: @escaping (repeat each Argument) -> Result.Returned) throws(Failure) {
    let shape = try Shape(of: Result.self, "", repeat (each Argument).self)
    let made = try MethodSlot.function(shape) { call in
      let arguments = CInvocation<Result, repeat each Argument>(call).arguments
      return shape.result.foreign(body(repeat each arguments))
    }
    disposable = made.hook
    guard let made = made.function else { throw Failure(.noMemory) }
    function = made
  }

  deinit { disposable.dispose() }

  /// The function as a pointer of its C type: `@convention(c) (Int32) -> Void`. Throws `.invalid`
  /// for a type that is no C function.
  public func pointer<Function>(as type: Function.Type) throws(Failure) -> Function {
    try requireCFunction(type, "the type")
    return unsafeBitCast(function, to: type)
  }
}
