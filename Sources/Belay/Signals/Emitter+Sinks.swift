import CBelayShim
import Synchronization

// How sinks are added, swept out and counted. These functions run at the emitter's home unless they
// say otherwise.
extension Emitter {
  /// Attaches `sink`, whose subscription's home is `home`. The calling thread is at that home,
  /// unless the home can only be reached through this emitter's home.
  package final func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    if ownHome.isClosing { return .canceled }
    if home === ownHome {
      sink.hang(on: self)
      return admit(sink)
    }
    if !reaches(home) { return .noHome }
    let hop = hop(to: sink, at: home)
    hop.enterList()
    let code = admit(hop)
    if code.isFailure { hop.dismiss() }
    return code
  }

  /// Whether events can reach `home` from here.
  private final func reaches(_ home: Home) -> Bool {
    // One thread may have had two homes, for example before and after it had a loop.
    if ownHome.isCurrent && !isShared { return home.acceptsMessages || home.isCurrent }
    return home.acceptsMessages && ownHome.acceptsMessages
  }

  private final func hop(to sink: Sink<Value>, at home: Home) -> Hop<Value> {
    // Values of this wait there, beside those of other sources that have no capacity of their own.
    if isShared && home.isShared {
      let capacity = max(SharedHome.usualCapacity, Int(pendingCapacity))
      unsafeDowncast(home, to: SharedHome.self).makeRoom(for: capacity)
    }
    let hop = Hop(sink, at: home)
    sink.upstream = hop
    hop.upstream = self
    return hop
  }

  /// Puts `sink`, and a hop if its `home` needs one, below this emitter before other threads know
  /// it. Passing the result to `admit` lets it receive events.
  final func hang(_ sink: Sink<Value>, for home: Home) -> Sink<Value> {
    if home !== ownHome && home.acceptsMessages {
      let hop = hop(to: sink, at: home)
      hop.enterList()
      return hop
    }
    sink.upstream = self
    return sink
  }

  /// Adds `sink` to the buffer, on any thread, even if it has been disposed of meanwhile. If the
  /// emitter's home closes before it is reached, the sink is interrupted.
  @discardableResult
  final func admit(_ sink: Sink<Value>) -> Code {
    if ownHome.isCurrent {
      insert(sink)
      return .ok
    }
    return ownHome.perform({ self.insert(sink) }, orElse: { sink.deliverEnd(.interrupted) })
  }

  /// Sends a value to a new sink, and then discards it.
  final func replay(kept value: Value, to sink: Sink<Value>) {
    visit { sink.deliver(value) }
    discard(value)
  }

  /// Whether the emitter has not ended, and the calling thread is bound to its home.
  @inline(__always)
  package final var isOpenHere: Bool {
    ownHome.isCurrent && !state.contains(.ended) && !ownHome.isClosing
      && Thread.own.pointee.home == Unmanaged.passUnretained(ownHome).toOpaque()
  }

  /// Attaches a new subscription that no other thread knows, and that has no home of its own. The
  /// source `isOpenHere` and has no memory, so no callback runs.
  @_optimize(speed)
  package final func attachHere(_ subscription: Sink<Value>) {
    subscription.hang(on: self)
    subscription.lifecycle.begin(with: [.direct, .inserted])
    edit { append(.passRetainedUnshared(subscription)) }
  }

  /// `attach` for the first sink of an emitter that no other thread knows.
  final func attachFirst(_ sink: Sink<Value>, at home: Home) -> Code {
    guard home === ownHome, home.isCurrent, !home.isClosing, !sink.isClosed else {
      return attach(sink, at: home)
    }
    sink.hang(onHeld: .passRetainedUnshared(self))
    let isUnshared = sink.isUnshared
    append(isUnshared ? .passRetainedUnshared(sink) : .passRetained(sink))
    noteInserted(sink, isUnshared)
    return .ok
  }

  private final func insert(_ sink: consuming Sink<Value>) {
    if sink.isClosed { return }
    // False too if another thread has taken the sinks over, which is an interruption.
    var isIn = false
    if !state.contains(.ended) {
      edit {
        append(.passRetained(sink))
        noteInserted(sink)
        isIn = true
      }
    }
    replay(to: sink)
    if !isIn { sink.deliverEnd(lastEnd) }
  }

  /// Marks the newest sink as inserted, and tells a stage its index in the buffer.
  @inline(__always)
  private final func noteInserted(_ sink: Sink<Value>, _ isUnshared: Bool = false) {
    var marks = Lifecycle.Marks.inserted
    if !sink.life.has(.callsDirectly) && sink.root !== sink {
      sink.cell = UInt32(sinks.end - 1)
      marks.insert(.indexed)
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

  @inline(__always)
  final func sweepIfWorthwhile() {
    let gone = Int(dead) + Int(deadElsewhere.load(ordering: .relaxed))
    if gone > sinks.count - gone { sweep() }
  }

  @inline(never)
  final func sweep() {
    let counted = Int(dead)
    let expected = counted + Int(deadElsewhere.exchange(0, ordering: .acquiring))
    dead = 0
    let closed = sinks.takeClosed(expected: expected)
    // Some of them have closed and have not called `remove` yet, which must not count them.
    if closed.count > counted { closed.forEach { _ = $0.lifecycle.clear(.inserted) } }
    tellCount()
    closed.release()
  }

  /// Releases all sinks, because all have got the end. A sink that was disposed of elsewhere may
  /// not have called `remove` yet.
  final func dismissAll() {
    dead = 0
    let all = sinks.takeAll()
    tellCount()
    all?.release()
  }

  /// Whether all subscriptions have been disposed of, perhaps by other threads whose messages have
  /// not arrived yet. Called at home.
  package final var isDeserted: Bool {
    guard ownHome.isCurrent else { return false }
    var isDeserted = false
    // Published in the record, because another thread may take the sinks over where no message
    // reaches the home.
    look { isDeserted = areSinksClosed }
    return isDeserted
  }

  /// Whether there are sinks and all have been closed. The caller is at home and has published the
  /// emitter.
  final var areSinksClosed: Bool {
    for index in sinks.start..<sinks.end
    where !sinks[index]._withUnsafeGuaranteedRef({ $0.isPartOfClosed }) { return false }
    return sinks.count > 0
  }

  /// How many sinks are subscribed. On another thread than the home's this is an estimate.
  final var livingCount: Int {
    let isEntered = isShared && sharedHome.enter()
    if isEntered || ownHome.isCurrent {
      var count = 0
      look { count = exactCount }
      if isEntered { sharedHome.leave() }
      return count
    }
    return max(0, Int(known.load(ordering: .relaxed)) - Int(deadElsewhere.load(ordering: .relaxed)))
  }

  private final var exactCount: Int {
    var living = 0
    for index in sinks.start..<sinks.end
    where !sinks[index]._withUnsafeGuaranteedRef({ $0.isClosed }) { living += 1 }
    return living
  }

  /// Lists the emitter at its home while it has subscribers.
  @inline(never)
  final func changeListing() {
    if isListed { ownHome.unlist(self) } else { ownHome.list(self) }
  }
}
