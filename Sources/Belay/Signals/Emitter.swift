import CBelayShim
import Synchronization

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

/// Sends events to its sinks, in the order of their coming: the engine of subjects and of cold
/// sources.
///
/// At home nothing is queued, locked or allocated, and nothing atomic is done but relaxed loads
/// and stores. Sinks are kept in one buffer; those that left are swept out when nobody is walking
/// it.
public class Emitter<Value>: Source, @unchecked Sendable {
  final var state: EmitterState = []
  final var sinks: SinkBuffer<Value>
  /// How many sinks in the buffer have left.
  final var dead = 0
  final let deadElsewhere = Atomic<Int>(0)
  /// How many have not left, for those who ask elsewhere.
  final let known = Atomic<Int>(0)
  /// Stands, closed, in the places of those that left in the midst.
  final var nobody: Sink<Value>?
  final var lastEnd = End.interrupted
  final var pending = PendingEvents<Value>()
  final let reentrancy: Reentrancy
  final let pendingCapacity: Int
  /// Shared: an end was taken. Under its home's lock.
  final var isEnding = false
  private final let place = Lost.Place()

  /// - Parameter home: instead of the one in `options`.
  package init(_ options: SourceOptions, at home: Home? = nil, room: Int = 4) {
    reentrancy = options.reentrancy
    pendingCapacity = options.capacity
    sinks = SinkBuffer(room: room)
    super.init(
      home: home ?? options.home
        ?? (options.isShared ? SharedHome() : Home.current),
      label: options.label, site: options.site)
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

  /// Sends a value, which is borrowed.
  @inline(__always)
  package final func send(_ value: Value) -> Code {
    guard let record = recordIfReady else { return sendSlowly(value) }
    let visit = beginVisit(in: record)
    if visit.isOpen { deliver(value, at: CallPlace(record: record, index: visit.place &+ 1)) }
    return endVisit(visit)
  }

  /// This thread's record, if it is at home, nothing is going on here, and there is room for a visit.
  @inline(__always)
  final var recordIfReady: UnsafeMutablePointer<belay_thread>? {
    guard let record = ownHome.recordIfCurrent, state.isEmpty, belay_shim_has_places(record)
    else { return nil }
    return record
  }

  /// Delivers inside of another delivery.
  final func deliver(_ value: Value) {
    let record = Thread.record
    if !belay_shim_has_places(record) { belay_shim_add_places(record) }
    // Two, as a visit does, so that as many fit into each other.
    let place = CallPlace(record: record, index: belay_shim_enter_two(record))
    deliver(value, at: place)
    if belay_shim_end_delivery(record, place.index) { belay_shim_heed(record) }
  }

  /// Calls the sinks, one after the other.
  @inline(__always)
  private final func deliver(_ value: Value, at place: CallPlace) {
    let end = sinks.end
    var index = sinks.start
    while index < end {
      sinks[index]._withUnsafeGuaranteedRef { sink in
        // The usual sink, without asking its class.
        place.publish(sink)
        if sink.lifecycle.stateInDelivery.isOpenToDirectCalls {
          let sink = unsafeDowncast(sink, to: ForeignSubscription<Value>.self)
          sink.call(value)
          if place.withdraw() { wasCalledNotably(index, place.record) }
        } else {
          // It publishes what it is a part of.
          sink.deliver(value, at: place)
        }
      }
      index += 1
    }
  }

  /// Something was noted while the sink at `index` was called.
  @inline(never)
  private final func wasCalledNotably(_ index: Int, _ record: UnsafeMutablePointer<belay_thread>) {
    sinks[index]._withUnsafeGuaranteedRef {
      unsafeDowncast($0, to: ForeignSubscription<Value>.self).calledNotably(record)
    }
  }

  /// `send` for a source that does more with a value than to deliver it: by `process`, always.
  final func sendByProcess(_ value: Value) -> Code {
    guard let record = recordIfReady else { return sendSlowly(value) }
    let visit = beginVisit(in: record)
    if visit.isOpen {
      keep(value)
      process(.value(value))
    }
    return endVisit(visit)
  }

  /// `send`, or what a source has in its place.
  func take(_ value: Value) -> Code { send(value) }

  /// The same for what is never refused, however deep inside it is sent.
  final func takeInAnyCase(_ value: Value) {
    let record = Thread.record
    if !belay_shim_has_places(record) { belay_shim_add_places(record) }
    _ = take(value)
  }

  @inline(never)
  final func sendSlowly(_ value: Value) -> Code {
    ownHome.isCurrent ? sendSlowlyHere(value) : sendFromElsewhere(value)
  }

  @inline(never)
  final func sendSlowlyHere(_ value: Value) -> Code {
    if !state.isDisjoint(with: [.ended, .ending]) { return afterTheEnd }
    if state.isEmpty || reentrancy == .depthFirst {
      guard belay_shim_make_places(Thread.record) else { return .reentrant }
      return visit {
        keep(value)
        process(.value(value))
      }
    }
    let code = pending.append(value, reentrancy, capacity: pendingCapacity)
    state.insert(.attention)
    return code
  }

  @inline(never)
  private final func sendFromElsewhere(_ value: Value) -> Code {
    if isShared { return share(value) }
    let code = ownHome.post(Message(lentTo: self, .value, Payload(value)), reserved: false)
    return code.isFailure ? code : .queued
  }

  /// Ends it. Never refused for lack of room.
  package final func send(_ end: End) -> Code {
    if isShared, !claimEnding() { return .ended }
    return sendOnly(end)
  }

  private final func sendOnly(_ end: End) -> Code {
    if !ownHome.isCurrent { return post(end) }
    if !state.isDisjoint(with: [.ended, .ending]) { return afterTheEnd }
    if state.contains(.busy) && reentrancy != .depthFirst {
      pending.append(end)
      state.formUnion([.attention, .ending])
      return .queued
    }
    return visit { finish(end) }
  }

  private final func post(_ end: End) -> Code {
    if !ownHome.acceptsMessages { return .noHome }
    let code = ownHome.post(Message(to: self, .end, Payload(end)), reserved: true)
    return code.isFailure ? code : .queued
  }

  // MARK: Shared

  final var sharedHome: SharedHome { unsafeDowncast(ownHome, to: SharedHome.self) }

  /// Shared: delivers `value` on this thread, or leaves it to the one that is there.
  @inline(never)
  private final func share(_ value: Value) -> Code {
    let home = sharedHome
    let entry = home.enter(
      orLeave: { Message(to: self, .value, Payload(value)) }, replacing: reentrancy == .latest,
      limit: pendingCapacity
    ) { isEnding ? .ended : .ok }
    switch entry {
    case .refused(let code): return code
    case .queued: return .queued
    case .entered:
      let code = take(value)
      home.leave()
      return code
    }
  }

  /// Shared: nothing is taken after an end, whichever thread it comes from. True for the first one.
  private final func claimEnding() -> Bool {
    sharedHome.underLock {
      defer { isEnding = true }
      return !isEnding
    }
  }

  private final var afterTheEnd: Code {
    if state.contains(.ended), case .interrupted = lastEnd { return .canceled }
    return .ended
  }

  public final override func receive(_ message: inout Message, isCanceled: Bool) {
    if message.kind == .end || isCanceled { return receiveOther(&message, isCanceled) }
    let value = message.payload.open(as: Value.self)
    let code = take(value)
    discard(value)
    // Whoever sent it was told that it was taken.
    if code.isFailure { place.lose(self, code) }
  }

  @inline(never)
  private final func receiveOther(_ message: inout Message, _ isCanceled: Bool) {
    var isMissed = isCanceled && message.wasTaken && !isClosed
    // Another thread may take the sinks over meanwhile.
    if isMissed { isMissed = !isDeserted }
    if message.kind == .end {
      let end = message.payload.open(as: End.self)
      if !isCanceled { _ = sendOnly(end) }
      if case .interrupted = end { isMissed = false }
    } else {
      discard(message.payload.open(as: Value.self))
    }
    if isMissed { place.lose(self, .canceled) }
  }

  // MARK: Events

  /// A visit is over, and it was taken over, or is to be.
  package final override func leftAfterClose() {
    if lifecycle.state.has(.deferred), !Delivery.isAnywhere(in: self) { takeOver() }
  }

  func process(_ event: PendingEvents<Value>.Event) {
    switch event {
    case .value(let value):
      if !state.contains(.ended) { deliver(value) }
      discard(value)
    case .end(let end): finish(end)
    }
  }

  /// Sends the end to everybody.
  final func finish(_ end: End) {
    if state.contains(.ended) { return }
    state.formUnion([.ended, .attention])
    lastEnd = end
    prepare(for: end)
    var place = sinks.start
    while place < sinks.end {
      sinks[place]._withUnsafeGuaranteedRef { $0.deliverEnd(end) }
      place += 1
    }
  }

  /// The end is about to be sent, and nothing is taken any more.
  func prepare(for end: End) {}

  final var hasEnded: Bool { state.contains(.ended) }

  // MARK: Visits

  /// This thread is at home, and in here: nobody else takes the sinks over meanwhile, and what is
  /// sent from inside waits.
  ///
  /// Where no mail reaches the home, another thread that gives the last handle back takes the sinks
  /// over when nobody is here, or leaves that to whoever is.
  ///
  /// The record has room; the place behind the visit's is for the sinks.
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
    if belay_shim_end_delivery(visit.record, visit.place) { heedNote(visit.record) }
    return .ok
  }

