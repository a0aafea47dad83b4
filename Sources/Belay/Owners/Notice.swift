/// A named notification of an owner's death. It is called at step 5: the bound disposables have
/// ended, and the memory is still there. (RFDestroyNotify.)
@_spi(Engine) open class Notice: Attachment, @unchecked Sendable {
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

/// A notification whose function is a closure. It keeps `userInfo` alive.
private final class ClosureNotice: Notice, @unchecked Sendable {
  let userInfo: AnyObject?
  private let tell: (Text, AnyObject?, UnsafeMutableRawPointer?) -> Void

  init(
    _ name: CText, _ userInfo: AnyObject?,
    _ tell: @escaping (Text, AnyObject?, UnsafeMutableRawPointer?) -> Void
  ) {
    self.userInfo = userInfo
    self.tell = tell
    super.init(name)
  }

  override func fall(from address: UnsafeMutableRawPointer?) { tell(name.text, userInfo, address) }
}

extension OwnerRecord {
  /// Sets a notification, and replaces one with the same name, which will not be called.
  ///
  /// - Returns: `.dead` from step 5 of the death on.
  package final func set(_ notice: Notice) -> Code {
    replace(with: notice, .notice, notice.name.address, 0)
  }

  /// Removes a notification. Answers `.notFound` if there is none with that name.
  package final func removeNotice(_ name: UnsafePointer<CChar>) -> Code {
    replace(with: nil, .notice, UInt(bitPattern: name), 0)
  }

  package final func notice(_ name: UnsafePointer<CChar>) -> Notice? {
    find(.notice, UInt(bitPattern: name), 0).map { unsafeDowncast($0, to: Notice.self) }
  }

  /// Calls `visit` with each notification that is set now, if it still is when its turn comes.
  /// Answers how many were visited.
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

  /// Calls `tell` at step 5 of the owner's death, with the name, `userInfo`, and the address that
  /// the object had. A second notification with one name replaces the first, which will not be
  /// called.
  ///
  /// - Returns: `.dead` from step 5 on; `.invalid` for a name with a NUL.
  @discardableResult
  public final func notify(
    _ name: Text, userInfo: AnyObject? = nil,
    _ tell:
      @escaping (_ name: Text, _ userInfo: AnyObject?, _ address: UnsafeMutableRawPointer?)
      -> Void
  ) -> Code {
    guard let name = try? name.cText() else { return .invalid }
    return set(ClosureNotice(name, userInfo, tell))
  }

  /// Removes a notification. Answers `.notFound` if there is none with that name.
  @discardableResult
  public final func removeNotification(_ name: Text) -> Code {
    guard let name = try? name.cText() else { return .notFound }
    return withExtendedLifetime(name) { removeNotice(name.pointer) }
  }

  /// The names of the notifications, in the order in which they were set.
  public final var notificationNames: [Text] {
    var names: [Text] = []
    _ = forEachNotice { names.append($0.name.text) }
    return names
  }

  /// The `userInfo` of a notification.
  public final func userInfo(ofNotification name: Text) -> AnyObject? {
    guard let name = try? name.cText() else { return nil }
    return withExtendedLifetime(name) { (notice(name.pointer) as? ClosureNotice)?.userInfo }
  }
}
