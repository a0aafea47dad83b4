/// An action that C has bound. A container holds it in place, without an object: it has no handle,
/// so only the container can end it.
package struct ForeignAction {
  private let action: ForeignFree?
  private let ctx: UnsafeMutableRawPointer?
  private let ctxFree: ForeignFree?

  package init(_ action: ForeignFree?, _ ctx: UnsafeMutableRawPointer?, _ ctxFree: ForeignFree?) {
    self.action = action
    self.ctx = ctx
    self.ctxFree = ctxFree
  }

  /// Runs the action, then frees its context.
  @inline(__always)
  package func run() {
    if let action { LastFailure.isolating { action(ctx) } }
    free()
  }

  /// Frees the context without running the action.
  @inline(__always)
  package func free() { if let ctxFree { Self.free(ctx, ctxFree) } }

  @inline(never)
  private static func free(_ ctx: UnsafeMutableRawPointer?, _ function: ForeignFree) {
    LastFailure.isolating { function(ctx) }
  }
}
