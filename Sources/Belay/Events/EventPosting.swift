extension OwnerRecord {
  private static var mostWaiting: Int { 1024 }

  /// Posts an event to who watches it, the higher levels first. `value` is borrowed.
  ///
  /// - Returns: `.ok`; `.queued` when another event of this owner's is under way, which reaches
  ///   everybody first; `.again` when too many wait for that; `.dead` when this is dying.
  package final func post(_ name: CText, _ value: ForeignValue) -> Code {
    if isDying { return .dead }
    // Nobody watches anything here.
    if find({ $0.kind == .channel }) == nil { return .ok }
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
      let isRefused = turn.isPost && attachments.waitingPosts == Self.mostWaiting
      if !isRefused {
        if turn.isPost { attachments.waitingPosts += 1 }
        attachments.turns.append(turn)
      }
      unlock()
      return isRefused ? .again : .queued
    }
    attachments.isPosting = true
    unlock()
    turn.run(for: self)
    while let next = nextTurn() { next.run(for: self) }
    return .ok
  }

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

  /// Sends to the levels of an event, from the highest down.
  final func deliver(_ name: UnsafePointer<CChar>, _ value: ForeignValue) {
    var above = Int64.max
    while let found = find({
      Self.isChannel($0, name) && Int64(Self.channel($0).level) < above
    }) {
      let channel = Self.channel(found)
      above = Int64(channel.level)
      _ = channel.emitter.send(value)
    }
  }

  /// The channel for one more watch; nil when this is dying.
  final func enterChannel(_ name: CText, _ level: Int32) -> EventChannel? {
    defer { unlock() }
    guard let attachments = lockMadeAttachments(), !isDying else { return nil }
    let place = attachments.list.first {
      if $0.kind != .channel { return false }
      let itsLevel = Self.channel($0).level
      return itsLevel < level || (itsLevel == level && Self.isChannel($0, name.pointer))
    }
    if let place, Self.channel(place).level == level {
      Self.channel(place).watching += 1
      return Self.channel(place)
    }
    let made = EventChannel(name, level)
    attachments.list.insert(made, before: place)
    return made
  }

  final func leaveChannel(_ channel: EventChannel) {
    let attachments = lockAttachments()
    channel.watching -= 1
    if channel.watching == 0 { attachments?.list.remove(channel) }
    unlock()
  }

  private static func isChannel(_ candidate: Attachment, _ name: UnsafePointer<CChar>) -> Bool {
    candidate.kind == .channel && channel(candidate).name.isSame(as: name)
  }

  private static func channel(_ attachment: Attachment) -> EventChannel {
    unsafeDowncast(attachment, to: EventChannel.self)
  }
}
