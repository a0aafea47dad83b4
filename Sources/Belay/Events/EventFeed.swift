/// Posts the changes of a path as events of an owner, for all levels at which the path is watched.
final class EventFeed: @unchecked Sendable {
  private let source: OwnerRecord
  private let name: CText
  /// The subscription to the changes. Set before other threads know this.
  private var observation: Disposable?
  /// How many channels it feeds. The owner's lock protects it.
  var channels = 0

  init(_ source: OwnerRecord, _ name: CText, _ changes: Signal<ForeignValue>) {
    self.source = source
    self.name = name
    // This and the subscription retain each other until the subscription ends. Its home is shared,
    // so it runs on the thread that makes a change.
    let home = SharedHome()
    let made = ClosureSubscription<ForeignValue>(
      { [self] in source.runInTurn(EventPost(name, $0, from: self)) }, nil, nil,
      { [self] in source.runInTurn(EventPost(name, nil, from: self)) }, home)
    observation = made
    _ = changes.start(made, owner: nil, at: home)
  }

  /// Whether it has ended, because the path has reached a value that is no object, or an unknown
  /// key.
  var isOver: Bool { observation?.isClosed ?? true }

  func stop() { observation?.dispose() }
}

extension CText {
  /// Whether an event of this name is a change of a path.
  var isPath: Bool { pointer[0] == CChar(UInt8(ascii: ".")) }
}
