/// An event that a watcher is told of.
public struct OwnerEvent {
  public let name: Text
  /// Whose event it is.
  public let source: OwnerRecord
  /// Who watches: a handler need not hold it.
  public let watcher: OwnerRecord
  public let userInfo: AnyObject?
}

/// What comes with an event, on its way.
private final class UserInfo: Entity, @unchecked Sendable {
  let object: AnyObject
  init(_ object: AnyObject) { self.object = object }
}

extension OwnerRecord {
  /// The level of a watch that names none.
  public static var defaultEventLevel: Int { 1000 }

  /// Has `handler` called for each event `name` that `source` posts, until either dies; at this
  /// owner's loop, else at that of the calling thread, else on the thread that posts. Higher levels
  /// are called first; watching again at the same level replaces the handler. (RFEvent.)
  ///
  /// - Returns: `.dead` when either is dying.
  @discardableResult
  public final func watch(
    _ source: OwnerRecord, event name: Text, level: Int = OwnerRecord.defaultEventLevel,
    _ handler: @escaping (OwnerEvent) -> Void
  ) -> Code {
    watch(source, CText(name), level: Int32(clamping: level)) { value in
      let info = value.box?.takeUnretainedValue() as? UserInfo
      handler(OwnerEvent(name: name, source: source, watcher: self, userInfo: info?.object))
    }
  }

  /// Ends all of this owner's watches. `.notFound` when there are none.
  @discardableResult
  public final func unwatch() -> Code { unwatch(WatchFilter()) }

  /// Ends the watches of all events of `source`. `.notFound` when there are none.
  @discardableResult
  public final func unwatch(_ source: OwnerRecord) -> Code { unwatch(WatchFilter(source)) }

  /// Ends the watches of one event of `source`, at all levels or at one. `.notFound` when there are
  /// none.
  @discardableResult
  public final func unwatch(_ source: OwnerRecord, event name: Text, level: Int? = nil) -> Code {
    unwatch(source, CText(name), level)
  }

  final func unwatch(_ source: OwnerRecord, _ name: CText, _ level: Int?) -> Code {
    withExtendedLifetime(name) {
      unwatch(WatchFilter(source, name.pointer, level: level.map { Int32(clamping: $0) }))
    }
  }

  /// Posts an event to who watches it here.
  ///
  /// - Returns: `.ok`; `.queued` when another event of this owner's is under way, which reaches
  ///   everybody first; `.again` when too many wait for that; `.dead` when this is dying;
  ///   `.invalid` for a name that begins with a dot: those are of paths.
  @discardableResult
  public final func post(_ name: Text, userInfo: AnyObject? = nil) -> Code {
    let name = CText(name)
    guard let userInfo else { return post(name, ForeignValue(payload: 0, tag: 0)) }
    let held = UserInfo(userInfo)
    let address = UInt(bitPattern: Unmanaged.passUnretained(held).toOpaque())
    return withExtendedLifetime(held) {
      post(name, ForeignValue(payload: 0, tag: UInt64(address)))
    }
  }
}
