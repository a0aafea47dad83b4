import CBelayShim

/// One of the callbacks of C's that a chain is made of: makes a value of a value, or says whether
/// one passes.
package struct ForeignStep {
  package enum Call {
    case map(belay_map_step)
    case filter(belay_filter_step)
  }

  let call: Call
  let ctx: UnsafeMutableRawPointer?
  /// Keeps the context.
  let context: AnyObject
  let name: StaticString

  package init(
    _ call: Call, _ ctx: UnsafeMutableRawPointer?, keeping context: AnyObject, name: StaticString
  ) {
    self.call = call
    self.ctx = ctx
    self.context = context
    self.name = name
  }
}

/// Steps that follow each other, as one stage: a value goes through them in a loop, where stages
/// would call each other.
package final class ForeignProgram: @unchecked Sendable {
  /// What the loop reads; the contexts are kept aside.
  struct Instruction {
    let call: ForeignStep.Call
    let ctx: UnsafeMutableRawPointer?
  }

  let instructions: UnsafeMutableBufferPointer<Instruction>
  fileprivate let steps: [ForeignStep]

  package init(_ steps: [ForeignStep]) {
    self.steps = steps
    instructions = .allocate(capacity: steps.count)
    for (index, step) in steps.enumerated() {
      instructions.initializeElement(
        at: index, to: Instruction(call: step.call, ctx: step.ctx))
    }
  }

  deinit { instructions.deallocate() }

  /// ".map.filter"
  var name: Text {
    var name: Text = ""
    for step in steps { name += "." + step.name.string }
    return name
  }
}

/// A signal of foreign values with a program below it. Generic, as its stage must be.
package final class ProgramSignal<Value>: Signal<Value>, @unchecked Sendable {
  // Kept by `stands(on:)`.
  private unowned(unsafe) let source: Signal<Value>
  private let program: ForeignProgram

  package init(_ source: Signal<Value>, _ program: ForeignProgram) {
    self.source = source
    self.program = program
    super.init()
    stands(on: source)
    route = source.route.listening
  }

  /// The same with more steps, if nobody has named it: one loop for a chain that grew by and by.
  /// Not without end, for each time all are copied.
  package final func extended(by steps: [ForeignStep]) -> Signal<Value>? {
    if hasGivenName || program.steps.count + steps.count > 256 { return nil }
    return ProgramSignal(source, ForeignProgram(program.steps + steps))
  }

  package override var stem: NameStem? { NameStem(source, program.name) }

  package override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    let stage = ProgramStage(sink, program)
    sink.upstream = stage
    let refusal = stage.attach(to: source, at: home)
    if refusal.isFailure { sink.upstream = nil }
    return refusal
  }
}

private final class ProgramStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let program: ForeignProgram
  /// The sink below, if it calls C. Unmanaged, for a copy of `downstream` would be counted.
  private let direct: Unmanaged<ForeignSubscription<Value>>?

  init(_ downstream: Sink<Value>, _ program: ForeignProgram) {
    self.program = program
    direct =
      downstream.life.has(.callsDirectly)
      ? .passUnretained(unsafeDowncast(downstream, to: ForeignSubscription<Value>.self)) : nil
    super.init(downstream)
  }

  override var chainName: Text { super.chainName + program.name }

  // Who begins a delivery has put aside the thread's error, so each callback starts without one. A
  // callback may end the subscription: nothing is called then, and nothing sent to those below, who
  // would keep it.
  @_optimize(speed)
  override func next(_ value: Value) {
    let given = unsafeBitCast(value, to: belay_words.self, ofType: Value.self)
    var current = given
    var isOurs = false
    for instruction in program.instructions {
      switch instruction.call {
      case .map(let transform):
        let made = transform(instruction.ctx, current)
        if !LastFailure.isNone { LastFailure.drop() }
        if isOurs { giveBack(current) }
        current = made
        isOurs = true
        if made.tag >= ForeignValue.firstAddress, let failure = failure(in: made) {
          return pass(end: .failed(failure))
        }
        if isClosed { return giveBack(made) }
      case .filter(let passes):
        let answer = passes(instruction.ctx, current)
        if answer < 0 { return fail(answer, givingBack: isOurs ? current : nil) }
        if !LastFailure.isNone { LastFailure.drop() }
        if answer > 0 && !isClosed { continue }
        if isOurs { giveBack(current) }
        return
      }
    }
    let output = unsafeBitCast(current, to: Value.self, ofType: belay_words.self)
    if let direct {
      direct._withUnsafeGuaranteedRef { $0.next(output) }
    } else {
      pass(output)
    }
    if isOurs { giveBack(current) }
  }

  @inline(__always)
  private func giveBack(_ words: belay_words) {
    discard(ForeignValue(payload: words.payload, tag: words.tag))
  }

  /// A filter has failed, with what it has recorded or its answer as the code.
  @inline(never)
  private func fail(_ answer: Int32, givingBack words: belay_words?) {
    let failure = LastFailure.take()
    if let words { giveBack(words) }
    pass(end: .failed(failure ?? Failure(Code(rawValue: answer))))
  }

  /// The failure that a callback answered with, if it was one; it is given back then.
  @inline(never)
  private func failure(in words: belay_words) -> Failure? {
    let value = ForeignValue(payload: words.payload, tag: words.tag)
    guard let box = value.entity as? FailureBox else { return nil }
    let failure = box.failure
    discard(value)
    return failure
  }
}
