#if BELAY_INTERCEPTION
  import CBelayClosure

  /// One call through a slot: what is called for it was fixed when it began.
  final class SlotCall {
    let slot: MethodSlot
    let hooks: [SlotHook]
    let original: belay_closure_function?

    init(_ slot: MethodSlot, _ hooks: [SlotHook], _ original: belay_closure_function?) {
      self.slot = slot
      self.hooks = hooks
      self.original = original
    }

    /// Tells those who are called before.
    func begin(_ invocation: Invocation) {
      for hook in hooks where hook.kind == .before && !hook.isDisposed {
        discard(hook.action(invocation))
      }
    }

    /// The answer of the original, of responders, of both, or none.
    func answer(_ invocation: Invocation) {
      let ended = slot.beginEnd(invocation.arguments)
      defer { slot.finishEnd(ended) }
      let responders = hooks.contains { $0.kind == .answer && !$0.isDisposed }
      if let original {
        invocation.call(original)
      } else if !responders {
        return useDefault(invocation)
      }
      if !responders { return }
      var answers: [ForeignValue] = []
      let isVoid = slot.method.shape.isVoid
      if original != nil && !isVoid { answers.append(invocation.resultValue) }
      for hook in hooks where hook.kind == .answer && !hook.isDisposed {
        let answer = hook.action(invocation)
        if isVoid { discard(answer) } else { answers.append(answer) }
      }
      if !isVoid { settle(answers, for: invocation) }
    }

    private func useDefault(_ invocation: Invocation) {
      let value = slot.defaultAnswer
      if value.kind != .null { _ = invocation.setResult(value) }
    }

    /// Makes one of them the result. Takes them over.
    private func settle(_ answers: [ForeignValue], for invocation: Invocation) {
      var chosen = ForeignValue.null
      if answers.count > 1, let combine = slot.combiner {
        chosen = combine(answers)
      } else if let first = answers.first {
        keep(first)
        chosen = first
      }
      for answer in answers { discard(answer) }
      // What cannot be returned leaves what the original has answered.
      let code = invocation.setResult(chosen)
      if code.isFailure { LastFailure.record(code, "an answer is not of the method's type") }
    }
  }
#endif
