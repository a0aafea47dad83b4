/// What posts the changes of a path as an owner's events, for all levels at which it is watched.
final class EventFeed: @unchecked Sendable {
  private let source: OwnerRecord
  private let name: CText
  /// Set before others know this.
  private var observation: Disposable?
  /// How many channels it feeds; under the source's lock.
  var channels = 0

  init(_ source: OwnerRecord, _ name: CText, _ changes: Signal<ForeignValue>) {
    self.source = source
    self.name = name
    // Each is let go of by the other's end. On the thread that makes a change.
    let home = SharedHome()
    let made = ClosureSubscription<ForeignValue>(
      { [self] in source.take(EventPost(name, $0, from: self)) }, nil, nil,
      { [self] in source.deliver(name, nil, from: self) }, home)
    observation = made
    _ = changes.start(made, owner: nil, at: home)
  }

  /// Whether no change is told of any more: the path came upon what is no object, or no key.
  var isOver: Bool { observation?.isClosed ?? true }

  func stop() { observation?.dispose() }
}

extension CText {
  /// Whether an event of this name is a change of what a path leads to.
  var isPath: Bool { pointer[0] == CChar(UInt8(ascii: ".")) }
}
