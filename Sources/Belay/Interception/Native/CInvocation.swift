/// A call of a method, with its types, as an object: what an interceptor gets, or a call that is
/// made by hand. It belongs to one thread at a time, and may be kept.
public struct CInvocation<Result: CResult, each Argument: CType> {
  package let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  private var shape: Shape { invocation.method.shape }

  /// The method's name.
  public var method: String { invocation.method.name.text }

  /// The object that the method is called for; nil if there is none.
  public var context: UnsafeMutableRawPointer? { invocation.context }

  /// Changes the object for the functions that are called from now on.
  ///
  /// - Returns: `.ok`; `.notFound` when the method has no such parameter.
  @discardableResult
  public func setContext(_ context: UnsafeMutableRawPointer?) -> Code {
    invocation.setContext(context)
  }

  /// The present arguments.
  public var arguments: (repeat each Argument) {
    var index = 0
    func next<Thing>(_ type: Thing.Type) -> Thing {
      defer { index += 1 }
      return memory(index).load(as: type)
    }
    return (repeat next((each Argument).self))
  }

  /// Changes the arguments for the functions that are called from now on. C strings are copied.
  public func set(_ arguments: repeat each Argument) {
    var index = 0
    for argument in repeat each arguments {
      let part = shape.argument(shape.position(index) ?? index)
      if !part.holds(argument, at: memory(index)) {
        _ = invocation.setArgument(index, part.foreign(argument))
      }
      index += 1
    }
  }

  /// Copies the C strings among the arguments. Otherwise they are valid only as long as their owner
  /// keeps them. (retainArguments.)
  public func retainArguments() { invocation.retainArguments() }

  /// The present result; zero before there is one.
  public var result: Result.Returned { invocation.result.load(as: Result.Returned.self) }

  /// Continues the call: with the next interceptor, or with the method itself. It may be called
  /// several times.
  ///
  /// - Returns: the result; after the end of the call, the result that it had.
  @discardableResult
  public func proceed() -> Result.Returned {
    _ = invocation.proceed()
    return result
  }

  /// Calls a function of the method's type, with the arguments.
  ///
  /// - Parameter function: has the method's own type.
  @discardableResult
  public func call(_ function: @convention(c) () -> Void) -> Result.Returned {
    invocation.call(function)
    return result
  }

  func answer(_ result: Result.Returned) {
    if shape.isVoid || shape.result.holds(result, at: invocation.result) { return }
    _ = invocation.setResult(shape.result.foreign(result))
  }

  private func memory(_ index: Int) -> UnsafeMutableRawPointer {
    // There are as many arguments as the type says.
    invocation.arguments[shape.position(index) ?? index].unsafelyUnwrapped
  }
}
