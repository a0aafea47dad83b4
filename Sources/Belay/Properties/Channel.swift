extension Property {
  /// Makes this and `other` follow each other, beginning with this one's value; what comes through
  /// the channel is not sent back. Until the result is disposed of, or one of them goes. Both have
  /// to be at home here, and two: else nil. (RACChannel.)
  public func channel(with other: Property<Value>) -> Disposable? {
    let home = emitter.ownHome
    guard home.isCurrent, other.emitter.ownHome === home, other !== self else { return nil }
    let here = ChannelEnd(emitter)
    let there = ChannelEnd(other.emitter)
    here.other = there
    there.other = here
    there.isStarting = true
    var code = other.signal.start(there, owner: nil, at: home)
    there.isStarting = false
    if !code.isFailure && !here.isClosed {
      code = signal.start(here, owner: nil, at: home)
    }
    if code.isFailure { here.dispose() }
    return here
  }
}

/// One end of a channel: passes what its property sends to the other one.
private final class ChannelEnd<Value>: Subscription<Value>, @unchecked Sendable {
  private let emitter: PropertyEmitter<Value>
  var other: ChannelEnd<Value>?
  var isStarting = false
  /// The numbers of the values that came through the channel and are not delivered yet.
  private var echoes: [UInt64] = []

  init(_ emitter: PropertyEmitter<Value>) {
    self.emitter = emitter
    super.init()
  }

  override var fixedHome: Home? { emitter.ownHome }

  override func next(_ value: Value) {
    if isClosed || isStarting { return }
    if let echo = echoes.first, echo == emitter.delivered {
      echoes.removeFirst()
    } else {
      other?.pass(value)
    }
  }

  private func pass(_ value: Value) {
    if isClosed { return }
    echoes.append(emitter.taken + 1)
    // Refused, it has called nobody: the last one is still this.
    if emitter.take(value).isFailure { echoes.removeLast() }
  }

  override func onDisposed() {
    let other = other
    self.other = nil
    other?.dispose()
  }
}
