/// An event, as a watch's handler gets it.
public struct OwnerEvent {
  /// The event's name, as it was posted.
  public let name: Text
  /// The owner that posted it.
  public let source: OwnerRecord
  /// The owner that watches, so that a handler need not capture it.
  public let watcher: OwnerRecord
  /// The value that the event was posted with.
  public let userInfo: AnyObject?
}

/// The `userInfo` of an event, as a value's object.
private final class UserInfo: Entity, @unchecked Sendable {
  let object: AnyObject
  init(_ object: AnyObject) { self.object = object }
}

extension OwnerRecord {
  /// The level of a watch that states none.
  public static var defaultEventLevel: Int { 1000 }

  /// Calls `handler` for each event `name` that `source` posts, until either owner dies. It is
  /// called at this owner's loop, or else at the loop of the calling thread, or else on the thread
  /// that posts. Higher levels are called first. Another watch at the same level replaces the
  /// handler. (RFEvent.)
  ///
  /// - Returns: `.dead` when either is dying; `.invalid` for a name with a NUL.
  @discardableResult
  public final func watch(
    _ source: OwnerRecord, event name: Text, level: Int = OwnerRecord.defaultEventLevel,
    _ handler: @escaping (OwnerEvent) -> Void
  ) -> Code {
    guard let key = try? name.cText() else { return .invalid }
    return watch(source, key, level: Int32(clamping: level)) { value in
      let info = value.box?.takeUnretainedValue() as? UserInfo
      handler(OwnerEvent(name: name, source: source, watcher: self, userInfo: info?.object))
    }
  }

  /// Ends all watches of this owner. Answers `.notFound` if there are none.
  @discardableResult
  public final func unwatch() -> Code { unwatch(WatchFilter()) }

  /// Ends the watches of all events of `source`. Answers `.notFound` if there are none.
  @discardableResult
  public final func unwatch(_ source: OwnerRecord) -> Code { unwatch(WatchFilter(source)) }

  /// Ends the watches of one event of `source`, at all levels or at one. Answers `.notFound` if
  /// there are none.
  @discardableResult
  public final func unwatch(_ source: OwnerRecord, event name: Text, level: Int? = nil) -> Code {
    guard let name = try? name.cText() else { return .notFound }
    return unwatch(source, name, level)
  }

  final func unwatch(_ source: OwnerRecord, _ name: CText, _ level: Int?) -> Code {
    withExtendedLifetime(name) {
      unwatch(WatchFilter(source, name.pointer, level: level.map { Int32(clamping: $0) }))
    }
  }

  /// Posts an event to the watches of this owner.
  ///
  /// - Returns: `.ok`; `.queued` when another event of this owner is in progress and goes first;
  ///   `.again` when too many events wait; `.dead` when this is dying; `.invalid` for a name that
  ///   begins with a dot, which is a path, or has a NUL.
  @discardableResult
  public final func post(_ name: Text, userInfo: AnyObject? = nil) -> Code {
    guard let name = try? name.cText() else { return .invalid }
    guard let userInfo else { return post(name, ForeignValue(payload: 0, tag: 0)) }
    let held = UserInfo(userInfo)
    let address = UInt(bitPattern: Unmanaged.passUnretained(held).toOpaque())
    return withExtendedLifetime(held) {
      post(name, ForeignValue(payload: 0, tag: UInt64(address)))
    }
  }
}
