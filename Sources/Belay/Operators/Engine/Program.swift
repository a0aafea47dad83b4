import CBelayShim

/// A callback of C's that is one operator of a chain: it returns a value for a value, or says whether
/// a value passes.
package final class ForeignStep: @unchecked Sendable {
  package enum Call {
    case map(belay_map_step)
    case filter(belay_filter_step)
  }

  let call: Call
  let ctx: UnsafeMutableRawPointer?
  /// Keeps the context alive.
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

/// Several steps that are one stage. A loop runs a value through them, which is faster than stages
/// that call each other.
package final class ForeignProgram: @unchecked Sendable {
  /// The part of a step that the loop reads.
  struct Instruction {
    let call: ForeignStep.Call
    let ctx: UnsafeMutableRawPointer?
  }

  let instructions: UnsafeMutableBufferPointer<Instruction>
  fileprivate let steps: ReferenceArray<ForeignStep>

  package init(_ steps: ReferenceArray<ForeignStep>) {
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

/// A signal that runs foreign values through a program. It is generic because its stage must be.
package final class ProgramSignal<Value>: Signal<Value>, @unchecked Sendable {
  // Retained by `stands(on:)`.
  private unowned(unsafe) let source: Signal<Value>
  private let program: ForeignProgram

  package init(_ source: Signal<Value>, _ program: ForeignProgram) {
    self.source = source
    self.program = program
    super.init()
    stands(on: source)
    route = source.route.listening
  }

  /// This signal with more steps, so that a chain to which operators are added one by one has one
  /// loop. Nil if the program has given the signal a name, or if there would be too many steps: each
  /// call copies all of them.
  package final func extended(by steps: ReferenceArray<ForeignStep>) -> Signal<Value>? {
    if hasGivenName || program.steps.count + steps.count > 256 { return nil }
    var all = program.steps
    for step in steps { all.append(step) }
    return ProgramSignal(source, ForeignProgram(all))
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
  /// The sink below, if it calls C. Unmanaged, because Swift would count a copy of `downstream`.
  private let direct: Unmanaged<ForeignSubscription<Value>>?

  init(_ downstream: Sink<Value>, _ program: ForeignProgram) {
    self.program = program
    direct =
      downstream.life.has(.callsDirectly)
      ? .passUnretained(unsafeDowncast(downstream, to: ForeignSubscription<Value>.self)) : nil
    super.init(downstream)
  }

  override var chainName: Text { super.chainName + program.name }

  // The code that begins a delivery puts the thread's error aside, so each callback starts without
  // one. A callback may end the subscription. Then no further callback is called and nothing is
  // sent, because a sink below would keep the value.
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

  /// Ends the signal after a filter has failed: with the failure that it recorded, or else with its
  /// answer as the code.
  @inline(never)
  private func fail(_ answer: Int32, givingBack words: belay_words?) {
    let failure = LastFailure.take()
    if let words { giveBack(words) }
    pass(end: .failed(failure ?? Failure(Code(rawValue: answer))))
  }

  /// The failure that a callback has returned as its value, if it has; the value is then discarded.
  @inline(never)
  private func failure(in words: belay_words) -> Failure? {
    let value = ForeignValue(payload: words.payload, tag: words.tag)
    guard let box = value.entity as? FailureBox else { return nil }
    let failure = box.failure
    discard(value)
    return failure
  }
}
