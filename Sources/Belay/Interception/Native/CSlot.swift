/// A place of a function pointer that is intercepted, with the function's types.
///
/// While somebody listens or intercepts, Belay's function is in it and calls what was there. The
/// order of a call: `sent`; interceptors, the last added first; the original, or what answers in
/// its place; `invoked`. See include/belay/slot.h. Any thread; nothing is called under a lock.
public struct CSlot<Result: CResult, each Argument: CType>: Sendable {
  /// The same for a C caller, where arguments are values.
  package let slot: MethodSlot

  init(_ slot: MethodSlot) { self.slot = slot }

  // MARK: Listening

  /// The arguments before each call. Pointers are as valid as for who is called.
  ///
  /// A subscriber is called at its home, if that is a loop, else on the thread that makes the
  /// call. Completes with the slot. Fails with `.readOnly` for a table in read-only memory, with
  /// `.mismatch` when somebody else has written there. Of an object's method that ends it, it is
  /// the owner's `deallocating`, with zeroes, and `invoked` its `deallocated`.
  public var sent: Signal<(repeat each Argument)> {
    let shape = slot.method.shape
    return TypedSlotSignal(slot.sent) { Self.arguments(of: $0, shape) }
  }

  /// The arguments and the result after each call; as `sent`.
  public var invoked: Signal<(arguments: (repeat each Argument), result: Result.Returned)> {
    let shape = slot.method.shape
    return TypedSlotSignal(slot.invoked) { values in
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
      return shape.argument(shape.place(index) ?? index).typed(value, as: type)
    }
    return (repeat next((each Argument).self))
  }

  // MARK: Asking

  /// `.ok`; `.mismatch` when somebody else has written over Belay's function; `.dead` when the slot
  /// is gone.
  public var status: Code { slot.status }

  /// What is in the slot but for Belay: the original.
  public var original: (@convention(c) () -> Void)? { slot.originalFunction }
}
