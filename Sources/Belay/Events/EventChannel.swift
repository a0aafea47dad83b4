/// One event of an owner's, at one level, while somebody watches it there.
final class EventChannel: Attachment, @unchecked Sendable {
  let name: CText
  let level: Int32
  /// Shared, for one may post on any thread; a watcher with a loop gets it there.
  let emitter: Emitter<ForeignValue>
  /// Where the events of a path come from.
  let feed: EventFeed?
  /// Under the owner's lock.
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

  /// Whether it is below a level, and of that name; 0: of any.
  override func isNamed(_ name: UInt, _ ceiling: UInt) -> Bool {
    Int(level) < Int(bitPattern: ceiling) && (name == 0 || self.name.isSame(at: name))
  }
}

/// What takes its turn at an owner's events: a post, or a newcomer.
class EventTurn: Attachment, @unchecked Sendable {
  func run(for source: OwnerRecord) {}
  var isPost: Bool { false }
}

/// A post that waits for the event in progress.
final class EventPost: EventTurn, @unchecked Sendable {
  private let name: CText
  private let value: ForeignValue
  private let feed: EventFeed?

  /// Keeps `value`.
  init(_ name: CText, _ value: ForeignValue, from feed: EventFeed? = nil) {
    keep(value)
    self.name = name
    self.value = value
    self.feed = feed
    super.init()
  }

  deinit { discard(value) }

  // A change has been counted already, and a gap would go unseen.
  override var isPost: Bool { feed == nil }
  override func run(for source: OwnerRecord) { source.deliver(name, value, from: feed) }
}

/// A watch that waits for the event in progress, which it is not called for. It hangs on its channel
/// already, for it may end on another thread than its turn is on.
final class EventArrival: EventTurn, @unchecked Sendable {
  private let sink: Sink<ForeignValue>
  private let channel: EventChannel

  init(_ sink: Sink<ForeignValue>, _ channel: EventChannel) {
    self.sink = sink
    self.channel = channel
    super.init()
  }

  override func run(for source: OwnerRecord) { channel.emitter.admit(sink) }
}
