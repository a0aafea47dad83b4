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
  private final var count = 0
  private final var buffer: UnsafeMutablePointer<Unmanaged<Sink<Value>>>
  private final var capacity: Int
  /// How many sinks in the buffer have left.
  private final var dead = 0
  private final let deadElsewhere = Atomic<Int>(0)
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

  package init(_ options: SourceOptions, room: Int = 4) {
    reentrancy = options.reentrancy
    pendingCapacity = options.capacity
    capacity = room
    buffer = .allocate(capacity: room)
    super.init(
      home: options.isShared ? SharedHome.shared : options.home ?? Home.current,
      label: options.label, site: options.site)
  }

  deinit {
    for index in 0..<count { buffer[index].drop() }
    buffer.deallocate()
    pending.removeAll()
  }

  package final override var chainName: String { label?.text ?? chainNameOfUnlabelled }
  var chainNameOfUnlabelled: String { "subject" }
  package final var isShared: Bool { ownHome === SharedHome.shared }

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
    let end = count
    var index = 0
    while index < end {
      buffer[index]._withUnsafeGuaranteedRef { sink in
        if let passage = sink.enterDirectly() {
          unsafeDowncast(sink, to: ForeignSubscription<Value>.self).call(value)
          sink.leave(passage)
        } else {
          sink.enter(value)
        }
      }
      index += 1
    }
  }

  @inline(never)
  private final func sendSlowly(_ value: Value) -> Code {
    if isShared { return share(.value(value)) }
    if !ownHome.isCurrent {
      if !ownHome.acceptsMail { return .noHome }
      let code = ownHome.post(Letter(to: self, .value, Parcel(value)), reserved: false)
      return code.isFailure ? code : .queued
    }
    if !state.isDisjoint(with: [.ended, .ending]) { return afterTheEnd }
    if reentrancy == .depthFirst {
      deliver(value)
      return .ok
    }
    let code = pending.append(value, reentrancy, capacity: pendingCapacity)
    state.insert(.attention)
    return code
  }

  /// Ends it. Never refused for lack of room.
  package final func send(_ end: End) -> Code {
    if isShared { return share(.end(end)) }
    if !ownHome.isCurrent {
      if !ownHome.acceptsMail { return .noHome }
      let code = ownHome.post(Letter(to: self, .end, Parcel(end)), reserved: true)
      return code.isFailure ? code : .queued
    }
    if !state.isDisjoint(with: [.ended, .ending]) { return afterTheEnd }
    if state.contains(.busy) && reentrancy != .depthFirst {
      pending.append(end)
      state.formUnion([.attention, .ending])
      return .queued
    }
    finish(end)
    return .ok
  }

  private final var afterTheEnd: Code {
    if state.contains(.ended), case .interrupted = lastEnd { return .canceled }
    return .ended
  }

  public final override func receive(_ letter: inout Letter) {
    if letter.kind == .end {
      _ = send(letter.parcel.open(as: End.self))
    } else {
      let value = letter.parcel.open(as: Value.self)
      _ = send(value)
      discard(value)
    }
  }

  public final override func refuse(_ letter: inout Letter) {
    if letter.kind == .end {
      _ = letter.parcel.open(as: End.self)
    } else {
      discard(letter.parcel.open(as: Value.self))
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
    if state.contains(.ended) { dismissAll() } else { sweep() }
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
    var index = 0
    while index < count {
      buffer[index]._withUnsafeGuaranteedRef { $0.enterEnd(end) }
      index += 1
    }
    if !isOutermost { state.insert(.attention) } else if !isShared { settle() }
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
    if isShared && !sink.joins && !(prefersHops && home.acceptsMail) {
      sink.upstream = self
      _ = share(.attach(sink))
      return .ok
    }
    if home === ownHome {
      attachHere(sink)
      return .ok
    }
    if !isShared && !ownHome.isCurrent && !(ownHome.acceptsMail && home.acceptsMail) {
      return .noHome
    }
    let hop = Hop(sink, at: home)
    sink.upstream = hop
    hop.upstream = self
    if isShared {
      _ = share(.attach(hop))
      return .ok
    }
    let code = ownHome.perform { self.insert(hop) }
    return code.isFailure ? code : .ok
  }

  /// Whether this thread is bound to the emitter's home.
  package final var isBoundHere: Bool {
    ownHome.isCurrent
      && Thread.record.pointee.home == Unmanaged.passUnretained(ownHome).toOpaque()
  }

  package final func attachHere(_ sink: consuming Sink<Value>) {
    sink.hang(on: self)
    insert(sink)
  }

  private final func insert(_ sink: consuming Sink<Value>) {
    if sink.isClosed { return }
    replay(to: sink)
    if state.contains(.ended) {
      sink.enterEnd(lastEnd)
      return
    }
    if !state.contains(.busy) { sweepIfWorthwhile() }
    if count == capacity { grow() }
    if !sink.flags.contains(.callsDirectly), sink.root !== sink {
      sink.slot = UInt32(count)
      _ = sink.raise(.placed)
    }
    buffer[count] = .passRetained(sink)
    count += 1
  }

  /// Sends a newcomer what it has missed.
  func replay(to sink: Sink<Value>) {}

  /// Shared: whether subscriptions whose home has a loop are called there all the same.
  var prefersHops: Bool { false }

  private final func grow() {
    let larger = UnsafeMutablePointer<Unmanaged<Sink<Value>>>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: buffer, count: count)
    buffer.deallocate()
    buffer = larger
    capacity *= 2
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

  private final func remove(_ link: Link) {
    if state.contains(.busy) {
      dead += 1
      state.insert(.attention)
    } else if count > 0, buffer[count - 1].toOpaque() == Unmanaged.passUnretained(link).toOpaque() {
      // The newest goes first more often than not.
      count -= 1
      buffer[count].drop()
    } else {
      dead += 1
      vacate(link)
      sweepIfWorthwhile()
    }
  }

  /// Lets go of a link that is more than a subscriber at once: what it holds (an operator's
  /// callbacks, say) must not wait for the next sweep.
  private final func vacate(_ link: Link) {
    let place = Int(link.slot)
    guard link.flags.contains(.placed), place < count,
      buffer[place].toOpaque() == Unmanaged.passUnretained(link).toOpaque()
    else { return }
    let nobody = nobody ?? Sink<Value>()
    if self.nobody == nil {
      _ = nobody.close()
      self.nobody = nobody
    }
    buffer[place] = .passRetained(nobody)
    Unmanaged.passUnretained(link).drop()
  }

  private final func sweepIfWorthwhile() {
    if dead + deadElsewhere.load(ordering: .relaxed) > count - dead { sweep() }
  }

  private final func sweep() { for sink in compact() { sink.drop() } }

  /// Lets go of everybody: all have got the end. (Who was disposed of elsewhere may still be on the
  /// way to leave.)
  private final func dismissAll() {
    let gone = UnsafeBufferPointer(start: buffer, count: count).map { $0 }
    count = 0
    dead = 0
    for sink in gone { sink.drop() }
  }

  /// Takes out the sinks that have left, and answers with them: what their release lets go may
  /// call back, so the buffer is in order before.
  final func compact() -> [Unmanaged<Sink<Value>>] {
    dead += deadElsewhere.exchange(0, ordering: .acquiring)
    if dead == 0 { return [] }
    dead = 0
    var gone: [Unmanaged<Sink<Value>>] = []
    var kept = 0
    for index in 0..<count {
      let sink = buffer[index]
      if sink._withUnsafeGuaranteedRef({ $0.isClosed }) {
        gone.append(sink)
      } else {
        buffer[kept] = sink
        sink._withUnsafeGuaranteedRef {
          if $0.flags.contains(.placed) { $0.slot = UInt32(kept) }
        }
        kept += 1
      }
    }
    count = kept
    return gone
  }

  /// At home: whether whoever is subscribed has been disposed of, though the news is not here yet.
  package final var isDeserted: Bool {
    guard ownHome.isCurrent else { return false }
    for index in 0..<count
    where !buffer[index]._withUnsafeGuaranteedRef({ $0.root.isClosed }) { return false }
    return count > 0
  }

  /// How many are subscribed; elsewhere than at home an estimate.
  package final var sinkCount: Int {
    var living = 0
    for index in 0..<count where !buffer[index]._withUnsafeGuaranteedRef({ $0.isClosed }) {
      living += 1
    }
    return living
  }

  // MARK: Going without an end

  /// The last handle has gone.
  package final func abandon() {
    if isShared {
      _ = share(.end(.interrupted))
    } else if ownHome.isCurrent {
      if state.contains(.busy) {
        _ = Unmanaged.passRetained(self)
        state.formUnion([.abandoned, .attention])
      } else {
        finish(.interrupted)
      }
    } else if !ownHome.acceptsMail || send(.interrupted).isFailure {
      // No handle is left to send by, and no way home: end each where we are.
      for index in 0..<count { buffer[index]._withUnsafeGuaranteedRef { $0.root.dispose() } }
    }
  }

  package final override func interrupt() { _ = send(.interrupted) }

  package final override func describeSubscriptions(_ report: (Link) -> Void) {
    for index in 0..<count {
      let sink = buffer[index].takeUnretainedValue()
      if !sink.isClosed { report(sink.root) }
    }
  }
}
