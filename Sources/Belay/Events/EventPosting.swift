import CBelayShim

extension OwnerRecord {
  /// Posts an event to its watches, the highest level first. `value` is borrowed.
  ///
  /// - Returns: `.ok`; `.queued` when another event of this owner is in progress and goes first, or
  ///   another thread ends a watch; `.again` when too many events wait; `.reentrant` when sends are
  ///   nested too deeply; `.dead` when this is dying; `.invalid` for the name of a path, whose events
  ///   are its changes.
  package final func post(_ name: CText, _ value: ForeignValue) -> Code {
    if isDying { return .dead }
    if name.isPath { return .invalid }
    // There are no watches.
    if channel(0, below: .max) == nil { return .ok }
    // A turn refuses nothing.
    guard belay_shim_make_places(Thread.record) else { return .reentrant }
    return runInTurn(EventPost(name, value))
  }

  /// Runs turns one after the other: events and new watches, from any thread.
  @discardableResult
  final func runInTurn(_ turn: EventTurn) -> Code {
    guard let attachments = lockMadeAttachments() else {
      unlock()
      return .dead
    }
    let isMine = attachments.turns.begin()
    if isMine && attachments.turns.isEmpty {
      unlock()
      return runTurns(from: turn) ? .ok : .queued
    }
    let isFull = !isMine && turn.isPost && attachments.turns.isFull
    if !isFull { attachments.turns.add(turn) }
    unlock()
    if isMine { runTurns() }
    return isFull ? .again : .queued
  }

  /// Runs `first` and the turns that wait, in stints (`Stint`). The caller has begun them. While
  /// another thread is where a turn has to send, they go on when that thread leaves, on that thread.
  /// Answers false if `first` does so.
  @discardableResult
  final func runTurns(from first: EventTurn? = nil) -> Bool {
    var stint = Stint()
    var first = first
    repeat {
      while let turn = first ?? nextTurn(&stint) {
        if let departure = turn.run(for: self) {
          departure.then { self.runTurns(from: turn) }
          return first == nil
        }
        first = nil
      }
    } while stint.offers() && beginsAgain()
    return true
  }

  private final func nextTurn(_ stint: inout Stint) -> EventTurn? {
    defer { unlock() }
    return lockAttachments()?.turns.next(stint.takesOne())
  }

  private final func beginsAgain() -> Bool {
    defer { unlock() }
    guard let attachments = lockAttachments(), !attachments.turns.isEmpty else { return false }
    return attachments.turns.begin()
  }

  /// The highest level of an event below `ceiling`.
  final func channel(_ name: UInt, below ceiling: Int) -> EventChannel? {
    find(.channel, name, UInt(bitPattern: ceiling))
      .map { unsafeDowncast($0, to: EventChannel.self) }
  }

  /// The channel for one more watch, made if there is none; nil if this is dying. A name that is
  /// new here gets `feed`.
  final func enterChannel(_ name: CText, _ level: Int32, _ feed: EventFeed?) -> EventChannel? {
    defer { unlock() }
    guard let attachments = lockMadeAttachments(), !isDying else { return nil }
    let ceiling = UInt(bitPattern: Int(level))
    if let known = attachments.list.first(.channel, name.address, ceiling &+ 1) {
      let channel = unsafeDowncast(known, to: EventChannel.self)
      if channel.level == level {
        channel.watching += 1
        return channel
      }
    }
    let other = attachments.list.first(.channel, name.address, UInt(Int.max))
    let known = other.flatMap { unsafeDowncast($0, to: EventChannel.self).feed }
    let made = EventChannel(name, level, known ?? feed)
    made.feed?.channels += 1
    attachments.list.insert(made, before: attachments.list.first(.channel, 0, ceiling))
    return made
  }

  final func leaveChannel(_ channel: EventChannel) {
    let attachments = lockAttachments()
    channel.watching -= 1
    var feed: EventFeed?
    if channel.watching == 0 {
      attachments?.list.remove(channel)
      channel.feed?.channels -= 1
      if channel.feed?.channels == 0 { feed = channel.feed }
    }
    unlock()
    feed?.stop()
  }
}
