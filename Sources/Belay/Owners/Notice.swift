/// A destroy notification: told, under its name, when its owner has died, with the members gone and
/// the memory still there. (RFDestroyNotify.)
open class Notice: Attachment, @unchecked Sendable {
  package final let name: CText

  package init(_ name: CText) {
    self.name = name
    super.init()
    kind = .notice
  }

  public final override func isNamed(_ name: UInt, _ other: UInt) -> Bool {
    self.name.isSame(at: name)
  }
}

/// A notification for Swift. What comes with it goes with it.
private final class ClosureNotice: Notice, @unchecked Sendable {
  let userInfo: AnyObject?
  private let tell: (Text, AnyObject?, UnsafeMutableRawPointer?) -> Void

  init(
    _ name: Text, _ userInfo: AnyObject?,
    _ tell: @escaping (Text, AnyObject?, UnsafeMutableRawPointer?) -> Void
  ) {
    self.userInfo = userInfo
    self.tell = tell
    super.init(CText(name))
  }

  override func fall(from address: UnsafeMutableRawPointer?) { tell(name.text, userInfo, address) }
}

extension OwnerRecord {
  /// Sets a notification, in the place of one of its name, which is never told.
  ///
  /// - Returns: `.dead` from step 5 of the death on.
  package final func set(_ notice: Notice) -> Code {
    replace(with: notice, .notice, notice.name.address, 0)
  }

  /// Takes a notification back. `.notFound` when there is none of that name.
  package final func removeNotice(_ name: UnsafePointer<CChar>) -> Code {
    replace(with: nil, .notice, UInt(bitPattern: name), 0)
  }

  package final func notice(_ name: UnsafePointer<CChar>) -> Notice? {
    find(.notice, UInt(bitPattern: name), 0).map { unsafeDowncast($0, to: Notice.self) }
  }

  /// Visits those that are set by now, and still at their turn, in the order of setting; answers how
  /// many.
  package final func forEachNotice(_ visit: (Notice) -> Void) -> Int {
    let last = lockAttachments()?.list.count ?? 0
    unlock()
    var (number, visited) = (0, 0)
    while let notice = notice(after: number), notice.number <= last {
      visit(notice)
      number = notice.number
      visited += 1
    }
    return visited
  }

  private final func notice(after number: Int) -> Notice? {
    defer { unlock() }
    var place = lockAttachments()?.list.first
    while let candidate = place, candidate.kind == .notice {
      if candidate.number > number { return unsafeDowncast(candidate, to: Notice.self) }
      place = candidate.next
    }
    return nil
  }

  // MARK: For Swift

  /// Has `tell` called when the owner has died, at step 5 of its death, with the name, what was
  /// given as `userInfo`, and the address that the object had. A second one of a name takes the place
  /// of the first, which is never called.
  ///
  /// - Returns: `.dead` from step 5 on.
  @discardableResult
  public final func notify(
    _ name: Text, userInfo: AnyObject? = nil,
    _ tell:
      @escaping (_ name: Text, _ userInfo: AnyObject?, _ address: UnsafeMutableRawPointer?)
      -> Void
  ) -> Code {
    set(ClosureNotice(name, userInfo, tell))
  }

  /// Takes a notification back. `.notFound` when there is none of that name.
  @discardableResult
  public final func removeNotification(_ name: Text) -> Code {
    let name = CText(name)
    return withExtendedLifetime(name) { removeNotice(name.pointer) }
  }

  /// The names of the notifications, in the order of setting.
  public final var notificationNames: [Text] {
    var names: [Text] = []
    _ = forEachNotice { names.append($0.name.text) }
    return names
  }

  /// What was given with a notification.
  public final func userInfo(ofNotification name: Text) -> AnyObject? {
    let name = CText(name)
    return withExtendedLifetime(name) { (notice(name.pointer) as? ClosureNotice)?.userInfo }
  }
}
