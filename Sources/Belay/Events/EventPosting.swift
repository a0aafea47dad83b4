extension OwnerRecord {
  static var mostWaiting: Int { 1024 }

  /// Posts an event to who watches it, the higher levels first. `value` is borrowed.
  ///
  /// - Returns: `.ok`; `.queued` when another event of this owner's is under way, which reaches
  ///   everybody first; `.again` when too many wait for that; `.dead` when this is dying;
  ///   `.invalid` for the name of a path, of which a change alone is an event.
  package final func post(_ name: CText, _ value: ForeignValue) -> Code {
    if isDying { return .dead }
    if name.isPath { return .invalid }
    // Nobody watches anything here.
    if channel(0, below: .max) == nil { return .ok }
    return take(EventPost(name, value))
  }

  /// Takes turns: events and newcomers one after the other, whichever thread they come from.
  @discardableResult
  final func take(_ turn: EventTurn) -> Code {
    guard let attachments = lockMadeAttachments() else {
      unlock()
      return .dead
    }
    if attachments.isPosting {
      let isFull = turn.isPost && attachments.waitingPosts == Self.mostWaiting
      if !isFull {
        if turn.isPost { attachments.waitingPosts += 1 }
        attachments.turns.append(turn)
      }
      unlock()
      return isFull ? .again : .queued
    }
    attachments.isPosting = true
    unlock()
    turn.run(for: self)
    takeTurns()
    return .ok
  }

  /// Takes the turns that wait, for who has claimed them.
  final func takeTurns() { while let next = nextTurn() { next.run(for: self) } }

  private final func nextTurn() -> EventTurn? {
    defer { unlock() }
    guard let attachments = lockAttachments() else { return nil }
    guard let first = attachments.turns.takeFirst() else {
      attachments.isPosting = false
      return nil
    }
    let next = unsafeDowncast(first, to: EventTurn.self)
    if next.isPost { attachments.waitingPosts -= 1 }
    return next
  }

  private final func channel(_ name: UInt, below ceiling: Int) -> EventChannel? {
    find(.channel, name, UInt(bitPattern: ceiling))
      .map { unsafeDowncast($0, to: EventChannel.self) }
  }

  /// Sends to the levels of an event, from the highest down; without a value, their end.
  final func deliver(_ name: CText, _ value: ForeignValue?, from feed: EventFeed?) {
    var above = Int.max
    while let channel = channel(name.address, below: above) {
      above = Int(channel.level)
      if channel.feed !== feed { continue }
      if let value {
        channel.emitter.takeInAnyCase(value)
      } else {
        _ = channel.emitter.send(.completed)
      }
    }
  }

  /// The channel for one more watch; nil when this is dying. `feed` is the channel's if the name
  /// has none yet.
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
