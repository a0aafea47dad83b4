import CBelayClosure
import CBelayShim

/// A place of a function pointer that can be intercepted. While somebody wants it, the slot's own
/// function is in it, which calls what was there.
///
/// Where the place is, a subclass knows: in a table, in an object's copy of one, in a proxy's.
open class MethodSlot: Entity, @unchecked Sendable {
  package final let method: Method
  private final let lock = Lock()
  /// Our function; kept until the slot is gone, for a thread may be about to call it. Then nil,
  /// under the lock.
  private final var closure: OpaquePointer?
  private final let sources: (sent: Emitter<ForeignValue>, invoked: Emitter<ForeignValue>)

  // Under the lock.
  private final var original: belay_closure_function?
  private final var hooks: [SlotHook] = []
  private final var listeners = (sent: 0, invoked: 0)
  private final var fallback = ForeignValue.null
  private final var combining: (([ForeignValue]) -> ForeignValue)?
  /// What the caller of the last call has a pointer into.
  private final var lastAnswer = ForeignValue.null
  private final var isGone = false
  private final var isPlaced = false

  /// Throws `.noMemory` where libffi may not make a function.
  init(_ method: Method) throws(Failure) {
    self.method = method
    sources = (Self.source(), Self.source())
    super.init()
    // Released with the closure, which outlives `end` while calls are in it.
    let context = Unmanaged.passRetained(self as Entity).toOpaque()
    closure = belay_closure_create(
      method.shape.pointer,
      { context, result, arguments in
        guard let context, let result, let arguments else { return }
        Unmanaged<MethodSlot>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.called(result, arguments)
        }
      },
      context, { context in Unmanaged<Entity>.fromOpaque(context.unsafelyUnwrapped).drop() })
    if closure == nil {
      isGone = true
      Unmanaged<Entity>.fromOpaque(context).drop()
      throw Failure(.noMemory, message: "no function can be made at run time here")
    }
  }

  deinit {
    discard(fallback)
    discard(lastAnswer)
  }

  /// Shared, for any thread may call; a subscriber with a loop is called there.
  private static func source() -> Emitter<ForeignValue> {
    var options = SourceOptions()
    options.isShared = true
    return Emitter(options, room: 1)
  }

  // MARK: For subclasses

  /// Puts `function` into the place, and tells what was there; the slot's lock is not held, but no
  /// other thread places or displaces meanwhile.
  func place(_ function: belay_closure_function) -> Code { .notFound }
  /// Puts the original back.
  func displace() -> Code { .ok }
  /// The place has changed; no lock is held. What this answers is the interception's failure.
  func placingIsOver() -> Code { .ok }
  /// Whose death the method is, when it is one object's.
  var endingOwner: OwnerRecord? { nil }
  /// A method that ends `object` is about to be called, which is nobody's death.
  func willEnd(_ object: UnsafeMutableRawPointer?) {}
  /// Held while a place is written to.
  static let placing = Lock()

  /// What calls go on to.
  final func setOriginal(_ function: belay_closure_function?) {
    lock.withLock {
      original = function
      passOn()
    }
  }

  package final var originalFunction: belay_closure_function? { lock.withLock { original } }

  final var function: belay_closure_function? { closure.map { belay_closure_code($0) } }

  /// Whether anything is to happen at a call but the original.
  private final var isWanted: Bool {
    !isGone && (!hooks.isEmpty || listeners.sent + listeners.invoked > 0)
  }

  /// Under the lock: calls that nobody looks at go straight on.
  private final func passOn() {
    guard let closure else { return }
    belay_closure_pass_to(closure, isWanted || method.endsObject ? nil : original)
  }

  // MARK: Wanting

  /// Does what makes somebody want it, and puts the function in for the first. What has begun, and
  /// fails nevertheless, is for the caller to end.
  private final func want(_ begin: () -> Void) -> Code {
    let code = Self.placing.withLock { () -> Code in
      if lock.withLock({ isGone }) { return .dead }
      if !isPlaced, let function {
        let code = place(function)
        if code.isFailure { return code }
        isPlaced = true
      }
      lock.withLock {
        begin()
        passOn()
      }
      return .ok
    }
    return code.isFailure ? code : placingIsOver()
  }

  /// The other way round. What fails is recorded, for nobody waits for it.
  @discardableResult
  private final func unwant(_ end: () -> Void) -> Code {
    let code = Self.placing.withLock { () -> Code in
      let isOver = lock.withLock {
        end()
        passOn()
        return !isWanted
      }
      guard isOver, isPlaced else { return .ok }
      isPlaced = false
      return displace()
    }
    let (settled, told) = LastFailure.explaining { placingIsOver() }
    let failure = code.isFailure ? Failure(code) : told ?? Failure(settled)
    return failure.code.isFailure ? LastFailure.record(failure) : settled
  }

  final func beginListening(_ isSent: Bool) -> Code {
    var hasBegun = false
    let code = want {
      if isSent { listeners.sent += 1 } else { listeners.invoked += 1 }
      hasBegun = true
    }
    if hasBegun && code.isFailure { endListening(isSent) }
    return code
  }

  final func endListening(_ isSent: Bool) {
    unwant { if isSent { listeners.sent -= 1 } else { listeners.invoked -= 1 } }
  }

  private final func add(_ action: SlotHook.Action) -> (code: Code, hook: Disposable) {
    let hook = SlotHook(action, of: self)
    let code = want { hooks.append(hook) }
    if code.isFailure { hook.dispose() }
    return (code, hook)
  }

  final func remove(_ hook: SlotHook) {
    unwant { hooks.removeAll { $0 === hook } }
  }

  /// It is put back, and ends: nothing is called for it any more but what was there. Our function
  /// goes when no call is in it, or, if it is kept, with `retire`.
  final func end(keepingFunction: Bool = false) -> Code {
    var (taken, closure): ([SlotHook], OpaquePointer?) = ([], nil)
    let code = Self.placing.withLock { () -> Code in
      let isFirst = lock.withLock {
        if isGone { return false }
        isGone = true
        (taken, hooks) = (hooks, [])
        passOn()
        return true
      }
      guard isFirst else { return .ok }
      let code = isPlaced ? displace() : .ok
      isPlaced = false
      // It may be freed from now on, and others may still be leaving the slot.
      if !keepingFunction { lock.withLock { swap(&closure, &self.closure) } }
      return code
    }
    _ = placingIsOver()
    for hook in taken { hook.dispose() }
    _ = sources.sent.send(.completed)
    _ = sources.invoked.send(.completed)
    if let closure { belay_closure_retire(closure) }
    return code
  }

  /// Lets go of our function, after an end that has kept it. Subscriptions may end later still.
  final func retire() {
    let retiring = lock.withLock { () -> OpaquePointer? in
      defer { closure = nil }
      return closure
    }
    if let retiring { belay_closure_retire(retiring) }
  }

  // MARK: Calls

  private final func called(
    _ result: UnsafeMutableRawPointer, _ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) {
    var (hooks, original, listeners) = lock.withLock {
      (self.hooks, self.original, self.listeners)
    }
    let shape = method.shape
    // The owner's own signals tell of its death.
    if method.endsObject && endingOwner != nil { listeners = (0, 0) }
    // Also for those who hear of it after: the call may free what its arguments point to.
    let isTold = listeners.sent + listeners.invoked > 0
    let given = isTold ? Invocation.collected(shape, arguments) : []
    if listeners.sent > 0 { tell(sources.sent, given, keeping: listeners.invoked > 0) }
    var isPlain = true
    for hook in hooks { if hook.isBefore { hook.tell(arguments) } else { isPlain = false } }
    if isPlain, let original {
      let ended = beginEnd(arguments)
      belay_shape_call(shape.pointer, original, result, arguments)
      finishEnd(ended)
    } else {
      let invocation = Invocation(method, arguments)
      invocation.run(SlotCall(self, hooks, original))
      if !shape.isVoid {
        result.copyMemory(from: invocation.result, byteCount: shape.resultSize)
      }
      remember(invocation.takeKeptResult())
    }
    if listeners.invoked > 0 {
      tell(sources.invoked, shape.isVoid ? given : given + [shape.result.load(result)])
    }
  }

  /// Before the call of a method that ends its object: steps 1 to 3 of the death of one that is
  /// adopted. Answers with its address, for `finishEnd`.
  final func beginEnd(_ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> UInt {
    guard method.endsObject, let index = method.shape.context else { return 0 }
    let object = arguments[index]?.load(as: UnsafeMutableRawPointer?.self)
    if AdoptedOwners.willEndHere(object) { return UInt(bitPattern: object) }
    willEnd(object)
    return 0
  }

  final func finishEnd(_ object: UInt) { if object != 0 { _ = AdoptedOwners.didEnd(object) } }

  /// Keeps what the caller has a pointer into, until the next such answer.
  private final func remember(_ answer: ForeignValue) {
    guard answer.entity != nil else { return discard(answer) }
    let old = lock.withLock { () -> ForeignValue in
      defer { lastAnswer = answer }
      return lastAnswer
    }
    discard(old)
  }

  /// Takes the items over, unless it keeps them.
  private final func tell(
    _ source: Emitter<ForeignValue>, _ items: [ForeignValue], keeping: Bool = false
  ) {
    if keeping { for item in items { keep(item) } }
    let value = ForeignValue(taking: ArrayBox(taking: items))
    let code = LastFailure.isolating { source.send(value) }
    discard(value)
    // Nobody else would know that it is missing.
    if code.isRefusal { LastFailure.record(code) }
  }

  // MARK: For those who intercept

  /// Arrays of the arguments, before each call.
  package final var sent: Signal<ForeignValue> { signal(isSent: true) }
  /// The same with the result behind them, after each call.
  package final var invoked: Signal<ForeignValue> { signal(isSent: false) }

  private final func signal(isSent: Bool) -> Signal<ForeignValue> {
    guard let owner = endingOwner else {
      return SlotSignal(self, isSent ? sources.sent : sources.invoked, nil, isSent: isSent)
    }
    let phase = isSent ? owner.deallocating : owner.deallocated
    let calls = phase.map { _ in ForeignValue(taking: ArrayBox(taking: [])) }
    return SlotSignal(self, nil, calls, isSent: isSent)
  }

  package final func around(
    _ action: @escaping (Invocation) -> Void
  ) -> (code: Code, hook: Disposable) {
    add(.around(action))
  }

  package final func respond(
    _ action: @escaping (Invocation) -> ForeignValue
  ) -> (code: Code, hook: Disposable) {
    add(.answer(action))
  }

  /// The answer where nothing answers; takes `value` over.
  package final func setDefault(_ value: ForeignValue) -> Code {
    let probe = Invocation(method)
    keep(value)
    let code = probe.setResult(value)
    if code.isFailure {
      discard(value)
      return code
    }
    let old = lock.withLock { () -> ForeignValue in
      defer { fallback = value }
      return fallback
    }
    discard(old)
    return .ok
  }

  /// With a reference for the caller.
  final var defaultAnswer: ForeignValue {
    lock.withLock {
      keep(fallback)
      return fallback
    }
  }

  /// What makes one of several answers, which it borrows.
  package final var combiner: (([ForeignValue]) -> ForeignValue)? {
    get { lock.withLock { combining } }
    set {
      // Let go of outside the lock.
      let old = lock.withLock { () -> (([ForeignValue]) -> ForeignValue)? in
        defer { combining = newValue }
        return combining
      }
      _ = old
    }
  }

  /// Calls `function` with the arguments, and `context` where theirs is, or first. Throws
  /// `.wrongKind` for another shape.
  package final func connect(
    _ shape: Shape, _ function: belay_closure_function, context: UnsafeMutableRawPointer?,
    holding holder: AnyObject
  ) throws(Failure) -> (code: Code, hook: Disposable) {
    guard belay_shape_accepts(shape.pointer, method.shape.pointer) else {
      throw Failure(
        .wrongKind,
        message: "a handler of the shape " + shape.text.text + " was connected to "
          + method.name.text + ", whose shape is " + method.shape.text.text)
    }
    return add(.before(Connection(shape, to: method, function, context, holder)))
  }

  package final var status: Code {
    Self.placing.withLock {
      if lock.withLock({ isGone }) { return .dead }
      return isUntouched ? .ok : .mismatch
    }
  }

  /// Whether nobody else has written to the place; no other thread places meanwhile.
  var isUntouched: Bool { true }
}
