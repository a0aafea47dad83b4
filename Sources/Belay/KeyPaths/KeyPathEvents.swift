/// A change of what a key path leads to, that a watcher is told of.
public struct KeyPathEvent<Value> {
  /// What it leads to now.
  public let value: Value
  /// Whose it is.
  public let source: OwnerRecord
  /// Who watches: a handler need not hold it.
  public let watcher: OwnerRecord
}

/// A new value on its way.
private final class NewValue<Value>: Entity, @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

extension OwnerRecord {
  /// Has `handler` called with what `keyPath` of `source` leads to whenever that changes, until
  /// either dies; at this owner's loop, else at that of the calling thread, else on the thread
  /// that makes the change. Higher levels are called first; watching again at the same level
  /// replaces the handler. Ended like the watches of events. (RFEvent's keyPath.)
  ///
  /// - Returns: `.dead` when either is dying.
  @discardableResult
  public final func watch<Source: KeyPathObservable, Value>(
    _ source: Source, _ keyPath: KeyPath<Source, Value>,
    level: Int = OwnerRecord.defaultEventLevel,
    _ handler: @escaping (KeyPathEvent<Value>) -> Void
  ) -> Code {
    let (record, name) = (source.owner.record, Self.eventName(of: keyPath))
    let feed = EventFeed(
      record, name,
      source.changes(of: keyPath).map { change in
        ForeignValue(taking: NewValue(change.value))
      })
    return watch(record, name, Int32(clamping: level), feed: feed) { sent in
      guard let new = sent.entity as? NewValue<Value> else { return }
      handler(KeyPathEvent(value: new.value, source: record, watcher: self))
    }
  }

  /// Ends the watches of what a key path of `source` leads to, at all levels or at one.
  /// `.notFound` when there are none.
  @discardableResult
  public final func unwatch<Source: Object, Value>(
    _ source: Source, _ keyPath: KeyPath<Source, Value>, level: Int? = nil
  ) -> Code {
    unwatch(source.owner.record, Self.eventName(of: keyPath), level)
  }

  private static func eventName(of keyPath: AnyKeyPath) -> CText {
    CText("." + KeyNames.name(of: keyPath).text)
  }
}
