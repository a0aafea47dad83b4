import CBelayClosure

/// A call of a method with its arguments, as an object. (NSInvocation.) It belongs to one thread at
/// a time.
@_spi(Engine) public final class Invocation: Entity, @unchecked Sendable {
  package let method: Method
  private let shape: Shape
  /// The arguments, then the pointers to them, then the result.
  private let memory: UnsafeMutableRawPointer
  let arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  let result: UnsafeMutableRawPointer
  /// The values that arguments point into, if they were set; by their indices.
  private var kept: [ForeignValue] = []
  /// Those that the last call had. Its result may point into them.
  private var passed: [ForeignValue] = []
  /// The value that the result points into.
  private var keptResult = ForeignValue.null
  /// The call that is in progress.
  private var call: SlotCall?
  private var depth = 0
  /// How many objects are sending it on at the moment.
  var hops = 0
  /// The failure of the responder to which it was last sent, if the responder has set one besides
  /// the code.
  package var told: Failure?

  /// Makes an invocation whose arguments are zero.
  package init(_ method: Method) {
    self.method = method
    let shape = method.shape
    self.shape = shape
    let pointers = (shape.frameSize + 15) & ~15
    let results = (pointers + shape.count * MemoryLayout<UInt>.size + 15) & ~15
    let size = results + shape.resultSize
    memory = .allocate(byteCount: size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    arguments = (memory + pointers).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    result = memory + results
    super.init()
    for index in 0..<shape.count { arguments[index] = memory + shape.argument(index).offset }
    Live.values.began()
  }

  /// Makes an invocation with copies of a call's arguments.
  convenience init(_ method: Method, _ given: UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
    self.init(method)
    for index in 0..<shape.count {
      guard let memory = arguments[index], let from = given[index] else { continue }
      memory.copyMemory(from: from, byteCount: shape.argument(index).size)
    }
  }

  deinit {
    for value in kept { discard(value) }
    for value in passed { discard(value) }
    discard(keptResult)
    memory.deallocate()
    Live.values.ended()
  }

  package var count: Int { shape.argumentCount }

  // MARK: Arguments

  package var context: UnsafeMutableRawPointer? { shape.object(arguments) }

  package func setContext(_ context: UnsafeMutableRawPointer?) -> Code {
    guard let index = shape.context else { return .notFound }
    arguments[index]?.storeBytes(of: context, as: UnsafeMutableRawPointer?.self)
    return .ok
  }

  /// An argument, with a reference for the caller; nil if there is none with that index.
  package func argument(_ index: Int) -> ForeignValue? {
    guard let position = shape.position(index) else { return nil }
    return arguments[position].map { shape.argument(position).load($0) }
  }

  /// Sets an argument. Takes over the reference to `value`.
  package func setArgument(_ index: Int, _ value: ForeignValue) -> Code {
    var code = Code.range
    if let position = shape.position(index), let memory = arguments[position] {
      code = shape.argument(position).store(value, at: memory)
    }
    if code.isFailure {
      discard(value)
    } else if value.entity != nil || !kept.isEmpty {
      if kept.isEmpty { for _ in 0..<count { kept.append(.null) } }
      let old = kept[index]
      kept[index] = value
      // Last, because the destructor may call back.
      discard(old)
    }
    return code
  }

  /// Copies the C strings among the arguments, so that they live as long as this.
  package func retainArguments() {
    for index in 0..<count {
      guard let position = shape.position(index), let memory = arguments[position] else { continue }
      let part = shape.argument(position)
      guard part.code == UInt8(ascii: "*") else { continue }
      let copy = part.load(memory)
      if copy.kind != .null { _ = setArgument(index, copy) }
    }
  }

  /// The arguments of a call without the context, each with a reference for the caller.
  static func collected(
    _ shape: Shape, _ arguments: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> [ForeignValue] {
    var items: [ForeignValue] = []
    for index in 0..<shape.count where index != shape.context {
      if let memory = arguments[index] { items.append(shape.argument(index).load(memory)) }
    }
    return items
  }

  // MARK: Result

  /// The result, with a reference for the caller.
  package var resultValue: ForeignValue { shape.result.load(result) }

  /// Sets the result. Takes over the reference to `value`.
  package func setResult(_ value: ForeignValue) -> Code {
    let code: Code
    if shape.isVoid {
      code = value.kind == .null ? .ok : .wrongKind
    } else {
      code = shape.result.store(value, at: result)
      if !code.isFailure { shape.result.widen(result) }
    }
    let old = code.isFailure ? value : keptResult
    if !code.isFailure { keptResult = value }
    discard(old)
    return code
  }

  /// The object that the result may point into, with a reference for the caller: the value that was
  /// set, or this, if arguments were set, one of which a function may have returned. This keeps the
  /// value, too, because somebody may have retained this to read the result later.
  var pointedInto: ForeignValue {
    if !kept.isEmpty && shape.result.mayPoint {
      return ForeignValue(taking: self)
    }
    keep(keptResult)
    return keptResult
  }

  // MARK: Calling

  /// Calls a function of the method's shape. Its result becomes the invocation's.
  package func call(_ function: belay_closure_function) {
    belay_shape_call(shape.pointer, function, result, arguments)
    let old = keptResult
    keptResult = .null
    discard(old)
    if !kept.isEmpty { keepWhatWasPassed() }
  }

  @inline(never)
  private func keepWhatWasPassed() {
    for value in kept { keep(value) }
    let before = passed
    passed = kept
    for value in before { discard(value) }
  }

  /// Continues the call that is in progress. Answers `.ended` when it is over, and inside a responder,
  /// which has nothing behind it.
  package func proceed() -> Code {
    guard let call, depth >= 0 else { return .ended }
    let here = depth
    defer { depth = here }
    while depth > 0 {
      depth -= 1
      let hook = call.hooks[depth]
      if hook.isAround, hook.call(self) != nil { return .ok }
    }
    depth = -1
    call.answer(self)
    return .ok
  }

  /// Runs `call`, whose invocation this is.
  func run(_ call: SlotCall) {
    self.call = call
    depth = call.hooks.count
    _ = proceed()
    self.call = nil
  }
}
