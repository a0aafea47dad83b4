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
    if ownHome.isCurrent && !isShared { return home.acceptsMessages || home.isCurrent }
    return home.acceptsMessages && ownHome.acceptsMessages
  }

  private final func hop(to sink: Sink<Value>, at home: Home) -> Hop<Value> {
    let hop = Hop(sink, at: home)
    sink.upstream = hop
    hop.upstream = self
    return hop
  }

  /// Hangs a sink below, before others know it, for its `home`. `admit` of the answer lets it hear.
  final func hang(_ sink: Sink<Value>, for home: Home) -> Sink<Value> {
    if home !== ownHome && home.acceptsMessages {
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
    return ownHome.perform({ self.insert(sink) }, orElse: { sink.deliverEnd(.interrupted) })
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

  /// `attach` for the first sink of an emitter that nobody knows yet.
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
    if state.contains(.ended) {
      replay(to: sink)
      sink.deliverEnd(lastEnd)
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
