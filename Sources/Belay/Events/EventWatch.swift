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
  /// - Returns: `.dead` when either owner is dying; for a path also the code of reading it,
  ///   `.invalid` if it has an empty key, or `.again` if it had led nowhere, which has ended its
  ///   watches, and one of them has not heard of that yet.
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
    // It has ended already if its home has closed.
    if let attachments = lockMadeAttachments(), entry.watch != nil {
      attachments.watches.append(entry)
    }
    unlock()
    // Only older watches, so that of several threads that do this at once the last one's stays.
    let filter = WatchFilter(source, name.pointer, level: level)
    while let old = takeWatch(filter, below: entry.number) { old.dispose() }
    add(watch)
    source.add(watch)
    let isGone = isDying || source.isDying
    let isLate = channel.feed?.isOver ?? false
    if isGone || isLate { watch.dispose() }
    if !watch.isClosed { source.runInTurn(EventArrival(sink, channel)) }
    return isLate && !isGone ? .again : .ok
  }

  /// Ends the watches that `filter` selects. Answers `.notFound` if there are none.
  package final func unwatch(_ filter: WatchFilter) -> Code {
    var code = Code.notFound
    while let watch = takeWatch(filter, below: .max) {
      watch.dispose()
      code = .ok
    }
    return code
  }

  /// Takes the first watch out of the list that `filter` selects, that has not ended, and whose
  /// number is less than `limit`. It must not wait there for its home, where it ends.
  @inline(never)
  private final func takeWatch(_ filter: WatchFilter, below limit: Int) -> Disposable? {
    defer { unlock() }
    let attachments = lockAttachments()
    var place = attachments?.watches.first
    while let candidate = place, candidate.number < limit {
      let entry = unsafeDowncast(candidate, to: WatchEntry.self)
      if let watch = entry.watch, !watch.isClosed, filter.matches(entry) {
        attachments?.watches.remove(entry)
        return watch
      }
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
