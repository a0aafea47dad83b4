extension CSlot {
  /// Calls `body` instead of the method, on the calling thread. It can read the arguments, proceed
  /// with others, or not proceed (a veto). Its result is the call's.
  ///
  /// - Returns: a disposable that ends it; several may end in any order. It goes on when the result
  ///   is dropped.
  /// - Throws: `.dead` for a slot that has gone; `.readOnly` and `.mismatch` as for `sent`.
  @discardableResult
  public func around(
    _ body: @escaping (CInvocation<Result, repeat each Argument>) -> Result.Returned
  ) throws(Failure) -> Disposable {
    try checked(
      slot.around { invocation in
        let call = CInvocation<Result, repeat each Argument>(invocation)
        call.answer(body(call))
      })
  }

  /// Answers calls if there is no original, or in addition to it.
  ///
  /// - Returns: a disposable that ends it.
  /// - Throws: like `around`.
  @discardableResult
  public func respond(
    _ body: @escaping (CInvocation<Result, repeat each Argument>) -> Result.Returned
  ) throws(Failure) -> Disposable {
    let result = slot.method.shape.result
    return try checked(
      slot.respond { result.foreign(body(CInvocation<Result, repeat each Argument>($0))) })
  }

  /// Sets the result of calls that neither an original nor a responder answers.
  public func setDefault(_ result: Result.Returned) {
    _ = slot.setDefault(slot.method.shape.result.foreign(result))
  }

  /// Makes one result of several: the original's, if there is one, then the responders' in the
  /// order of adding. Nil: the first result is taken.
  public func combine(_ choose: (([Result.Returned]) -> Result.Returned)?) {
    let result = slot.method.shape.result
    slot.combiner = choose.map { choose in
      { answers in
        result.foreign(choose(answers.map { result.typed($0, as: Result.Returned.self) }))
      }
    }
  }

  /// Calls a C function with the method's own arguments before each call. `context` replaces the
  /// object, or comes first; then the object, if there is one, follows as a raw pointer. The
  /// function's result is ignored.
  ///
  /// - Parameters:
  ///   - handler: a C function.
  ///   - context: passed to the handler as it is.
  ///   - type: a closure that returns the function, so that the compiler finds its types. It is
  ///     never called.
  /// - Returns: a disposable that ends it.
  /// - Throws: `.wrongKind`, with both shapes, for a handler of another shape; otherwise like
  ///   `around`.
  @discardableResult
  public func connect<Function, Context: CPointer, Answer: CType, each Taken: CType>(
    _ handler: Function, context: UnsafeMutableRawPointer? = nil,
    _ type: (Function) -> ((Context?, repeat each Taken) -> Answer)
  ) throws(Failure) -> Disposable {
    try connect(handler, context, Shape(of: Answer.self, "@", repeat (each Taken).self))
  }

  /// The same for a handler that returns nothing.
  @discardableResult
  public func connect<Function, Context: CPointer, each Taken: CType>(
    _ handler: Function, context: UnsafeMutableRawPointer? = nil,
    _ type: (Function) -> ((Context?, repeat each Taken) -> Void)
  ) throws(Failure) -> Disposable {
    try connect(handler, context, Shape(of: NoResult.self, "@", repeat (each Taken).self))
  }

  private func connect<Function>(
    _ handler: Function, _ context: UnsafeMutableRawPointer?, _ shape: Shape
  ) throws(Failure) -> Disposable {
    try requireCFunction(Function.self, "the handler")
    let function = withUnsafeBytes(of: handler) {
      $0.loadUnaligned(as: (@convention(c) () -> Void).self)
    }
    return try checked(slot.connect(shape, function, context: context, holding: shape))
  }

  private func checked(_ made: (code: Code, hook: Disposable)) throws(Failure) -> Disposable {
    if made.code.isFailure { throw Failure(made.code) }
    return made.hook
  }
}
