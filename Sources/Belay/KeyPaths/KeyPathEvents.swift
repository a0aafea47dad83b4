/// A change of the value at a key path, as a watch's handler gets it.
public struct KeyPathEvent<Value> {
  /// The new value.
  public let value: Value
  /// The owner of the object that is watched.
  public let source: OwnerRecord
  /// The owner that watches, so that a handler need not capture it.
  public let watcher: OwnerRecord
}

/// A new value, as a foreign value's object.
private final class NewValue<Value>: Entity, @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

extension OwnerRecord {
  /// Calls `handler` with the value at `keyPath` of `source` at each change, until either owner
  /// dies. It is called at this owner's loop, or else at that of the calling thread, or else on the
  /// thread that makes the change. Higher levels are called first. Another watch at the same level
  /// replaces the handler. It ends like the watches of events. (RFEvent's keyPath.)
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

  /// Ends the watches of a key path of `source`, at all levels or at one. Answers `.notFound` if
  /// there are none.
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
