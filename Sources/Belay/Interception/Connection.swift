#if BELAY_INTERCEPTION
  import CBelayClosure

  /// A handler that is called with a method's own arguments.
  final class Connection {
    private let shape: Shape
    private let method: Method
    private let function: belay_closure_function
    private let context: UnsafeMutableRawPointer?
    private let holder: AnyObject

    /// Nil when the handler's shape is another: the method's, with a context first if that has
    /// none.
    init?(
      _ shape: Shape, to method: Method, _ function: belay_closure_function,
      _ context: UnsafeMutableRawPointer?, _ holder: AnyObject
    ) {
      guard belay_shape_accepts(shape.pointer, method.shape.pointer) else { return nil }
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
#endif
