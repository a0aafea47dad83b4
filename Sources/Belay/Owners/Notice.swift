/// A destroy notification: told, under its name, when its owner has died, with the members gone and
/// the memory still there. (RFDestroyNotify.)
open class Notice: Attachment, @unchecked Sendable {
  package final let name: CText

  package init(_ name: CText) {
    self.name = name
    super.init()
    kind = .notice
  }
}

/// A notification for Swift. What comes with it goes with it.
private final class ClosureNotice: Notice, @unchecked Sendable {
  let userInfo: AnyObject?
  private let tell: (String, AnyObject?, UnsafeMutableRawPointer?) -> Void

  init(
    _ name: String, _ userInfo: AnyObject?,
    _ tell: @escaping (String, AnyObject?, UnsafeMutableRawPointer?) -> Void
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
    replace(with: notice, from: .notice) { Self.isNotice($0, notice.name.pointer) }
  }

  /// Takes a notification back. `.notFound` when there is none of that name.
  package final func removeNotice(_ name: UnsafePointer<CChar>) -> Code {
    replace(with: nil, from: .notice) { Self.isNotice($0, name) }
  }

  package final func notice(_ name: UnsafePointer<CChar>) -> Notice? {
    find { Self.isNotice($0, name) }.map { unsafeDowncast($0, to: Notice.self) }
  }

  private static func isNotice(_ candidate: Attachment, _ name: UnsafePointer<CChar>) -> Bool {
    candidate.kind == .notice
      && unsafeDowncast(candidate, to: Notice.self).name.isSame(as: name)
  }

  /// Those that are set, in the order of setting.
  package final var notices: [Attachment] {
    var all: [Attachment] = []
    _ = find {
      if $0.kind == .notice { all.append($0) }
      return false
    }
    return all
  }

  // MARK: For Swift

  /// Has `tell` called when the owner has died, at step 5 of its death, with the name, what was
  /// given as `userInfo`, and the address that the object had. A second one of a name takes the place
  /// of the first, which is never called.
  ///
  /// - Returns: `.dead` from step 5 on.
  @discardableResult
  public final func notify(
    _ name: String, userInfo: AnyObject? = nil,
    _ tell:
      @escaping (_ name: String, _ userInfo: AnyObject?, _ address: UnsafeMutableRawPointer?)
      -> Void
  ) -> Code {
    set(ClosureNotice(name, userInfo, tell))
  }

  /// Takes a notification back. `.notFound` when there is none of that name.
  @discardableResult
  public final func removeNotification(_ name: String) -> Code {
    name.withCString { removeNotice($0) }
  }

  /// The names of the notifications, in the order of setting.
  public final var notificationNames: [String] {
    notices.map { unsafeDowncast($0, to: Notice.self).name.text }
  }

  /// What was given with a notification.
  public final func userInfo(ofNotification name: String) -> AnyObject? {
    name.withCString { (notice($0) as? ClosureNotice)?.userInfo }
  }
}
