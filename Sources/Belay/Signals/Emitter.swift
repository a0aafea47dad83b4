import CBelayShim
import Synchronization

private struct EmitterState: OptionSet {
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
  private final var state: EmitterState = []
  private final var sinks: SinkBuffer<Value>
  /// How many sinks in the buffer have left.
  private final var dead = 0
  private final let deadElsewhere = Atomic<Int>(0)
  /// How many have not left, for those who ask elsewhere.
  private final let known = Atomic<Int>(0)
  /// Stands, closed, in the places of those that left in the midst.
  private final var nobody: Sink<Value>?
  private final var lastEnd = End.interrupted
  final var pending = PendingEvents<Value>()
  final let reentrancy: Reentrancy
  final let pendingCapacity: Int
  /// For a shared one: who is delivering, under the lock.
  final let sharing = Lock()
  final var deliverer: UInt64 = 0
  final var isEnding = false
  /// See `SourceOptions`.
  private final let prefersHops: Bool

  package init(_ options: SourceOptions, room: Int = 4) {
    reentrancy = options.reentrancy
    pendingCapacity = options.capacity
    prefersHops = options.prefersHops
    sinks = SinkBuffer(room: room)
    super.init(
      home: options.isShared ? SharedHome.shared : options.home ?? Home.current,
      label: options.label, site: options.site)
  }

  deinit {
    sinks.destroy()
    pending.removeAll()
  }

  package final override var chainName: Text { label?.text ?? chainNameOfUnlabelled }
  var chainNameOfUnlabelled: Text { "subject" }
  package final var isShared: Bool { ownHome.isShared }

  // MARK: Sending

  /// Sends a value, which is borrowed.
  @inline(__always)
  package final func send(_ value: Value) -> Code {
    guard ownHome.isCurrent, state.isEmpty else { return sendSlowly(value) }
    state = .busy
    deliver(value)
    if state == .busy { state = [] } else { settle() }
    return .ok
  }

  @inline(__always)
  final func deliver(_ value: Value) {
    let end = sinks.end
    var place = sinks.start
    while place < end {
      sinks[place]._withUnsafeGuaranteedRef { sink in
        if let passage = sink.enterDirectly() {
          unsafeDowncast(sink, to: ForeignSubscription<Value>.self).call(value)
          sink.leave(passage)
        } else {
          sink.enter(value)
        }
      }
      place += 1
    }
  }

  /// `send` for a source that does more with a value than to deliver it: by `process`, always.
  final func sendByProcess(_ value: Value) -> Code {
    guard ownHome.isCurrent, state.isEmpty else { return sendSlowly(value) }
    state = .busy
    keep(value)
    process(.value(value))
    if state == .busy { state = [] } else { settle() }
    return .ok
  }

  /// `send`, or what a source has in its place.
  func take(_ value: Value) -> Code { send(value) }

  @inline(never)
  private final func sendSlowly(_ value: Value) -> Code {
    if isShared { return share(.value(value)) }
    if !ownHome.isCurrent {
      if !ownHome.acceptsMail { return .noHome }
      let code = ownHome.post(Letter(lentTo: self, .value, Parcel(value)), reserved: false)
      return code.isFailure ? code : .queued
    }
    if !state.isDisjoint(with: [.ended, .ending]) { return afterTheEnd }
    if reentrancy == .depthFirst {
      keep(value)
      process(.value(value))
      return .ok
    }
    let code = pending.append(value, reentrancy, capacity: pendingCapacity)
    state.insert(.attention)
    return code
  }

  /// Ends it. Never refused for lack of room.
  package final func send(_ end: End) -> Code {
    if isShared { return share(.end(end)) }
    if !ownHome.isCurrent { return post(end) }
    if !state.isDisjoint(with: [.ended, .ending]) { return afterTheEnd }
    if state.contains(.busy) && reentrancy != .depthFirst {
      pending.append(end)
      state.formUnion([.attention, .ending])
      return .queued
    }
    finish(end)
    return .ok
  }

  private final func post(_ end: End) -> Code {
    if !ownHome.acceptsMail { return .noHome }
    let code = ownHome.post(Letter(to: self, .end, Parcel(end)), reserved: true)
    return code.isFailure ? code : .queued
  }

  private final var afterTheEnd: Code {
    if state.contains(.ended), case .interrupted = lastEnd { return .canceled }
    return .ended
  }

