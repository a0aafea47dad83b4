import CBelayShim
import Synchronization

/// A shared emitter, whose home is a strand.
extension Emitter {
  final var sharedHome: SharedHome { unsafeDowncast(ownHome, to: SharedHome.self) }

  /// Delivers `value` on this thread, or queues it for the thread that is in the strand.
  @inline(never)
  final func share(_ value: Value) -> Code {
    let home = sharedHome
    let entry = home.enter(
      orLeave: {
        waiting += 1
        return Message(to: self, .value, PackedValue(value))
      }, replacing: reentrancy == .latest
    ) { isEnding ? .ended : .ok }
    switch entry {
    case .refused(let code): return code
    case .queued(let count):
      note(count)
      OverlapHook.note(.threads, in: self)
      return .queued
    case .entered:
      let code = acceptNext(value)
      home.leave()
      return code
    }
  }

  /// `receive` for a value that has its turn.
  final func receiveShared(_ message: inout Message) {
    let value = message.packed.open(as: Value.self)
    let code = acceptNext(value)
    discard(value)
    if code.isFailure { losses.add(self, code) }
  }

  /// Accepts a value that no other event is before. The caller is in the strand.
  final func acceptNext(_ value: Value) -> Code {
    // A callback may release the last handle.
    let kept = Unmanaged.passRetained(self)
    state.remove(.shared)
    let code = accept(value)
    state.insert(.shared)
    kept.drop()
    return code
  }

  /// Delivers a value that must not be refused for the depth of nested sends. While another
  /// thread is in the strand, does nothing, and answers what is over when that thread has left.
  @inline(never)
  final func acceptUnlessBusy(_ value: Value) -> Departure? {
    let enters = !ownHome.isCurrent
    if enters, let departure = sharedHome.enterUnlessBusy() { return departure }
    let record = Thread.record
    let most = record.pointee.most
    record.pointee.most = max(most, record.pointee.entered + 2)
    belay_shim_add_places(record)
    _ = accept(value)
    record.pointee.most = most
    belay_shim_add_places(record)
    if enters { sharedHome.leave() }
    return nil
  }

  /// The same, but leaves the value to the thread that is in the strand.
  final func acceptInAnyCase(_ value: Value) {
    if acceptUnlessBusy(value) != nil { _ = accept(value) }
  }

  /// Makes the visit that was put off for an end, which is pending.
  final func makeLateVisit() {
    if isShared && !ownHome.isCurrent {
      // The thread has left the strand meanwhile.
      _ = ownHome.post(Message(to: self, .work), reserved: true)
    } else {
      state.remove(.busy)
      visit {}
    }
  }

  /// Whether what is sent here now is the event that is next, or the emitter is not shared.
  final var isInTurn: Bool { !isShared || state.isDisjoint(with: [.shared, .busy]) }

  /// Whether an end was accepted that no event of another thread may follow: any end of a shared
  /// emitter, and otherwise one that has been posted to the home.
  final var isEnding: Bool { ending.load(ordering: .relaxed) }

  /// Makes that true. Answers true for the first end.
  final func claimEnding() -> Bool { !ending.exchange(true, ordering: .relaxed) }
}
