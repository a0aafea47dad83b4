/// A word of memory that holds a function pointer and is intercepted, with the function's types.
///
/// While there are subscribers or interceptors, Belay's function is in the word, and calls the one
/// that was there. The order of a call: `sent`; interceptors, the last added first; the original,
/// or the responders in its stead; `invoked`. See include/belay/slot.h. Any thread may use it; no
/// lock is held during calls.
public struct CSlot<Result: CResult, each Argument: CType>: Sendable {
  /// The slot for C, whose arguments are foreign values.
  package let slot: MethodSlot

  init(_ slot: MethodSlot) { self.slot = slot }

  // MARK: Signals

  /// Sends the arguments before each call. Pointers are valid as long as they are for the function
  /// that is called.
  ///
  /// A subscriber is called at its home if that is a loop, or else on the thread that makes the
  /// call. The signal completes with the slot. It fails with `.readOnly` for a table in read-only
  /// memory, and with `.mismatch` if other code has written there. For a method that ends its
  /// object, in an object's slot, it is the owner's `deallocating`, with zeroes, and `invoked` is
  /// its `deallocated`.
  public var sent: Signal<(repeat each Argument)> {
    let shape = slot.method.shape
    return TypedSlotSignal(slot.sent) { Self.arguments(of: $0.items, shape) }
  }

  /// The same with the object that was called, which may have gone when a loop gets its call.
  public var sentToObjects:
    Signal<(object: UnsafeMutableRawPointer?, arguments: (repeat each Argument))>
  {
    let shape = slot.method.shape
    return TypedSlotSignal(slot.sent) { call in
      (object: call.object, arguments: Self.arguments(of: call.items, shape))
    }
  }

  /// Sends the arguments and the result after each call; otherwise like `sent`.
  public var invoked: Signal<(arguments: (repeat each Argument), result: Result.Returned)> {
    let shape = slot.method.shape
    return TypedSlotSignal(slot.invoked) { call in
      let values = call.items
      let result = values.count > shape.argumentCount ? values[values.count - 1] : .null
      return (
        arguments: Self.arguments(of: values, shape),
        result: shape.result.typed(result, as: Result.Returned.self)
      )
    }
  }

  private static func arguments(
    of values: [ForeignValue], _ shape: Shape
  ) -> (repeat each Argument) {
    var index = 0
    func next<Thing>(_ type: Thing.Type) -> Thing {
      defer { index += 1 }
      let value = index < values.count ? values[index] : .null
      return shape.argument(shape.position(index) ?? index).typed(value, as: type)
    }
    return (repeat next((each Argument).self))
  }

  // MARK: State

  /// `.ok`; `.mismatch` if other code has written over Belay's function; `.dead` if the slot has
  /// gone.
  public var status: Code { slot.status }

  /// The function that would be in the word without Belay.
  public var original: (@convention(c) () -> Void)? { slot.originalFunction }
}
