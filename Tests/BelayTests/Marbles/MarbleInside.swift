@testable import Belay

/// A source that keeps its subscribers: its listeners can send into it, and it can go without an
/// end.
final class KeptSource {
  private final class Place {
    var subscriber: Subscriber<MarbleValue>?

    /// Releasing the last reference may interrupt, which calls back into this.
    func letGo() {
      let last = subscriber
      subscriber = nil
      extendLifetime(last)
    }
  }

  private var places: [Place] = []
  private var liveCount = 0
  private var isEnding = false
  private var feeding: Disposable?
  private(set) var signal: Signal<MarbleValue> = .never()

  /// Sends what `hot` sends to all who have subscribed. At `interruption` it lets go of them.
  init(_ hot: Signal<MarbleValue>, interruption: MarbleValue) {
    signal = .create { [unowned self] subscriber in
      let place = Place()
      place.subscriber = subscriber
      places.append(place)
      liveCount += 1
      return AnonymousDisposable { [weak self] in
        place.letGo()
        self?.liveCount -= 1
      }
    }
    feeding = hot.subscribe(
      next: { [unowned self] value in
        if value == interruption {
          for place in places { place.letGo() }
        } else {
          sendToAll { $0.send(value) }
        }
      }, error: { [unowned self] failure in end { $0.error(failure) } },
      completed: { [unowned self] in end { $0.completed() } })
  }

  /// How many subscriptions have not been torn down; 0 while it sends its end.
  var openCount: Int { isEnding ? 0 : liveCount }

  /// Lets go of all.
  func close() {
    feeding?.dispose()
    places = []
    signal = .never()
  }

  /// A subscriber that comes during the send does not get the event.
  private func sendToAll(_ send: (Subscriber<MarbleValue>) -> Void) {
    for place in places { if let subscriber = place.subscriber { send(subscriber) } }
  }

  private func end(_ send: (Subscriber<MarbleValue>) -> Void) {
    isEnding = true
    sendToAll(send)
    isEnding = false
  }

  /// Sends `mark`: "|", "#", else `value`.
  func send(_ mark: Character, _ value: MarbleValue) {
    switch mark {
    case "|": end { $0.completed() }
    case "#": end { $0.error(Failure(.range, message: "inside")) }
    default: sendToAll { $0.send(value) }
    }
  }
}

/// A listener that does something at each value: the words of a script. "a2" sends 2 into the
/// source a, "!" disposes, "." does nothing.
final class InsideListener {
  private var words: [String]
  private let sources: [Character: KeptSource]
  private let meaning: (Character) -> MarbleValue
  private var subscription: Disposable?
  private var isOver = false
  private var isInside = false
  /// What went wrong.
  private(set) var complaints: [String] = []

  init(
    _ script: String, _ sources: [Character: KeptSource],
    _ meaning: @escaping (Character) -> MarbleValue
  ) {
    words = script.split(separator: " ").map(String.init)
    self.sources = sources
    self.meaning = meaning
  }

  /// What `signal` sends, and the mark for an interruption when it goes without an end.
  func listening(to signal: Signal<MarbleValue>) -> Signal<MarbleValue> {
    .create { [unowned self] subscriber in
      let subscription = signal.subscribe(
        next: { value in
          self.enter {
            subscriber.send(value)
            self.react()
          }
        }, error: { failure in self.end { subscriber.error(failure) } },
        completed: { self.end { subscriber.completed() } },
        disposed: {
          if self.isOver { return }
          self.isOver = true
          subscriber.send(self.meaning(MarbleRun.interruption.mark))
        })
      if !isOver { self.subscription = subscription }
      return subscription
    }
  }

  private func enter(_ body: () -> Void) {
    if isInside { complaints.append("one event inside another") }
    if isOver { complaints.append("an event after the end") }
    isInside = true
    body()
    isInside = false
  }

  private func end(_ send: () -> Void) {
    enter {
      isOver = true
      send()
    }
    subscription = nil
  }

  /// The next word of the script.
  private func react() {
    if words.isEmpty { return }
    var word = Substring(words.removeFirst())
    while let name = word.popFirst() {
      if name == "." { continue }
      if name != "!" {
        if let mark = word.popFirst() { sources[name]?.send(mark, meaning(mark)) }
        continue
      }
      isOver = true
      subscription?.dispose()
      subscription = nil
      for (name, source) in sources where source.openCount != 0 {
        complaints.append("\(name) is still subscribed to after the disposal")
      }
    }
  }
}