  /// Does what came up during the visit.
  @inline(never)
  final func endVisitSlowly(_ visit: Delivery) -> Code {
    if visit.isOpen {
      while !pending.isEmpty, let event = pending.popFirst() { process(event) }
      let isAbandoned = state.contains(.abandoned)
      if isAbandoned { finish(.interrupted) }
      state = state.contains(.ended) ? .ended : []
      if state.contains(.ended) { dismissAll() } else if dead > 0 { sweep() }
      if belay_shim_end_delivery(visit.record, visit.place) { heedNote(visit.record) }
      // Its last handle went during the delivery, and left this reference.
      if isAbandoned { Unmanaged.passUnretained(self).drop() }
      return .ok
    }
    endDeliveryVisibly(visit.record, visit.place)
    return .canceled
  }

  /// Does what calls sinks, or changes them: what is sent from inside follows it.
  @discardableResult
  final func visit(_ body: () -> Void) -> Code {
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
  final func takeOver() {
    guard lifecycle.claim(.tearingDown) != nil else { return }
    let all = sinks.takeAll()
    all?.forEach { $0.root.dispose() }
    all?.release()
  }

  // MARK: Sinks, of which Emitter+Sinks.swift has the rest

  /// Sends a newcomer, who hears already what is sent from now on, what it has missed.
  func replay(to sink: Sink<Value>) {}

  package final override func detach(_ link: Link, afterEnd: Bool) {
    if ownHome.isCurrent {
      remove(link)
    } else if ownHome.acceptsMessages {
      ownHome.perform { self.remove(link) }
    } else {
      deadElsewhere.add(1, ordering: .releasing)
    }
    linkLeft()
  }

  /// A link has left; for cold sources.
  func linkLeft() {}

  /// Changes the sinks, where a visit is not needed.
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

  /// What `detach` is for a subscription that was attached so, by who has a place.
  @_optimize(speed)
  final func detachHere(_ subscription: Sink<Value>, at place: CallPlace) {
    edit(at: place) { removeOnly(subscription) }
  }

  @_optimize(speed)
  final func remove(_ link: Link) { edit { removeOnly(link) } }

  @inline(__always)
  private final func removeOnly(_ link: Link) {
    // What ended before it was reached has never been here; what was swept is here no more.
    if !link.life.has(.inserted) { return }
    if state.contains(.busy) {
      dead += 1
      state.insert(.attention)
    } else if sinks.takeFromAnEnd(link) {
      Unmanaged.passUnretained(link).drop()
      // A sink that is left over would keep a source that nobody subscribes to any more.
      if dead > 0 { sweepIfWorthwhile() }
    } else {
      dead += 1
      if link.life.has(.placed) { vacate(link) }
      sweepIfWorthwhile()
    }
    tellCount()
  }

  @inline(__always)
  final func tellCount() {
    let living = sinks.count - dead
    known.store(living, ordering: .relaxed)
    if ownHome.listsResidents && (living > 0) != isListed { changeListing() }
  }

  /// Its home knows it while somebody is subscribed.
  @inline(never)
  private final func changeListing() {
    if isListed { ownHome.unlist(self) } else { ownHome.list(self) }
  }

  /// Lets go of a link that is more than a subscriber at once: what it holds (an operator's
  /// callbacks, say) must not wait for the next sweep.
  private final func vacate(_ link: Link) {
    let place = Int(link.slot)
    guard sinks.holds(link, at: place) else { return }
    let nobody = nobody ?? Sink<Value>()
    if self.nobody == nil {
      _ = nobody.close()
      self.nobody = nobody
    }
    sinks[place] = .passRetained(nobody)
    Unmanaged.passUnretained(link).drop()
  }

  @inline(__always)
  final func sweepIfWorthwhile() {
    let gone = dead + deadElsewhere.load(ordering: .relaxed)
    if gone > sinks.count - gone { sweep() }
  }

  @inline(never)
  final func sweep() {
    let counted = dead
    let expected = counted + deadElsewhere.exchange(0, ordering: .acquiring)
    dead = 0
    let closed = sinks.takeClosed(expected: expected)
    // Some of them have closed and are still on the way to leave. `remove` must not count those.
    if closed.count > counted { closed.forEach { _ = $0.lifecycle.clear(.inserted) } }
    tellCount()
    closed.release()
  }

  /// Lets go of everybody: all have got the end. (Who was disposed of elsewhere may still be on the
  /// way to leave.)
  final func dismissAll() {
    dead = 0
    let all = sinks.takeAll()
    tellCount()
    all?.release()
  }

  // MARK: Going without an end

  /// The last handle has gone. What was sent before, and is on its way, comes first.
  package final func abandon() {
    if ownHome.isCurrent && (hasEnded || !ownHome.holdsMessages(for: self)) {
      // All have been told, and nobody is inside.
      if state == .ended { return }
      if state.contains(.busy) {
        _ = Unmanaged.passRetained(self)
        state.formUnion([.abandoned, .attention])
      } else {
        visit { finish(.interrupted) }
      }
    } else if post(.interrupted).isFailure {
      _ = lifecycle.set(.deferred)
      Delivery.noteEverywhere()
      leftAfterClose()
    }
  }

  package final override func interrupt() { _ = send(.interrupted) }

  package final override func describeSubscriptions(_ report: (Link) -> Void) {
    for place in sinks.start..<sinks.end {
      let sink = sinks[place].takeUnretainedValue()
      if !sink.isClosed { report(sink.root) }
    }
  }
}
