import CBelayClosure

/// One call through a slot. The functions that it calls were fixed when it began.
final class SlotCall {
  let slot: MethodSlot
  let hooks: ReferenceArray<SlotHook>
  let original: belay_closure_function?

  init(_ slot: MethodSlot, _ hooks: ReferenceArray<SlotHook>, _ original: belay_closure_function?) {
    self.slot = slot
    self.hooks = hooks
    self.original = original
  }

  /// Sets the answer: the original's, the responders', one made of several, or the default.
  func answer(_ invocation: Invocation) {
    let ended = slot.beginEnd(invocation.arguments)
    defer { slot.finishEnd(ended) }
    if let original { invocation.call(original) }
    var answers: [ForeignValue] = []
    let isVoid = slot.method.shape.isVoid
    let combine = isVoid ? nil : slot.combiner
    for hook in hooks where !hook.isBefore && !hook.isAround {
      // Before the first of them, because it may free what the result points to.
      if answers.isEmpty && original != nil && combine != nil {
        answers.append(invocation.resultValue)
      }
      if let answer = hook.call(invocation) { answers.append(answer) }
    }
    if isVoid || answers.isEmpty {
      if original == nil && !isVoid { set(slot.defaultAnswer, for: invocation) }
    } else if answers.count > 1, let combine {
      set(combine(answers), for: invocation)
    } else if original == nil {
      keep(answers[0])
      set(answers[0], for: invocation)
    }
    for answer in answers { discard(answer) }
  }

  /// Takes over `answer` and makes it the result. An answer of the wrong type is dropped and
  /// recorded.
  private func set(_ answer: ForeignValue, for invocation: Invocation) {
    let code = invocation.setResult(answer)
    if code.isFailure { LastFailure.record(code, "an answer is not of the method's type") }
  }
}
