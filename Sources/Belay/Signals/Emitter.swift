import CBelayShim
import Synchronization

/// Sends events to its sinks, in the order in which the sinks came. Subjects and cold sources are
/// emitters.
///
/// At home, sending takes no lock, allocates nothing, and uses no atomics but relaxed loads and
/// stores. The sinks are in one buffer. Sinks that leave are swept out of it when no walk is in
/// progress.
package class Emitter<Value>: Source, @unchecked Sendable {
  final var state: EmitterState = []
  /// How many sinks in the buffer have left.
  final var dead: UInt32 = 0
  /// How many sinks have left on threads that could not reach the home. They are in the buffer
  /// still.
  final let deadElsewhere = Atomic<UInt32>(0)
  final var sinks: SinkBuffer<Value>
  /// How many sinks have not left, for threads elsewhere.
  final let known = Atomic<UInt32>(0)
  final var lastEnd = End.interrupted
  final var pending = PendingEvents<Value>()
  final let pendingCapacity: UInt32
  /// Shared emitters only: how many events wait in the strand. The home's lock protects it.
  final var waiting: UInt32 = 0
  final let reentrancy: Reentrancy
  /// `isEnding`. A shared emitter's is protected by the home's lock, too.
  final let ending = Atomic<Bool>(false)
  final let losses = Lost.Counter()

  /// - Parameter home: used instead of the one in `options`.
  package init(_ options: SourceOptions, at home: Home? = nil, room: Int = 4) {
    reentrancy = options.reentrancy
    pendingCapacity = UInt32(clamping: options.capacity)
    sinks = SinkBuffer(room: room)
    super.init(
      home: home ?? options.home
        ?? (options.isShared ? SharedHome(capacity: options.capacity) : Home.current),
      label: options.label, site: options.site)
    if isShared { state = .shared }
  }

  deinit {
    sinks.destroy()
    pending.removeAll()
  }

  package final override var chainName: Text { label?.text ?? chainNameOfUnlabelled }
  var chainNameOfUnlabelled: Text { "subject" }
  @inline(__always)
  package final var isShared: Bool { ownHome.isShared }

  // MARK: Sending

  /// Sends a value, which it borrows.
  @inline(__always)
  package final func send(_ value: Value) -> Code {
    guard let record = recordIfReady else { return sendSlowly(value) }
    let visit = beginVisit(in: record)
    if visit.isOpen { deliver(value, at: CallPlace(record: record, index: visit.place &+ 1)) }
    return endVisit(visit)
  }

  /// The calling thread's record, if the thread is at home, the emitter is idle and not shared, and the
  /// record has room for a visit.
  @inline(__always)
  final var recordIfReady: UnsafeMutablePointer<belay_thread>? {
    guard let record = ownHome.recordIfCurrent, state.isEmpty, belay_shim_has_places(record)
    else { return nil }
    return record
  }

  /// Delivers a value while a visit of this emitter is in progress.
  final func deliver(_ value: Value) {
    if belay_shim_watches_next() { watchSinks() }
    let record = Thread.record
    if !belay_shim_has_places(record) { belay_shim_add_places(record) }
    // Two places, as a visit takes, so that the same number of sends can be nested.
    let place = CallPlace(record: record, index: belay_shim_enter_two(record))
    if belay_shim_times_callbacks() {
      deliverTimed(value, at: place)
    } else {
      deliver(value, at: place)
    }
    if belay_shim_end_delivery(record, place.index) { belay_shim_heed(record) }
  }

  /// Has the subscriptions called where the probe `next` is.
  @inline(never)
  private final func watchSinks() {
    for index in sinks.start..<sinks.end {
      let root = sinks[index]._withUnsafeGuaranteedRef { $0.root }
      if root.life.has(.callsDirectly) { _ = root.lifecycle.clear(.callsDirectly) }
    }
  }

  /// Calls the sinks one after the other.
  @inline(__always)
  private final func deliver(_ value: Value, at place: CallPlace) {
    let end = sinks.end
    var index = sinks.start
    while index < end {
      sinks[index]._withUnsafeGuaranteedRef { sink in
        // Most sinks are called without a virtual call.
        place.publish(sink)
        if sink.lifecycle.stateInDelivery.isOpenToDirectCalls {
          let sink = unsafeDowncast(sink, to: ForeignSubscription<Value>.self)
          sink.call(value)
          if place.withdraw() { wasCalledNotably(index, place.record) }
        } else {
          // The sink publishes its root in the place.
          sink.deliver(value, at: place)
        }
      }
      index += 1
    }
  }

  @inline(never)
  private final func deliverTimed(_ value: Value, at place: CallPlace) {
    let end = sinks.end
    var index = sinks.start
    while index < end {
      sinks[index]._withUnsafeGuaranteedRef { sink in
        let begun = SlowCallbackHook.begin()
        sink.deliver(value, at: place)
        SlowCallbackHook.end(begun, sink.root, of: self)
      }
      index += 1
    }
  }

  /// Handles what was noted while the sink at `index` was called.
  @inline(never)
  private final func wasCalledNotably(_ index: Int, _ record: UnsafeMutablePointer<belay_thread>) {
    sinks[index]._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: ForeignSubscription<Value>.self).calledNotably(record)
    }
  }

  /// The `send` of a source that does more with a value than deliver it: it always goes through
  /// `process`.
  final func sendByProcess(_ value: Value) -> Code {
    guard let record = recordIfReady else { return sendSlowly(value) }
    let visit = beginVisit(in: record)
    if visit.isOpen {
      keep(value)
      process(.value(value))
    }
    return endVisit(visit)
  }

  /// Accepts a value: `send`, or what a subclass does instead.
  func accept(_ value: Value) -> Code { send(value) }

  @inline(never)
  final func sendSlowly(_ value: Value) -> Code {
    ownHome.isCurrent ? sendSlowlyHere(value) : sendFromElsewhere(value)
  }

  @inline(never)
  final func sendSlowlyHere(_ value: Value) -> Code {
    if !state.isDisjoint(with: [.ended, .ending]) { return afterTheEnd }
    let isBusy = state.contains(.busy)
    if isBusy { OverlapHook.note(.nested, in: self) }
    if !isInTurn {
      let (isEnding, isNext) = sharedHome.underLock { (self.isEnding, waiting == 0) }
      if isEnding { return .ended }
      if !isNext && (!isBusy || reentrancy == .queue) { return share(value) }
      if !isBusy { return acceptNext(value) }
    }
    if !isBusy || reentrancy == .depthFirst {
      guard belay_shim_make_places(Thread.record) else { return .reentrant }
      return visit {
        keep(value)
        process(.value(value))
      }
    }
    let code = pending.append(value, reentrancy, capacity: Int(pendingCapacity))
    note(pending.valueCount)
    state.insert(.attention)
    return code
  }

  @inline(never)
  private final func sendFromElsewhere(_ value: Value) -> Code {
    if isShared { return share(value) }
    if let code = ownHome.onActor({ sendSlowlyHere(value) }) { return code }
    if isEnding { return .ended }
    let code = ownHome.post(Message(lentTo: self, .value, PackedValue(value)), reserved: false)
    return code.isFailure ? code : .queued
  }

  /// Sends an end. It is never refused for lack of room.
  package final func send(_ end: End) -> Code {
    if isShared, !sharedHome.underLock(claimEnding) { return .ended }
    return sendOnly(end)
  }

  private final func sendOnly(_ end: End) -> Code {
    if !ownHome.isCurrent {
      if let code = ownHome.onActor({ sendOnly(end) }) { return code }
      if ownHome.isOver { return .canceled }
      if !isShared && ownHome.acceptsMessages && !claimEnding() { return .ended }
      return post(end)
    }
    if !isInTurn, sharedHome.underLock({ waiting > 0 }) { return post(end) }
    if !state.isDisjoint(with: [.ended, .ending]) { return afterTheEnd }
    let isBusy = state.contains(.busy)
    if (!isBusy || reentrancy == .depthFirst) && !belay_shim_is_deep(Thread.record) {
      return visit { sendEnd(end) }
    }
    pending.append(end)
    state.formUnion([.busy, .attention, .ending])
    // The visit, which would be nested too deeply, counts as begun until it is made.
    if !isBusy { NestedEnds.tellLater(self, .work) }
    return .queued
  }

  private final func post(_ end: End) -> Code {
    if !ownHome.acceptsMessages { return .noHome }
    if isShared { sharedHome.underLock { waiting += 1 } }
    let code = ownHome.post(Message(to: self, .end, PackedValue(end)), reserved: true)
    return code.isFailure ? code : .queued
  }

  private final var afterTheEnd: Code {
    if state.contains(.ended), case .interrupted = lastEnd { return .canceled }
    return .ended
  }

  public final override func receive(_ message: inout Message, isCanceled: Bool) {
    if message.kind != .value || isCanceled || isShared {
      return receiveOther(&message, isCanceled)
    }
    let value = message.packed.open(as: Value.self)
    let code = accept(value)
    discard(value)
    // The value had been accepted, so its sender will not learn of this failure.
    if code.isFailure { losses.add(self, code) }
  }

  @inline(never)
  private final func receiveOther(_ message: inout Message, _ isCanceled: Bool) {
    if message.kind == .work { return makeLateVisit() }
    if isShared { sharedHome.underLock { waiting -= 1 } }
    if message.kind != .end && !isCanceled { return receiveShared(&message) }
    var isMissed = isCanceled && message.wasAccepted && !isClosed
    // Asked only now, because another thread may take the sinks over meanwhile.
    if isMissed { isMissed = !isDeserted }
    if message.kind == .end {
      let end = message.packed.open(as: End.self)
      if !isCanceled {
        state.remove(.shared)
        _ = sendOnly(end)
        if isShared { state.insert(.shared) }
      }
      if case .interrupted = end { isMissed = false }
    } else {
      discard(message.packed.open(as: Value.self))
    }
    if isMissed { losses.add(self, .canceled) }
  }

  // MARK: Events

  /// A visit is over, and the emitter has no way home left: another thread has taken it over, or
  /// this one must.
  package final override func leftAfterClose() {
    if lifecycle.state.has(.deferred), !Delivery.isAnywhere(in: self) { takeOver() }
  }

  func process(_ event: PendingEvents<Value>.Event) {
    switch event {
    case .value(let value):
      if !state.contains(.ended) { deliver(value) }
      discard(value)
    case .end(let end): sendEnd(end)
    }
  }

  /// Sends the end to all sinks.
  final func sendEnd(_ end: End) {
    if state.contains(.ended) { return }
    state.formUnion([.ended, .attention])
    lastEnd = end
    prepare(for: end)
    var index = sinks.start
    while index < sinks.end {
      sinks[index]._withUnsafeGuaranteedRef { sink in
        let begun = SlowCallbackHook.begin()
        sink.deliverEnd(end)
        SlowCallbackHook.end(begun, sink.root, of: self)
      }
      index += 1
    }
  }

  /// Called when the end is about to be sent. Further events are refused already.
  func prepare(for end: End) {}

  final var hasEnded: Bool { state.contains(.ended) }

  // MARK: Visits

  /// Notes in the record that this thread is in this emitter, at home. Meanwhile no other thread
  /// takes the sinks over, and events that are sent from inside wait.
  ///
  /// Where no message reaches the home, another thread that releases the last handle takes the
  /// sinks over. If a thread is inside, that thread does so when it leaves.
  ///
  /// The record must have room for two places; the second is for the sinks.
  @inline(__always)
  final func beginVisit(in record: UnsafeMutablePointer<belay_thread>) -> Delivery {
    let place = belay_shim_enter_two(record)
    belay_shim_publish(record, place, Unmanaged.passUnretained(self).toOpaque())
    let isOpen = !lifecycle.stateInDelivery.has(.deferred)
    if isOpen { state = .busy }
    return Delivery(record: record, place: place, isOpen: isOpen)
  }

  @inline(__always)
  final func endVisit(_ visit: Delivery) -> Code {
    if state != .busy || !visit.isOpen { return endVisitSlowly(visit) }
    state = []
    if belay_shim_end_delivery(visit.record, visit.place) { heedAfterCallbacks(visit.record) }
    return .ok
  }

  /// Handles what was noted in `state` during the visit.
  @inline(never)
  final func endVisitSlowly(_ visit: Delivery) -> Code {
    if visit.isOpen {
      while !pending.isEmpty, let event = pending.popFirst() { process(event) }
      let isAbandoned = state.contains(.abandoned)
      if isAbandoned { sendEnd(.interrupted) }
      state.formIntersection([.ended, .shared])
      if state.contains(.ended) { dismissAll() } else if dead > 0 { sweep() }
      if belay_shim_end_delivery(visit.record, visit.place) { heedAfterCallbacks(visit.record) }
      // The last handle was released during the delivery, and left this reference.
      if isAbandoned { Unmanaged.passUnretained(self).drop() }
      return .ok
    }
    endDeliveryVisibly(visit.record, visit.place)
    return .canceled
  }

  /// Runs `body`, which calls or changes sinks. Events that are sent from inside follow it.
  @discardableResult
  final func visit(_ body: () -> Void) -> Code {
    if state.contains(.busy) {
      body()
      return .ok
    }
    let lasting = state
    let record = Thread.record
    if !belay_shim_has_places(record) { belay_shim_add_places(record) }
    let visit = beginVisit(in: record)
    state.formUnion(lasting)
    if visit.isOpen { body() }
    return endVisitSlowly(visit)
  }

  /// Ends all subscriptions on this thread. No handle is left to send by, and no message reaches
  /// the home.
  final func takeOver() {
    guard lifecycle.claim(.tearingDown) != nil else { return }
    let all = sinks.takeAll()
    all?.forEach { $0.root.dispose() }
    all?.release()
  }

  // MARK: Sinks (see also Emitter+Sinks.swift)

  package final override var sinkCount: Int { livingCount }

  /// Sends a new sink the values that it has missed. It is in the buffer already, so later values
  /// follow.
  func replay(to sink: Sink<Value>) {}

  package final override func detach(_ link: Link, afterEnd: Bool) {
    if ownHome.isCurrent {
      remove(link)
    } else if ownHome.acceptsMessages {
      ownHome.perform { self.remove(link) }
    } else {
      deadElsewhere.wrappingAdd(1, ordering: .releasing)
    }
    left(link)
  }

  /// Called when a link has left; cold sources use it.
  func left(_ link: Link) {}

  /// Runs `body`, which changes the sinks and calls none, so that it needs no visit.
  @inline(__always)
  final func edit(_ body: () -> Void) {
    let record = Thread.record
    let place = CallPlace(record: record, index: belay_shim_begin_delivery(record))
    edit(at: place, body)
    if belay_shim_end_delivery(record, place.index) { belay_shim_heed(record) }
  }

  @inline(__always)
  final func edit(at place: CallPlace, _ body: () -> Void) {
    place.publish(self)
    let isOpen = !lifecycle.stateInDelivery.has(.deferred)
    if isOpen { body() }
    if place.withdraw() || !isOpen { endDeliveryVisibly(at: place) }
  }

  /// Runs `body`, which reads the sinks, unless another thread has taken them over.
  @inline(never)
  final func look(_ body: () -> Void) { edit(body) }

  /// `detach` for a subscription that `attachHere` attached. The caller has a place in the record.
  @_optimize(speed)
  final func detachHere(_ subscription: Sink<Value>, at place: CallPlace) {
    edit(at: place) { removeOnly(subscription) }
  }

  @_optimize(speed)
  final func remove(_ link: Link) { edit { removeOnly(link) } }

  @inline(__always)
  private final func removeOnly(_ link: Link) {
    // A sink that ended before its insertion was never here, and a swept sink is here no more.
    if !link.life.has(.inserted) { return }
    if state.contains(.busy) {
      dead += 1
      state.insert(.attention)
    } else if sinks.takeFromAnEnd(link) {
      Unmanaged.passUnretained(link).drop()
      // A closed sink in the buffer would retain a source that has no subscribers left.
      if dead > 0 { sweepIfWorthwhile() }
    } else {
      dead += 1
      if link.life.has(.indexed) { vacate(link) }
      sweepIfWorthwhile()
    }
    tellCount()
  }

  /// Publishes the number of sinks, and tells the home when the first comes or the last goes.
  @inline(__always)
  final func tellCount() {
    let living = sinks.count - Int(dead)
    known.store(UInt32(truncatingIfNeeded: living), ordering: .relaxed)
    if ownHome.listsResidents && (living > 0) != isListed { changeListing() }
  }

  /// Replaces the stage `link` in the buffer and releases it at once, because the objects that it
  /// holds (an operator's callbacks, for example) must not wait for the next sweep.
  @inline(never)
  private final func vacate(_ link: Link) {
    let index = Int(link.cell)
    guard sinks.holds(link, at: index) else { return }
    sinks.vacate(index)
    Unmanaged.passUnretained(link).drop()
  }

  // MARK: Going without an end

  /// Called when the last handle has been released. Events that are on their way come first.
  package final func abandon() {
    if ownHome.isCurrent && (hasEnded || !ownHome.holdsMessages(for: self)) {
      // All sinks have got the end, and no visit is in progress.
      if state.subtracting(.shared) == .ended { return }
      if state.contains(.busy) {
        abandonAfterVisit()
      } else {
        visit { sendEnd(.interrupted) }
      }
    } else if !ownHome.isCurrent && Delivery.isHere(in: self) {
      // A callback of the visit has closed the home.
      abandonAfterVisit()
    } else if post(.interrupted).isFailure {
      _ = lifecycle.set(.deferred)
      Delivery.noteEverywhere()
      leftAfterClose()
    }
  }

  /// The visit in progress keeps this, and ends it.
  private final func abandonAfterVisit() {
    _ = Unmanaged.passRetained(self)
    state.formUnion([.abandoned, .attention])
  }

  package final override func interrupt() { _ = send(.interrupted) }

  package final override func describe(in report: ClosingReport) {
    for index in sinks.start..<sinks.end {
      let sink = sinks[index].takeUnretainedValue()
      if !sink.isClosed { report.note(sink.root, of: self) }
    }
  }
}
