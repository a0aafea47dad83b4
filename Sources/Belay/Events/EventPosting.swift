extension OwnerRecord {
  private static var mostWaiting: Int { 1024 }

  /// Posts an event to who watches it, the higher levels first. `value` is borrowed.
  ///
  /// - Returns: `.ok`; `.queued` when another event of this owner's is under way, which reaches
  ///   everybody first; `.again` when too many wait for that; `.dead` when this is dying.
  package final func post(_ name: CText, _ value: ForeignValue) -> Code {
    if isDying { return .dead }
    // Nobody watches anything here.
    if withAttachments({ $0[.channel].first }) == nil { return .ok }
    return take(EventPost(name, value))
  }

  /// Takes turns: events and newcomers one after the other, whichever thread they come from.
  @discardableResult
  final func take(_ turn: EventTurn) -> Code {
    let refusal = withMadeAttachments { attachments -> Code? in
      if attachments.isPosting {
        if turn.isPost {
          if attachments.waitingPosts == Self.mostWaiting { return .again }
          attachments.waitingPosts += 1
        }
        attachments.turns.append(turn)
        return .queued
      }
      attachments.isPosting = true
      return nil
    }
    if let refusal { return refusal }
    turn.run(for: self)
    while let next = nextTurn() { next.run(for: self) }
    return .ok
  }

  private final func nextTurn() -> EventTurn? {
    withAttachments { attachments in
      guard let first = attachments.turns.takeFirst() else {
        attachments.isPosting = false
        return nil
      }
      let next = unsafeDowncast(first, to: EventTurn.self)
      if next.isPost { attachments.waitingPosts -= 1 }
      return next
    }
  }

  /// Sends to the levels of an event, from the highest down.
  final func deliver(_ name: UnsafePointer<CChar>, _ value: ForeignValue) {
    var above = Int64.max
    while let found = find(
      .channel,
      {
        let channel = Self.channel($0)
        return channel.level < above && channel.name.isSame(as: name)
      })
    {
      let channel = Self.channel(found)
      above = Int64(channel.level)
      _ = channel.emitter.send(value)
    }
  }

  /// The channel for one more watch; nil when this is dying.
  final func enterChannel(_ name: CText, _ level: Int32) -> EventChannel? {
    withMadeAttachments { attachments in
      if isDying { return nil }
      let place = attachments[.channel].first {
        let channel = Self.channel($0)
        return channel.level < level
          || (channel.level == level && channel.name.isSame(as: name.pointer))
      }
      if let known = place.map({ Self.channel($0) }), known.level == level {
        known.watching += 1
        return known
      }
      let made = EventChannel(name, level)
      made.watching = 1
      attachments[.channel].insert(made, before: place)
      return made
    }
  }

  final func leaveChannel(_ channel: EventChannel) {
    _ = withAttachments { attachments -> Bool? in
      channel.watching -= 1
      if channel.watching == 0 { attachments[.channel].remove(channel) }
      return nil
    }
  }

  private static func channel(_ attachment: Attachment) -> EventChannel {
    unsafeDowncast(attachment, to: EventChannel.self)
  }
}
