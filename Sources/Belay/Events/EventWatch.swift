/// A watch as its watcher knows it.
final class WatchEntry: Attachment, @unchecked Sendable {
  let watcher: OwnerRecord
  // A record and not an address, because another owner may get the same address later.
  let source: OwnerRecord
  let channel: EventChannel
  /// The subscription. Set before other threads know this, and released at its end.
  var watch: Disposable?

  init(_ watcher: OwnerRecord, _ source: OwnerRecord, _ channel: EventChannel) {
    self.watcher = watcher
    self.source = source
    self.channel = channel
    super.init()
  }

  /// Removes the watch from the watcher and the source, because it has ended.
  func end() {
    watcher.forgetWatch(self)
    source.leaveChannel(channel)
  }
}

/// Selects some of a watcher's watches; nil matches all.
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
  /// Calls `handler` for each event `name` that `source` posts, until either owner dies. It is
  /// called at this owner's loop, or else at the loop of the calling thread, or else on the thread
  /// that posts. Higher levels are called first. Another watch at the same level replaces the
  /// handler. A name that begins with a dot is a path, whose events are the changes of its value.
  ///
  /// - Returns: `.dead` when either owner is dying; for a path also the code of reading it, or
  ///   `.invalid` if it has an empty key.
  package final func watch(
    _ source: OwnerRecord, _ name: CText, level: Int32,
    _ handler: @escaping (ForeignValue) -> Void
  ) -> Code {
    if !name.isPath { return watch(source, name, level, feed: nil, handler) }
    guard let path = PathKey.path(name.pointer + 1) else { return .invalid }
    do throws(Failure) {
      discard(try source.value(at: path))
    } catch {
      return error.code
    }
    let feed = EventFeed(source, name, source.observe(path, []))
    return watch(source, name, level, feed: feed, handler)
  }

  @inline(never)
  final func watch(
    _ source: OwnerRecord, _ name: CText, _ level: Int32, feed: EventFeed?,
    _ handler: @escaping (ForeignValue) -> Void
  ) -> Code {
    let entered = isDying ? nil : source.enterChannel(name, level, feed)
    if entered?.feed !== feed || entered == nil { feed?.stop() }
    guard let channel = entered else { return .dead }
    let home = home ?? Home.current
    let entry = WatchEntry(self, source, channel)
    // A subscription that either owner's death ends. `isDying` covers the time between the
    // beginning of this owner's death and the disposal, during which other members are disposed of.
    let watch = ClosureSubscription<ForeignValue>(
      { [self] in if !isDying { handler($0) } }, nil, nil, { entry.end() },
      home.acceptsMessages ? home : channel.emitter.ownHome)
    entry.watch = watch
    let sink = channel.emitter.hang(watch, for: home)
    if let attachments = lockMadeAttachments() { attachments.watches.append(entry) }
    unlock()
    // If several threads do this at once, the last watch stays.
    let filter = WatchFilter(source, name.pointer, level: level)
    while let old = firstWatch(filter), old !== watch { old.dispose() }
    add(watch)
    source.add(watch)
    if isDying || source.isDying || channel.feed?.isOver ?? false { watch.dispose() }
    if !watch.isClosed { source.runInTurn(EventArrival(sink, channel)) }
    return .ok
  }

  /// Ends the watches that `filter` selects. Answers `.notFound` if there are none.
  package final func unwatch(_ filter: WatchFilter) -> Code {
    var code = Code.notFound
    while let watch = firstWatch(filter) {
      watch.dispose()
      code = .ok
    }
    return code
  }

  /// The first watch that `filter` selects and that has not ended.
  @inline(never)
  private final func firstWatch(_ filter: WatchFilter) -> Disposable? {
    defer { unlock() }
    var place = lockAttachments()?.watches.first
    while let candidate = place {
      let entry = unsafeDowncast(candidate, to: WatchEntry.self)
      if let watch = entry.watch, !watch.isClosed, filter.matches(entry) { return watch }
      place = candidate.next
    }
    return nil
  }

  final func forgetWatch(_ entry: WatchEntry) {
    lockAttachments()?.watches.remove(entry)
    let watch = entry.watch
    entry.watch = nil
    unlock()
    extendLifetime(watch)  // released outside the lock
  }
}
