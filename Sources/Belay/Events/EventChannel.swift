/// One event of an owner at one level, while it is watched there.
final class EventChannel: Attachment, @unchecked Sendable {
  let name: CText
  let level: Int32
  /// Shared, because events are posted on any thread. A watcher that has a loop gets them there.
  let emitter: Emitter<ForeignValue>
  /// The source of the events, if the name is that of a path.
  let feed: EventFeed?
  /// The number of watches. The owner's lock protects it.
  var watching = 1

  init(_ name: CText, _ level: Int32, _ feed: EventFeed?) {
    self.name = name
    self.level = level
    self.feed = feed
    var options = SourceOptions()
    options.isShared = true
    emitter = Emitter(options, room: 1)
    super.init()
    kind = .channel
  }

  /// Whether its level is below `ceiling`, and its name is `name`; a `name` of 0 matches any.
  override func isNamed(_ name: UInt, _ ceiling: UInt) -> Bool {
    Int(level) < Int(bitPattern: ceiling) && (name == 0 || self.name.isSame(at: name))
  }
}

/// Takes its turn at an owner's events: a post, a change, or a new watch.
class EventTurn: Attachment, @unchecked Sendable {
  /// Runs it. While another thread is where it has to send, answers a `Departure`. When that is over,
  /// the turn must be run again, and goes on where it stopped.
  func run(for source: OwnerRecord) -> Departure? { nil }
  var isPost: Bool { false }
}

/// The turns that wait for the event in progress, and whether there is one. The owner's lock
/// protects it.
struct EventTurns {
  private static var mostWaiting: Int { 1024 }

  private var waiting = AttachmentList()
  private var posts = 0
  private var isRunning = false

  var isEmpty: Bool { waiting.first == nil }

  /// Whether no further post may wait.
  var isFull: Bool { posts >= Self.mostWaiting }

  mutating func add(_ turn: EventTurn) {
    if turn.isPost { posts += 1 }
    waiting.insert(turn, before: nil)
  }

  /// Answers true to the thread that now has to run the turns (`runTurns`).
  mutating func begin() -> Bool {
    if isRunning { return false }
    isRunning = true
    return true
  }

  /// The next turn. Nil if none is left, or if the thread's stint is over: then another thread may
  /// begin.
  mutating func next(_ takesOne: Bool) -> EventTurn? {
    guard takesOne, let first = waiting.takeFirst() else {
      isRunning = false
      return nil
    }
    let next = unsafeDowncast(first, to: EventTurn.self)
    if next.isPost { posts -= 1 }
    return next
  }
}

/// A post, or the end of what a feed posts.
final class EventPost: EventTurn, @unchecked Sendable {
  private let name: CText
  private let value: ForeignValue?
  private let feed: EventFeed?
  /// The level that was called last.
  private var level = Int.max

  /// Keeps `value`; nil: the end.
  init(_ name: CText, _ value: ForeignValue?, from feed: EventFeed? = nil) {
    if let value { keep(value) }
    self.name = name
    self.value = value
    self.feed = feed
    super.init()
  }

  deinit { if let value { discard(value) } }

  // A change is not bounded: it has been counted already, and a gap would go unseen.
  override var isPost: Bool { feed == nil }
  override func run(for source: OwnerRecord) -> Departure? {
    while let channel = source.channel(name.address, below: level) {
      if channel.feed === feed {
        if let value {
          if let departure = channel.emitter.acceptUnlessBusy(value) { return departure }
        } else {
          _ = channel.emitter.send(.completed)
        }
      }
      level = Int(channel.level)
    }
    return nil
  }
}

/// A new watch that waits for the event in progress, for which it is not called. It hangs on its
/// channel already, because it may end on another thread before its turn comes.
final class EventArrival: EventTurn, @unchecked Sendable {
  private let sink: Sink<ForeignValue>
  private let channel: EventChannel

  init(_ sink: Sink<ForeignValue>, _ channel: EventChannel) {
    self.sink = sink
    self.channel = channel
    super.init()
  }

  override func run(for source: OwnerRecord) -> Departure? {
    channel.emitter.admit(sink)
    return nil
  }
}