  public final override func receive(_ letter: inout Letter, isRefused: Bool) {
    if letter.kind == .end {
      let end = letter.parcel.open(as: End.self)
      if !isRefused { _ = send(end) }
    } else {
      let value = letter.parcel.open(as: Value.self)
      if !isRefused { _ = take(value) }
      discard(value)
    }
  }

  // MARK: After a delivery

  /// Does what came up during a delivery.
  @inline(never)
  private final func settle() {
    while let event = pending.popFirst() { process(event) }
    let isAbandoned = state.contains(.abandoned)
    if isAbandoned { finish(.interrupted) }
    state = state.contains(.ended) ? .ended : []
    if state.contains(.ended) { dismissAll() } else if dead > 0 { sweep() }
    // Its last handle went during the delivery, and left this reference.
    if isAbandoned { Unmanaged.passUnretained(self).drop() }
  }

  func process(_ event: PendingEvents<Value>.Event) {
    switch event {
    case .value(let value):
      if !state.contains(.ended) { deliver(value) }
      discard(value)
    case .end(let end): finish(end)
    case .attach(let sink): insert(sink)
    }
  }

  /// Sends the end to everybody.
  final func finish(_ end: End) {
    if state.contains(.ended) { return }
    let isOutermost = !state.contains(.busy)
    state.formUnion([.ended, .busy])
    lastEnd = end
    prepare(for: end)
    var place = sinks.start
    while place < sinks.end {
      sinks[place]._withUnsafeGuaranteedRef { $0.enterEnd(end) }
      place += 1
    }
    if !isOutermost { state.insert(.attention) } else if !isShared { settle() }
  }

  /// The end is about to be sent, and nothing is taken any more.
  func prepare(for end: End) {}

  final var hasEnded: Bool { state.contains(.ended) }

  /// Does what calls a sink outside a delivery: what is sent from inside follows it.
  final func whileBusy(_ body: () -> Void) {
    let isOutermost = !state.contains(.busy)
    state.insert(.busy)
    body()
    if !isOutermost { return }
    if state == .busy { state = [] } else { settle() }
  }

  /// Shared: does `event` as the one thread that delivers.
  final func processAlone(_ event: PendingEvents<Value>.Event) {
    state.insert(.busy)
    process(event)
    state = state.contains(.ended) ? .ended : []
    if state.contains(.ended) { dismissAll() } else { sweepIfWorthwhile() }
  }

  // MARK: Sinks

