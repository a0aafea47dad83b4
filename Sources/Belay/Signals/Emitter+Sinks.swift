import CBelayShim
import Synchronization

// Who is subscribed: how sinks come, go and are counted. All of it at home but where it says so.
extension Emitter {
  /// Attaches `sink` for `home`, on whose thread this is called, or which cannot be reached from here
  /// but through this emitter's.
  package final func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    if ownHome.isClosing { return .canceled }
    if home === ownHome {
      sink.hang(on: self)
      return admit(sink)
    }
    if !reaches(home) { return .noHome }
    let hop = hop(to: sink, at: home)
    hop.beListed()
    let code = admit(hop)
    if code.isFailure { hop.dismiss() }
    return code
  }

  /// Whether events find their way to `home`.
  private final func reaches(_ home: Home) -> Bool {
    // Two homes of one thread, which had a loop in between, say.
    if ownHome.isCurrent && !isShared { return home.acceptsMail || home.isCurrent }
    return home.acceptsMail && ownHome.acceptsMail
  }

  private final func hop(to sink: Sink<Value>, at home: Home) -> Hop<Value> {
    let hop = Hop(sink, at: home)
    sink.upstream = hop
    hop.upstream = self
    return hop
  }

  /// Hangs a sink below, before others know it, for its `home`. `admit` of the answer lets it hear.
  final func hang(_ sink: Sink<Value>, for home: Home) -> Sink<Value> {
    if home !== ownHome && home.acceptsMail {
      let hop = hop(to: sink, at: home)
      hop.beListed()
      return hop
    }
    sink.upstream = self
    return sink
  }

  /// On any thread, also when the sink has been disposed meanwhile. A home that closes before it has
  /// been reached interrupts it.
  @discardableResult
  final func admit(_ sink: Sink<Value>) -> Code {
    if ownHome.isCurrent {
      insert(sink)
      return .ok
    }
    return ownHome.perform({ self.insert(sink) }, orElse: { sink.enterEnd(.interrupted) })
  }

  /// Whether it has not ended, and this thread is bound to its home.
  @inline(__always)
  package final var isOpenHere: Bool {
    ownHome.isCurrent && !state.contains(.ended) && !ownHome.isClosing
      && Thread.own.pointee.home == Unmanaged.passUnretained(ownHome).toOpaque()
  }

  /// Attaches a subscription that nobody knows yet, without a home of its own, to a source without
  /// memory that `isOpenHere`: calls nothing.
  @_optimize(speed)
  package final func attachHere(_ subscription: Sink<Value>) {
    subscription.hang(on: self)
    subscription.lifecycle.begin(with: [.direct, .inserted])
    edit { append(.passRetainedUnshared(subscription)) }
  }

  /// Changes the sinks, where a visit is not needed.
  @inline(__always)
  private final func edit(_ body: () -> Void) {
    let record = Thread.record
    let place = CallPlace(record: record, index: belay_shim_enter(record))
    edit(at: place, body)
    if belay_shim_leave(record, place.index) { belay_shim_heed(record) }
  }

  @inline(__always)
  private final func edit(at place: CallPlace, _ body: () -> Void) {
    place.publish(self)
    let isOpen = !lifecycle.stateInDelivery.has(.deferred)
    if isOpen { body() }
    if place.withdraw() || !isOpen { leaveVisibly(place) }
  }

  /// What `detach` is for a subscription that was attached so, by who has a place.
  @_optimize(speed)
  final func detachHere(_ subscription: Sink<Value>, at place: CallPlace) {
    edit(at: place) { removeOnly(subscription) }
  }

  /// `attach` for the first sink of an emitter that nobody knows yet.
  final func attachFirst(_ sink: Sink<Value>, at home: Home) -> Code {
    guard home === ownHome, home.isCurrent, !home.isClosing, !sink.isClosed else {
      return attach(sink, at: home)
    }
    sink.hangUnshared(on: self)
    if sinks.isFull { sinks.grow() }
    let isUnshared = sink.isUnshared
    sinks.append(isUnshared ? .passRetainedUnshared(sink) : .passRetained(sink))
    tellCount()
    noteInserted(sink, isUnshared)
    return .ok
  }

  private final func insert(_ sink: consuming Sink<Value>) {
    if sink.isClosed { return }
    if state.contains(.ended) {
      replay(to: sink)
      sink.enterEnd(lastEnd)
      return
    }
    edit { append(.passRetained(sink)) }
    noteInserted(sink)
    replay(to: sink)
  }

  /// Tells the newest sink where it is.
  @inline(__always)
  private final func noteInserted(_ sink: Sink<Value>, _ isUnshared: Bool = false) {
    var marks = Lifecycle.Marks.inserted
    if !sink.life.has(.callsDirectly) && sink.root !== sink {
      sink.slot = UInt32(sinks.end - 1)
      marks.insert(.placed)
    }
    if isUnshared { return sink.lifecycle.begin(with: marks) }
    _ = sink.lifecycle.set(marks)
  }

  @inline(__always)
  private final func append(_ sink: Unmanaged<Sink<Value>>) {
    if sinks.isFull { makeRoom() }
    sinks.append(sink)
    tellCount()
  }

  @inline(never)
  private final func makeRoom() {
    if !state.contains(.busy) {
      sweepIfWorthwhile()
      if sinks.isFull && sinks.isHollow { sweep() }
    }
    if sinks.isFull { sinks.grow() }
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
  private final func tellCount() {
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
  private final func sweepIfWorthwhile() {
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

  /// At home: whether whoever is subscribed has been disposed of, though the news is not here yet.
  package final var isDeserted: Bool {
    guard ownHome.isCurrent else { return false }
    var isDeserted = false
    // Published, for where no mail arrives any more another thread may take the sinks over.
    edit { isDeserted = areSinksClosed }
    return isDeserted
  }

  /// Whether there are sinks, and all have been closed. By who is at home, and published.
  final var areSinksClosed: Bool {
    for place in sinks.start..<sinks.end
    where !sinks[place]._withUnsafeGuaranteedRef({ $0.isPartOfClosed }) { return false }
    return sinks.count > 0
  }

  /// How many are subscribed; elsewhere than at home an estimate.
  package final var sinkCount: Int {
    if ownHome.isCurrent { return exactCount }
    if isShared, sharedHome.enter() {
      let count = exactCount
      sharedHome.leave()
      return count
    }
    return max(0, known.load(ordering: .relaxed) - deadElsewhere.load(ordering: .relaxed))
  }

  private final var exactCount: Int {
    var living = 0
    for place in sinks.start..<sinks.end
    where !sinks[place]._withUnsafeGuaranteedRef({ $0.isClosed }) { living += 1 }
    return living
  }
}
