/// A call of a method, with its types, as a thing: what an interceptor is given, or one that is
/// made to be called. Belongs to one thread at a time; may be kept.
public struct CInvocation<Result: CResult, each Argument: CType> {
  package let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  private var shape: Shape { invocation.method.shape }

  /// The method's name.
  public var method: String { invocation.method.name.text }

  /// The object that the method is called for; nil when nothing carries it.
  public var context: UnsafeMutableRawPointer? { invocation.context }

  /// The arguments as they are now.
  public var arguments: (repeat each Argument) {
    var index = 0
    func next<Thing>(_ type: Thing.Type) -> Thing {
      defer { index += 1 }
      return place(index).load(as: type)
    }
    return (repeat next((each Argument).self))
  }

  /// Changes the arguments, for who is called from now on. C strings are copied.
  public func set(_ arguments: repeat each Argument) {
    var index = 0
    for argument in repeat each arguments {
      let part = shape.argument(shape.place(index) ?? index)
      if !part.holds(argument, at: place(index)) {
        _ = invocation.setArgument(index, part.foreign(argument))
      }
      index += 1
    }
  }

  /// Copies the C strings among the arguments, which else are as valid as their owner keeps them.
  /// (retainArguments.)
  public func retainArguments() { invocation.retainArguments() }

  /// What the call has answered so far; zero before.
  public var result: Result.Returned { invocation.result.load(as: Result.Returned.self) }

  /// Goes on with the call: to the next interceptor, or to the method itself. As often as one
  /// likes.
  ///
  /// - Returns: the answer; what it was, when the call is over.
  @discardableResult
  public func proceed() -> Result.Returned {
    _ = invocation.proceed()
    return result
  }

  /// Calls a function of the method's, with the arguments.
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

  private func place(_ index: Int) -> UnsafeMutableRawPointer {
    // There are as many as the type has.
    invocation.arguments[shape.place(index) ?? index].unsafelyUnwrapped
  }
}
