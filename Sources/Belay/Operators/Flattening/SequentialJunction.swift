/// What follows a source that has ended.
enum Following<Value> {
  case source(Signal<Value>)
  case end(End)
  /// `follow` will be called.
  case later
}

/// One source after another, at the first of which a subclass `start`s with `follow`.
///
/// Sources that end at once are followed in a loop: nothing recurses, however many there are.
class SequentialJunction<Value>: InnerJunction<Value>, @unchecked Sendable {
  private final var upcoming: Signal<Value>?
  private final var isFollowing = false
  /// The source that runs, or ran last.
  private(set) final var current: InnerInput<Value>?

  /// What follows a source that ended with `end`.
  func following(_ end: End) throws(Failure) -> Following<Value> { .end(end) }

  /// Connects `source`, when the one that is just being connected has been.
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
    do throws(Failure) {
      switch try following(end) {
      case .source(let source):
        inner.release()
        if !isClosed { follow(with: source) }
      case .end(let end): finish(end)
      case .later: inner.release()
      }
    } catch {
      finish(.failed(error))
    }
  }

  override func tearDown() {
    upcoming = nil
    current = nil
  }
}
