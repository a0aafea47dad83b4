#if BELAY_INTERCEPTION
  import CBelayClosure

  /// A handler that is called with a method's own arguments.
  final class Connection {
    private let shape: Shape
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
      self.function = function
      self.context = context
      self.holder = holder
    }

    func call(_ invocation: Invocation) {
      let result = UnsafeMutableRawPointer.allocate(byteCount: shape.resultSize, alignment: 16)
      var place = context
      withUnsafeMutableBytes(of: &place) { place in
        let given = invocation.method.shape
        // Where the method has no context, all of its arguments follow the handler's.
        let skipped = given.context == nil ? 1 : 0
        var arguments: [UnsafeMutableRawPointer?] = []
        arguments.reserveCapacity(shape.count)
        for index in 0..<shape.count {
          arguments.append(
            index == shape.context ? place.baseAddress : invocation.arguments[index - skipped])
        }
        arguments.withUnsafeMutableBufferPointer {
          if let arguments = $0.baseAddress {
            belay_shape_call(shape.pointer, function, result, arguments)
          }
        }
      }
      result.deallocate()
    }
  }
#endif
