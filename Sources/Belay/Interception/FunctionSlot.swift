import CBelayClosure

/// A slot that is in no table: the program passes its function on. It ends with its one responder.
private final class FunctionSlot: MethodSlot, @unchecked Sendable {
  /// Whether the responder has gone. Only the thread that removes it touches this.
  private var isOver = false

  override func putIn(_ function: belay_closure_function) -> Code { .ok }

  override func takeOut() -> Code {
    isOver = true
    return .ok
  }

  override func writingIsOver() -> Code {
    if !isOver { return .ok }
    isOver = false
    return end()
  }
}

extension MethodSlot {
  /// Makes a function that calls `answer`. It is freed when `hook` has been disposed of and no call
  /// is in it. Throws `.noMemory` if libffi cannot make a function.
  package static func function(
    _ shape: Shape, _ answer: @escaping (Invocation) -> ForeignValue
  ) throws(Failure) -> (function: belay_closure_function?, hook: Disposable) {
    let slot = try FunctionSlot(Method(StaticSite("function"), at: 0, shape))
    let function = slot.function
    return (function, slot.respond(answer).hook)
  }
}
