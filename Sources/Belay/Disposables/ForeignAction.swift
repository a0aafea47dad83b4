/// An action of C's that a container holds by itself, without an object: nobody else can dispose of
/// it, so it cannot end by itself.
package struct ForeignAction {
  private let action: ForeignFree?
  private let ctx: UnsafeMutableRawPointer?
  private let ctxFree: ForeignFree?

  package init(_ action: ForeignFree?, _ ctx: UnsafeMutableRawPointer?, _ ctxFree: ForeignFree?) {
    self.action = action
    self.ctx = ctx
    self.ctxFree = ctxFree
  }

  /// Runs it, then frees its context.
  @inline(__always)
  package func run() {
    if let action { LastFailure.isolating { action(ctx) } }
    free()
  }

  /// Frees its context, and does not run it.
  @inline(__always)
  package func free() { if let ctxFree { Self.free(ctx, ctxFree) } }

  @inline(never)
  private static func free(_ ctx: UnsafeMutableRawPointer?, _ function: ForeignFree) {
    LastFailure.isolating { function(ctx) }
  }
}
