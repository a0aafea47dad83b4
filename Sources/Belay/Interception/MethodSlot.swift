import CBelayClosure
import CBelayShim

/// A slot: a word of memory that holds a function pointer, and can be intercepted. While the slot
/// is wanted, its own function is in the word, and calls the function that was there.
///
/// Subclasses know the word: in a table, in an object's copy of a table, or in a proxy's table.
package class MethodSlot: Entity, @unchecked Sendable {
  package final let method: Method
  private final let lock = Lock()
  /// Our function. It is kept until the slot has gone, because a thread may be about to call it,
  /// and is nil afterwards. The lock protects it.
  private final var closure: OpaquePointer?
  private final let sources: (sent: Emitter<ForeignValue>, invoked: Emitter<ForeignValue>)

  // The lock protects the fields below.
  private final var original: belay_closure_function?
  private final var hooks: ReferenceArray<SlotHook> = []
  private final var listeners = (sent: 0, invoked: 0)
  private final var fallback = ForeignValue.null
  private final var combining: (([ForeignValue]) -> ForeignValue)?
  /// The value that the caller of the last call has a pointer into.
  private final var lastAnswer = ForeignValue.null
  private final var isGone = false
  private final var isPutIn = false {
    didSet { Live.slots.changed(from: oldValue, to: isPutIn) }
  }

  /// Throws `.noMemory` if libffi cannot make a function.
  init(_ method: Method) throws(Failure) {
    self.method = method
    sources = (Self.source(), Self.source())
    super.init()
    // The closure releases this reference. It outlives `end` while calls are in it.
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

  /// Shared, because any thread may make a call. A subscriber with a loop is called there.
  private static func source() -> Emitter<ForeignValue> {
    var options = SourceOptions()
    options.isShared = true
    return Emitter(options, room: 1)
  }

  // MARK: For subclasses

  /// Puts `function` into the word, and sets the original that was there. `writing` is held, and
  /// the slot's lock is not.
  func putIn(_ function: belay_closure_function) -> Code { .notFound }
  /// Puts the original back into the word.
  func takeOut() -> Code { .ok }
  /// Whether our function may be in the word. Taking it out can fail.
  var isStillIn: Bool { isPutIn }
  /// Called without a lock when the word has changed. The interception fails with the code that
  /// this answers.
  func writingIsOver() -> Code { .ok }
  /// The owner whose death the method is, if the slot is one object's.
  var endingOwner: OwnerRecord? { nil }
  /// Called before a method that ends `object`, if the object has not been adopted or is dying.
  func willEnd(_ object: UnsafeMutableRawPointer?) {}
  /// Held while a word is written to.
  static let writing = Lock()

  /// Sets the function to which calls go on.
  final func setOriginal(_ function: belay_closure_function?) {
    lock.withLock {
      original = function
      passOn()
    }
  }

  package final var originalFunction: belay_closure_function? { lock.withLock { original } }

  final var function: belay_closure_function? { closure.map { belay_closure_code($0) } }

  /// Whether a call has anything to do besides the original.
  private final var isWanted: Bool {
    !isGone && (!hooks.isEmpty || listeners.sent + listeners.invoked > 0)
  }

  /// Makes calls go straight to the original if the slot is not wanted. The caller holds the lock.
  private final func passOn() {
    guard let closure else { return }
    belay_closure_pass_to(closure, isWanted || method.endsObject ? nil : original)
  }

  // MARK: Wanting

  /// Runs `begin`, which makes the slot wanted, and puts our function into the word for the first
  /// one. If this fails after `begin` has run, the caller must undo that.
  private final func want(_ begin: () -> Void) -> Code {
    let code = Self.writing.withLock { () -> Code in
      if lock.withLock({ isGone }) { return .dead }
      if !isPutIn, let function {
        let code = putIn(function)
        if code.isFailure { return code }
        isPutIn = true
      }
      lock.withLock {
        begin()
        passOn()
      }
      return .ok
    }
    return code.isFailure ? code : writingIsOver()
  }

  /// The reverse. A failure is recorded, because no caller waits for it.
  @discardableResult
  private final func unwant(_ end: () -> Void) -> Code {
    let code = Self.writing.withLock { () -> Code in
      let isOver = lock.withLock {
        end()
        passOn()
        return !isWanted
      }
      guard isOver, isPutIn else { return .ok }
      isPutIn = false
      return takeOut()
    }
    let (settled, told) = LastFailure.explaining { writingIsOver() }
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
    unwant { hooks.remove(hook) }
  }

  /// Puts the original back and ends the slot: calls go to the original only. Our function is freed
  /// when no call is in it, or, if it is kept, by `retire`.
  final func end(keepingFunction: Bool = false) -> Code {
    let rest = Self.writing.withLock { leave(keepingFunction) }
    rest.finish()
    return rest.code
  }

  /// The rest of an end when the word has its original.
  final class Rest {
    fileprivate let slot: MethodSlot
    fileprivate(set) var code = Code.ok
    fileprivate var hooks: ReferenceArray<SlotHook> = []
    fileprivate var closure: OpaquePointer?

    fileprivate init(of slot: MethodSlot) { self.slot = slot }

    /// The second part of `end`. `writing` is not held.
    func finish() {
      _ = slot.writingIsOver()
      for hook in hooks { hook.dispose() }
      _ = slot.sources.sent.send(.completed)
      _ = slot.sources.invoked.send(.completed)
      if let closure { belay_closure_retire(closure) }
    }
  }

  /// The first part of `end`, which calls nobody. `writing` is held.
  final func leave(_ keepsFunction: Bool = false) -> Rest {
    let rest = Rest(of: self)
    let isFirst = lock.withLock {
      if isGone { return false }
      isGone = true
      (rest.hooks, hooks) = (hooks, [])
      passOn()
      return true
    }
    guard isFirst else { return rest }
    if isStillIn { rest.code = takeOut() }
    isPutIn = false
    // `closure` may be freed from now on, while other threads are still leaving the slot.
    // It stays for good if it may still be in the word, and then calls the original only.
    if keepsFunction || (rest.code.isFailure && rest.code != .mismatch) { return rest }
    lock.withLock { swap(&rest.closure, &self.closure) }
    return rest
  }

  /// Frees our function after an end that has kept it. Subscriptions may end even later.
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
    // For these, the owner's two signals replace the slot's.
    if method.endsObject && endingOwner != nil { listeners = (0, 0) }
    // Collected before the call also for `invoked`, because the call may free what the arguments
    // point to.
    let isTold = listeners.sent + listeners.invoked > 0
    let given = isTold ? Invocation.collected(shape, arguments) : []
    let object = isTold ? shape.object(arguments) : nil
    if listeners.sent > 0 { tell(sources.sent, given, object, keeping: listeners.invoked > 0) }
    var answer = ForeignValue.null
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
      answer = invocation.pointedInto
    }
    if listeners.invoked > 0 {
      tell(sources.invoked, shape.isVoid ? given : given + [shape.result.load(result)], object)
    }
    // Last, because a call from inside of this one remembers its own answer.
    remember(answer)
  }

  /// Called before a method that ends its object: runs steps 1 to 3 of the death of an adopted
  /// object. Answers its address for `finishEnd`, or 0.
  final func beginEnd(_ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> UInt {
    guard method.endsObject else { return 0 }
    let object = method.shape.object(arguments)
    if AdoptedOwners.willEndHere(object) { return UInt(bitPattern: object) }
    willEnd(object)
    return 0
  }

  final func finishEnd(_ object: UInt) { if object != 0 { _ = AdoptedOwners.didEnd(object) } }

  /// Keeps the value that the caller has a pointer into, until the next such answer.
  private final func remember(_ answer: ForeignValue) {
    guard answer.entity != nil else { return discard(answer) }
    let old = lock.withLock { () -> ForeignValue in
      defer { lastAnswer = answer }
      return lastAnswer
    }
    discard(old)
  }

  /// Sends the items as an array. Takes over their references, unless `keeping`.
  private final func tell(
    _ source: Emitter<ForeignValue>, _ items: [ForeignValue], _ object: UnsafeMutableRawPointer?,
    keeping: Bool = false
  ) {
    if keeping { for item in items { keep(item) } }
    let value = ForeignValue(taking: CallBox(taking: items, of: object))
    let code = LastFailure.isolating { source.send(value) }
    discard(value)
    // Recorded, because the value goes missing otherwise unseen.
    if code.isRefusal { LastFailure.record(code) }
  }

  // MARK: For interceptors

  /// Sends an array of the arguments before each call.
  package final var sent: Signal<ForeignValue> { signal(isSent: true) }
  /// Sends an array of the arguments and the result after each call.
  package final var invoked: Signal<ForeignValue> { signal(isSent: false) }

  private final func signal(isSent: Bool) -> Signal<ForeignValue> {
    guard let owner = endingOwner else {
      return SlotSignal(self, isSent ? sources.sent : sources.invoked, nil, isSent: isSent)
    }
    let phase = isSent ? owner.deallocating : owner.deallocated
    let object = owner.address
    let calls = phase.map { _ in ForeignValue(taking: CallBox(taking: [], of: object)) }
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

  /// Sets the answer for calls that neither an original nor a responder answers. Takes over
  /// `value`.
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

  /// The default answer, with a reference for the caller.
  final var defaultAnswer: ForeignValue {
    lock.withLock {
      keep(fallback)
      return fallback
    }
  }

  /// The function that makes one answer of several, which it borrows.
  package final var combiner: (([ForeignValue]) -> ForeignValue)? {
    get { lock.withLock { combining } }
    set {
      // Released outside the lock.
      let old = lock.withLock { () -> (([ForeignValue]) -> ForeignValue)? in
        defer { combining = newValue }
        return combining
      }
      _ = old
    }
  }

  /// Calls `function` with the arguments before each call. `context` replaces their context, or
  /// comes first if they have none. Throws `.wrongKind` for another shape.
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
    Self.writing.withLock {
      if lock.withLock({ isGone }) { return .dead }
      return isUntouched ? .ok : .mismatch
    }
  }

  /// Whether no other code has written to the word. `writing` is held.
  var isUntouched: Bool { true }
}
