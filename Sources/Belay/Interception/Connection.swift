import CBelayClosure

/// A C function that is called with a method's own arguments.
final class Connection {
  private let shape: Shape
  private let method: Method
  private let function: belay_closure_function
  private let context: UnsafeMutableRawPointer?
  private let holder: AnyObject

  /// The handler's shape must be the method's; if the method has no context, the handler's may have
  /// one in front. The caller checks that, because a failing initializer of a class leaks in
  /// Embedded Swift.
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
