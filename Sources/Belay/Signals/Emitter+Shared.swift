import CBelayShim

extension Emitter {
  /// Shared: delivers `event` on this thread, or leaves it to the thread that is delivering.
  func share(_ event: PendingEvents<Value>.Event) -> Code {
    let me = Thread.record.pointee.id
    sharing.acquire()
    if let refusal = refusal(of: event) {
      sharing.release()
      return refusal
    }
    if deliverer == me && reentrancy == .depthFirst {
      sharing.release()
      if case .value(let value) = event { keep(value) }
      process(event)
      return .ok
    }
    if deliverer != 0 {
      let code = queue(event, isOwnDelivery: deliverer == me)
      sharing.release()
      return code
    }
    deliverer = me
    sharing.release()
    if case .value(let value) = event { keep(value) }
    var next: PendingEvents<Value>.Event? = event
    while let current = next {
      processAlone(current)
      sharing.acquire()
      next = pending.popFirst()
      if next == nil { deliverer = 0 }
      sharing.release()
    }
    return .ok
  }

  /// Somebody has left; when nobody is delivering, who else would take him out?
  func sweepShared() {
    sharing.acquire()
    let gone = deliverer == 0 ? takeClosed() : nil
    sharing.release()
    gone?.release()
  }

  /// Under the lock: nothing follows an end.
  private func refusal(of event: PendingEvents<Value>.Event) -> Code? {
    switch event {
    case .value: return isEnding ? .ended : nil
    case .end:
      if isEnding { return .ended }
      isEnding = true
      return nil
    case .attach: return nil
    }
  }

  /// Under the lock.
  private func queue(_ event: PendingEvents<Value>.Event, isOwnDelivery: Bool) -> Code {
    switch event {
    case .value(let value):
      // The policy is about one's own delivery; other threads' values wait their turn.
      let policy = isOwnDelivery || reentrancy == .latest ? reentrancy : .queue
      return pending.append(value, policy, capacity: pendingCapacity)
    case .end(let end): pending.append(end)
    case .attach(let sink): pending.append(attaching: sink)
    }
    return .queued
  }
}
