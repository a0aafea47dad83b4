#if BELAY_INTERCEPTION
  /// What somebody has put around, before or in place of a slot's calls, until it is disposed.
  final class SlotHook: Disposable, @unchecked Sendable {
    enum Kind {
      /// Is told before the call.
      case before
      /// Is called in place of it, and can go on with it.
      case around
      /// Answers it.
      case answer
    }

    let kind: Kind
    /// Returns the answer, with its reference; null unless it is to answer.
    let action: (Invocation) -> ForeignValue
    private let target: MethodSlot

    init(_ kind: Kind, of slot: MethodSlot, _ action: @escaping (Invocation) -> ForeignValue) {
      self.kind = kind
      target = slot
      self.action = action
      super.init()
    }

    override func dispose(noting quiet: Quiet?) {
      guard close() else { return }
      target.remove(self)
      becomeGone()
    }
  }
#endif