  /// Attaches `sink` for `home`, on whose thread this is called.
  package final func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    if isShared && !sink.joins {
      admit(hang(sink, for: home))
      return .ok
    }
    if home === ownHome {
      sink.hang(on: self)
      insert(sink)
      return .ok
    }
    if !isShared && !ownHome.isCurrent && !(ownHome.acceptsMail && home.acceptsMail) {
      return .noHome
    }
    let hop = hop(to: sink, at: home)
    if isShared {
      admit(hop)
      return .ok
    }
    let code = ownHome.perform { self.insert(hop) }
    return code.isFailure ? code : .ok
  }

  private final func hop(to sink: Sink<Value>, at home: Home) -> Sink<Value> {
    let hop = Hop(sink, at: home)
    sink.upstream = hop
    hop.upstream = self
    return hop
  }

  /// Shared: hangs a sink below, before others know it, for its `home`. `admit` of the answer
  /// lets it hear.
  final func hang(_ sink: Sink<Value>, for home: Home) -> Sink<Value> {
    if prefersHops && home.acceptsMail { return hop(to: sink, at: home) }
    sink.upstream = self
    return sink
  }

  /// On any thread, also when the sink has been disposed meanwhile.
  final func admit(_ sink: Sink<Value>) { _ = share(.attach(sink)) }

  /// Whether it has not ended, and this thread is bound to its home.
  @inline(__always)
  package final var isOpenHere: Bool {
    ownHome.isCurrent && !state.contains(.ended)
      && Thread.record.pointee.home == Unmanaged.passUnretained(ownHome).toOpaque()
  }

  /// Attaches a subscription that nobody knows yet, without a home of its own, to a source without
  /// memory that `isOpenHere`: calls nothing.
  @_optimize(speed)
  package final func attachHere(_ subscription: Sink<Value>) {
    subscription.hang(on: self)
    subscription.mark(.direct)
    append(.passRetainedUnshared(subscription))
  }

  /// What `detach` is for a subscription that was attached so.
  @inline(__always)
  final func detachHere(_ subscription: Sink<Value>) { remove(subscription) }

  private final func insert(_ sink: consuming Sink<Value>) {
    if sink.isClosed { return }
    if state.contains(.ended) {
      replay(to: sink)
      sink.enterEnd(lastEnd)
      return
    }
    append(.passRetained(sink))
    if !sink.flags.contains(.callsDirectly), sink.root !== sink {
      sink.slot = UInt32(sinks.end - 1)
      _ = sink.raise(.placed)
    }
    replay(to: sink)
  }

  @inline(__always)
  private final func append(_ sink: Unmanaged<Sink<Value>>) {
    if sinks.isFull { makeRoom() }
    sinks.append(sink)
    tellCount()
  }

  /// Sends a newcomer, who hears already what is sent from now on, what it has missed.
  func replay(to sink: Sink<Value>) {}

  @inline(never)
  private final func makeRoom() {
    if !state.contains(.busy) {
      sweepIfWorthwhile()
      if sinks.isFull && sinks.isHollow { sweep() }
    }
    if sinks.isFull { sinks.grow() }
  }

  package final override func detach(_ link: Link, afterEnd: Bool) {
    if ownHome.isCurrent {
      remove(link)
    } else if !isShared && ownHome.acceptsMail {
      ownHome.perform { self.remove(link) }
    } else {
      deadElsewhere.add(1, ordering: .releasing)
      if isShared { sweepShared() }
    }
    linkLeft()
  }

  /// A link has left; for cold sources.
  func linkLeft() {}

  @_optimize(speed)
  private final func remove(_ link: Link) {
    if state.contains(.busy) {
      dead += 1
      state.insert(.attention)
    } else if sinks.takeFromAnEnd(link) {
      Unmanaged.passUnretained(link).drop()
    } else {
      dead += 1
      if link.flags.contains(.placed) { vacate(link) }
      sweepIfWorthwhile()
    }
    tellCount()
  }

  @inline(__always)
  private final func tellCount() { known.store(sinks.count - dead, ordering: .relaxed) }

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
  private final func sweepIfWorthwhile() {
    let gone = dead + deadElsewhere.load(ordering: .relaxed)
    if gone > sinks.count - gone { sweep() }
  }

  @inline(never)
  private final func sweep() { takeClosed().release() }

  /// Lets go of everybody: all have got the end. (Who was disposed of elsewhere may still be on the
  /// way to leave.)
  private final func dismissAll() {
    dead = 0
    let all = sinks.takeAll()
    tellCount()
    all?.release()
  }

  /// Takes out the sinks that have left.
  final func takeClosed() -> SinkBuffer<Value>.Removed {
    let expected = dead + deadElsewhere.exchange(0, ordering: .acquiring)
    dead = 0
    let closed = sinks.takeClosed(expected: expected)
    tellCount()
    return closed
  }

  /// At home: whether whoever is subscribed has been disposed of, though the news is not here yet.
  package final var isDeserted: Bool {
    guard ownHome.isCurrent else { return false }
    for place in sinks.start..<sinks.end
    where !sinks[place]._withUnsafeGuaranteedRef({ $0.root.isClosed }) { return false }
    return sinks.count > 0
  }

  /// How many are subscribed; elsewhere than at home an estimate.
  package final var sinkCount: Int {
    if ownHome.isCurrent { return exactCount }
    if isShared {
      sharing.acquire()
      defer { sharing.release() }
      // Nobody changes anything meanwhile.
      if deliverer == 0 || deliverer == Thread.record.pointee.id { return exactCount }
    }
    return max(0, known.load(ordering: .relaxed) - deadElsewhere.load(ordering: .relaxed))
  }

  private final var exactCount: Int {
    var living = 0
    for place in sinks.start..<sinks.end
    where !sinks[place]._withUnsafeGuaranteedRef({ $0.isClosed }) { living += 1 }
    return living
  }

  // MARK: Going without an end

  /// The last handle has gone. What was sent before, and is on its way, comes first.
  package final func abandon() {
    if isShared {
      _ = share(.end(.interrupted))
    } else if ownHome.isCurrent && (hasEnded || !ownHome.holdsMail(for: self)) {
      if state.contains(.busy) {
        _ = Unmanaged.passRetained(self)
        state.formUnion([.abandoned, .attention])
      } else {
        finish(.interrupted)
      }
    } else if post(.interrupted).isFailure {
      // No handle is left to send by, and no way home: end each where we are.
      for place in sinks.start..<sinks.end {
        sinks[place]._withUnsafeGuaranteedRef { $0.root.dispose() }
      }
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
