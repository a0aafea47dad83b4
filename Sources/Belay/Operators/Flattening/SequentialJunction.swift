/// The successor of a source that has ended.
enum Following<Value> {
  case source(Signal<Value>)
  case end(End)
  /// A later call of `follow` continues.
  case later
}

/// A source, and how many times it may be run. It does not retain the source during the last run, because
/// subscribers must not retain a subject, whose last release interrupts.
struct Runs<Value> {
  private var source: Signal<Value>?
  private var left: Int

  /// At least one run.
  init(of source: Signal<Value>, _ count: Int) {
    self.source = source
    left = max(1, count)
  }

  /// The source for one run more; nil when there have been all.
  mutating func next() -> Signal<Value>? {
    left -= 1
    return left == 0 ? source.take() : source
  }
}

/// Runs one source after another. A subclass `start`s the first one with `follow`.
///
/// Sources that end at once are followed in a loop, so that any number of them needs no recursion.
class SequentialJunction<Value>: InnerJunction<Value>, @unchecked Sendable {
  private final var upcoming: Signal<Value>?
  private final var isFollowing = false
  /// The input of the source that runs, or that ran last.
  private(set) final var current: InnerInput<Value>?

  /// Whether no source runs, and none is about to.
  final var isIdle: Bool { upcoming == nil && current?.isClosed ?? true }

  /// Answers what follows a source that ended with `end`.
  func following(_ end: End) throws(ClosureError) -> Following<Value> { .end(end) }

  /// Connects `source`: now, or when the source that is being connected has been.
  final func follow(with source: Signal<Value>) {
    upcoming = source
    if isFollowing { return }
    isFollowing = true
    while let source = upcoming, !isClosed {
      upcoming = nil
      let inner = InnerInput(self)
      current = inner
      connect(inner, to: source)
    }
    isFollowing = false
  }

  override func innerEnded(_ inner: InnerInput<Value>, _ end: End) {
    do throws(ClosureError) {
      switch try following(end) {
      case .source(let source):
        inner.release()
        if !isClosed { follow(with: source) }
      case .end(let end): send(end: end)
      case .later: inner.release()
      }
    } catch {
      send(end: .failed(.carrying(error)))
    }
  }

  override func tearDown() {
    upcoming = nil
    current = nil
  }
}
