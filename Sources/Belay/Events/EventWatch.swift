/// What an owner knows of one of its watches.
final class WatchEntry: Attachment, @unchecked Sendable {
  let watcher: OwnerRecord
  // Kept as a record, so that no other owner's can be taken for it, whatever address that gets.
  let source: OwnerRecord
  let channel: EventChannel
  /// Set before others know this; let go of when it is over.
  var watch: Disposable?

  init(_ watcher: OwnerRecord, _ source: OwnerRecord, _ channel: EventChannel) {
    self.watcher = watcher
    self.source = source
    self.channel = channel
    super.init()
  }
}

/// A watcher's handler of one event at one level: a subscription that either owner's death ends.
final class EventWatch<Value>: Subscription<Value>, @unchecked Sendable {
  let entry: WatchEntry
  let ownHome: Home
  private var handler: ((Value) -> Void)?

  init(_ entry: WatchEntry, _ home: Home, _ handler: @escaping (Value) -> Void) {
    self.entry = entry
    ownHome = home
    self.handler = handler
    super.init()
  }

  override var fixedHome: Home? { ownHome }
  override func next(_ value: Value) { if !isClosed { handler?(value) } }

  override func onDisposed() {
    entry.watcher.forgetWatch(entry)
    entry.source.leaveChannel(entry.channel)
  }

  override func freeContext() { handler = nil }
}

/// Which of a watcher's watches are meant; nil: any.
package struct WatchFilter {
  let source: OwnerRecord?
  let name: UnsafePointer<CChar>?
  let level: Int32?

  package init(
    _ source: OwnerRecord? = nil, _ name: UnsafePointer<CChar>? = nil, level: Int32? = nil
  ) {
    self.source = source
    self.name = name
    self.level = level
  }

  func matches(_ entry: WatchEntry) -> Bool {
    if let source, entry.source !== source { return false }
    if let name, !entry.channel.name.isSame(as: name) { return false }
    return level.map { $0 == entry.channel.level } ?? true
  }
}

extension OwnerRecord {
  /// Has `handler` called for each event of that name that `source` posts, until either dies: at
  /// this owner's loop, else at the loop of the calling thread, else on the thread that posts.
  /// Higher levels are called first; the same level again replaces the handler.
  ///
  /// - Returns: `.dead` when either is dying.
  package final func watch(
    _ source: OwnerRecord, _ name: CText, level: Int32,
    _ handler: @escaping (ForeignValue) -> Void
  ) -> Code {
    if isDying { return .dead }
    guard let channel = source.enterChannel(name, level) else { return .dead }
    let home = home ?? Home.current
    let entry = WatchEntry(self, source, channel)
    let watch = EventWatch(entry, home.acceptsMail ? home : SharedHome.shared, handler)
    entry.watch = watch
    let filter = WatchFilter(source, name.pointer, level: level)
    var old: Disposable?
    if let attachments = lockMadeAttachments() {
      old = attachments.watches.first { filter.matches(Self.entry($0)) }
        .flatMap { Self.entry($0).watch }
      attachments.watches.append(entry)
    }
    unlock()
    old?.dispose()
    add(watch)
    source.add(watch)
    if isDying || source.isDying { watch.dispose() }
    if !watch.isClosed { source.take(EventArrival(watch)) }
    return .ok
  }

  /// Ends the watches that `filter` means. `.notFound` when there are none.
  package final func unwatch(_ filter: WatchFilter) -> Code {
    var meant: [Disposable] = []
    _ = lockAttachments()?.watches.first { candidate in
      let entry = Self.entry(candidate)
      if filter.matches(entry), let watch = entry.watch { meant.append(watch) }
      return false
    }
    unlock()
    for watch in meant { watch.dispose() }
    return meant.isEmpty ? .notFound : .ok
  }

  final func forgetWatch(_ entry: WatchEntry) {
    lockAttachments()?.watches.remove(entry)
    let watch = entry.watch
    entry.watch = nil
    unlock()
    _ = watch  // released outside the lock
  }

  private static func entry(_ attachment: Attachment) -> WatchEntry {
    unsafeDowncast(attachment, to: WatchEntry.self)
  }
}
