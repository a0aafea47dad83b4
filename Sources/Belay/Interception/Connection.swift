import CBelayClosure

/// A handler that is called with a method's own arguments.
final class Connection {
  private let shape: Shape
  private let method: Method
  private let function: belay_closure_function
  private let context: UnsafeMutableRawPointer?
  private let holder: AnyObject

  /// The handler's shape has to be the method's, with a context first if that has none.
  /// (Whoever makes it checks: a failing initialiser of a class leaks in Embedded Swift.)
  init(
    _ shape: Shape, to method: Method, _ function: belay_closure_function,
    _ context: UnsafeMutableRawPointer?, _ holder: AnyObject
  ) {
    self.shape = shape
    self.method = method
    self.function = function
    self.context = context
    self.holder = holder
  }

  func call(_ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
    LastFailure.isolating {
      belay_shape_tell(
        shape.pointer, function, context, method.shape.pointer, arguments)
    }
  }
}
