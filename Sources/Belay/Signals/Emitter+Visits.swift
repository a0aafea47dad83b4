import CBelayShim

/// What an emitter is doing, and what is to be done when it has.
struct EmitterState: OptionSet {
  let rawValue: UInt32
  static let busy = EmitterState(rawValue: 1)
  static let ended = EmitterState(rawValue: 2)
  /// Something is to be done after the delivery in progress.
  static let attention = EmitterState(rawValue: 4)
  /// Interrupt after the delivery in progress.
  static let abandoned = EmitterState(rawValue: 8)
  /// An end waits for the delivery in progress; nothing is taken any more.
  static let ending = EmitterState(rawValue: 16)
}

extension Emitter {
  /// This thread is at home, and in here: nobody else takes the sinks over meanwhile, and what is
  /// sent from inside waits.
  ///
  /// Where no mail reaches the home, another thread that gives the last handle back takes the sinks
  /// over when nobody is here, or leaves that to whoever is.
  ///
  /// The record has room; the place behind the visit's is for the sinks.
  @inline(__always)
  func beginVisit(in record: UnsafeMutablePointer<belay_thread>) -> Delivery {
    let place = belay_shim_enter_two(record)
    belay_shim_publish(record, place, Unmanaged.passUnretained(self).toOpaque())
    let isOpen = !lifecycle.stateInDelivery.has(.deferred)
    if isOpen { state = .busy }
    return Delivery(record: record, place: place, isOpen: isOpen)
  }

  @inline(__always)
  func endVisit(_ visit: Delivery) -> Code {
    if state != .busy || !visit.isOpen { return endVisitSlowly(visit) }
    state = []
    if belay_shim_leave(visit.record, visit.place) { leftNotably(visit.record) }
    return .ok
  }

  /// Does what came up during the visit.
  @inline(never)
  func endVisitSlowly(_ visit: Delivery) -> Code {
    if visit.isOpen {
      while !pending.isEmpty, let event = pending.popFirst() { process(event) }
      let isAbandoned = state.contains(.abandoned)
      if isAbandoned { finish(.interrupted) }
      state = state.contains(.ended) ? .ended : []
      if state.contains(.ended) { dismissAll() } else if dead > 0 { sweep() }
      if belay_shim_leave(visit.record, visit.place) { leftNotably(visit.record) }
      // Its last handle went during the delivery, and left this reference.
      if isAbandoned { Unmanaged.passUnretained(self).drop() }
      return .ok
    }
    leaveVisibly(visit.record, visit.place)
    return .canceled
  }

  /// Does what calls sinks, or changes them: what is sent from inside follows it.
  @discardableResult
  func visit(_ body: () -> Void) -> Code {
    if state.contains(.busy) {
      body()
      return .ok
    }
    let hadEnded = state.contains(.ended)
    let record = Thread.record
    if !belay_shim_has_places(record) { belay_shim_add_places(record) }
    let visit = beginVisit(in: record)
    if hadEnded { state.insert(.ended) }
    if visit.isOpen { body() }
    return endVisit(visit)
  }

  /// No handle is left to send by, and no way home: each is ended where this thread is.
  func takeOver() {
    guard lifecycle.claim(.tearingDown) != nil else { return }
    let all = sinks.takeAll()
    all?.forEach { $0.root.dispose() }
    all?.release()
  }
}
