import CBelayShim
import Synchronization

/// The home of a shared source: a strand in Asio's sense. A thread that brings an event while no
/// thread is in the strand enters it, and stays until nothing is left that others have brought
/// meanwhile. After some of them (`Stint`) it offers the strand to the others, so that senders
/// that never pause deliver there one after the other, and do not hold one thread for good.
///
/// So callbacks at this home run on the senders' threads, one at a time. Messages never wait for
/// another thread to come.
package final class SharedHome: Home, @unchecked Sendable {
  private let lock = Lock()
  /// A thread that enters delivers them first. So they wait without a thread only during an offer,
  /// whose thread comes back if nobody has entered.
  private var messages = MessageQueue()
  private var counted = 0
  /// How many values may wait here: those of the source, and those that come from other homes. The
  /// lock protects it.
  private var capacity: Int
  /// Whether a source has told how many. The lock protects it.
  private var isSized: Bool
  /// What ends when the thread that is in the strand has left it. The lock protects it.
  private var departures: ReferenceArray<Departure> = []
  /// Whether there are departures. Set under the lock.
  private let isAwaited = Atomic<Bool>(false)
  /// Whether this is the home of a source, whose capacity counts for what others bring, too.
  private let isOfSource: Bool

  /// The capacity where no source has told one.
  static var usualCapacity: Int { 1024 }

  /// - Parameter capacity: the one of the source. Nil if the sources are attached later.
  package init(capacity: Int? = nil) {
    self.capacity = capacity ?? Self.usualCapacity
    isSized = capacity != nil
    isOfSource = isSized
    super.init(threadID: Home.noThread, isShared: true)
  }

  /// Makes room for as many values as a source asks for that is attached here. Of several sources,
  /// the largest counts.
  func makeRoom(for capacity: Int) {
    if isOfSource { return }
    lock.withLock {
      self.capacity = isSized ? max(self.capacity, capacity) : capacity
      isSized = true
    }
  }

  deinit { while let message = messages.takeFirst() { message.cancel() } }

  package override var acceptsMessages: Bool { true }

  package override func holdsMessages(for receiver: Entity) -> Bool {
    lock.withLock { messages.holds(receiver) }
  }

  /// The fate of a value that was brought.
  enum Entry {
    /// The calling thread has entered, and must call `leave`.
    case entered
    /// Another thread is inside, and will deliver it. So many values wait by now.
    case queued(Int)
    case refused(Code)
  }

  /// Enters the strand, unless a thread is inside. Then `message` is queued for that thread. If
  /// `replacing`, it replaces a value of the same sender that came just before. It is
  /// refused when there is no room. `check` is asked first, under the lock.
  @inline(__always)
  func enter(
    orLeave message: () -> Message, replacing: Bool, _ check: () -> Code
  ) -> Entry {
    lock.acquire()
    let code = check()
    if code != .ok {
      lock.release()
      return .refused(code)
    }
    let isFree = claim()
    if isFree && messages.isEmpty {
      lock.release()
      return .entered
    }
    var replaced: Message?
    var isAccepted = true
    var brought = message()
    if isFree { brought.markAsOwn() }
    if replacing, let old = messages.replaceLast(with: brought) {
      replaced = old
    } else if counted >= capacity && !isFree {
      isAccepted = false
    } else {
      counted += 1
      brought.isCounted = true
      messages.append(brought)
    }
    let count = counted
    lock.release()
    if !isAccepted {
      brought.cancel()
      return .refused(.again)
    }
    replaced?.cancel()
    if isFree { leave() }
    return .queued(count)
  }

  /// Enters the strand, unless a thread is inside or messages wait. If this answers true, the caller
  /// must call `leave`.
  func enter() -> Bool { lock.withLock { messages.isEmpty && claim() } }

  /// Enters the strand, and answers nil: the caller must call `leave`. While another thread is inside,
  /// answers what is over when that thread has left.
  func enterUnlessBusy() -> Departure? {
    while true {
      lock.acquire()
      if !claim() { break }
      let isNext = messages.isEmpty
      lock.release()
      if isNext { return nil }
      // Messages were left for a moment, in which this thread has come.
      leave()
    }
    let departure = Departure(from: self)
    departures.append(departure)
    isAwaited.store(true, ordering: .relaxed)
    lock.release()
    return departure
  }

  @inline(never)
  private func endDepartures() {
    let ended = lock.withLock {
      isAwaited.store(false, ordering: .relaxed)
      return departures.takeAll()
    }
    for departure in ended { departure.dispose() }
  }

  /// Runs `check` under the lock and returns its answer.
  func underLock<Result>(_ check: () -> Result) -> Result { lock.withLock(check) }

  /// Makes the calling thread this home's, if no thread is inside. The caller holds the lock.
  @inline(__always)
  private func claim() -> Bool {
    if threadID.load(ordering: .relaxed) != Home.noThread { return false }
    threadID.store(Thread.record.pointee.id, ordering: .relaxed)
    return true
  }

  /// Delivers what others have brought meanwhile, then leaves the strand.
  func leave() {
    // A delivered message may release the last reference to this.
    let kept = Unmanaged.passRetained(self)
    var stint = Stint()
    repeat {
      while let message = nextOrLeave(&stint) {
        isRelaying = !message.isOwn
        message.deliver()
        isRelaying = false
      }
    } while stint.offers() && returns()
    if isAwaited.load(ordering: .relaxed) { endDepartures() }
    kept.drop()
  }

  /// The next message. Nil if the thread has left the strand, because no message is left or its
  /// stint is over.
  private func nextOrLeave(_ stint: inout Stint) -> Message? {
    lock.acquire()
    let next = stint.takesOne() ? messages.takeFirst() : nil
    if let next {
      if next.isCounted {
        counted -= 1
        QueueRoom.changed()
      }
    } else {
      threadID.store(Home.noThread, ordering: .relaxed)
    }
    lock.release()
    return next
  }

  /// True if messages were left after an offer and the thread has entered again.
  private func returns() -> Bool { lock.withLock { !messages.isEmpty && claim() } }

  /// Delivers at once if no thread is inside.
  package override func post(_ message: consuming Message, reserved: Bool) -> Code {
    lock.acquire()
    let isFree = claim()
    if !reserved && counted >= capacity && !isFree {
      lock.release()
      message.cancel()
      return .again
    }
    if !reserved {
      counted += 1
      message.isCounted = true
    }
    if isFree { message.markAsOwn() }
    messages.append(message)
    lock.release()
    if isFree { leave() }
    return .ok
  }
}

/// Is over when the thread that was in a strand has left it. Another thread may be there by then, so who
/// waited has to look again.
final class Departure: Disposable, @unchecked Sendable {
  private let home: SharedHome

  init(from home: SharedHome) {
    self.home = home
    super.init()
  }

  package override func isQuiescent(_ level: Quiescence.Level) -> Bool { life.has(.finalised) }
  package override var runners: [UInt64] { [home.runner] }

  /// Runs `action` now if it is over, or on the thread that leaves.
  func then(_ action: @escaping () -> Void) {
    let quiescence = Quiescence(.idle)
    quiescence.note(self)
    quiescence.then(action)
  }
}
