/// A shared emitter, whose home is a strand.
extension Emitter {
  final var sharedHome: SharedHome { unsafeDowncast(ownHome, to: SharedHome.self) }

  /// Delivers `value` on this thread, or queues it for the thread that is in the strand.
  @inline(never)
  final func share(_ value: Value) -> Code {
    let home = sharedHome
    let entry = home.enter(
      orLeave: { Message(to: self, .value, Payload(value)) }, replacing: reentrancy == .latest
    ) { isEnding ? .ended : .ok }
    switch entry {
    case .refused(let code): return code
    case .queued(let count):
      note(count)
      OverlapHook.note(.threads, in: self)
      return .queued
    case .entered:
      let code = accept(value)
      home.leave()
      return code
    }
  }

  /// Notes that an end was accepted, so that every thread's later events are refused. True for the
  /// first end.
  final func claimEnding() -> Bool {
    sharedHome.underLock {
      defer { isEnding = true }
      return !isEnding
    }
  }
}
