@_spi(Engine) import Belay
import CBelay

/// A notice that calls a C function, and frees its `user_info` at the end.
private final class CNotice: Notice, @unchecked Sendable {
  let userInfo: UnsafeMutableRawPointer?
  private let notify: belay_notice_fn?
  private let free: belay_free_fn?

  init(
    _ name: UnsafePointer<CChar>, _ notify: belay_notice_fn?,
    _ userInfo: UnsafeMutableRawPointer?, _ free: belay_free_fn?
  ) {
    self.userInfo = userInfo
    self.notify = notify
    self.free = free
    super.init(CText(copying: name))
  }

  deinit {
    if let free { LastFailure.isolating { free(userInfo) } }
  }

  override func fall(from address: UnsafeMutableRawPointer?) {
    if let notify { LastFailure.isolating { notify(userInfo, name.pointer, address) } }
  }
}

@_cdecl("belay_notice_set")
@implementation
public func belay_notice_set(
  _ o: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ notify: belay_notice_fn!,
  _ user_info: UnsafeMutableRawPointer!, _ user_info_free: belay_free_fn!
) -> Int32 {
  let notice = CNotice(name ?? StaticSite("").pointer, notify, user_info, user_info_free)
  guard let owner = owner(o), name != nil else { return fail(invalid(o)) }
  return answer(owner.set(notice))
}

@_cdecl("belay_notice_remove")
@implementation
public func belay_notice_remove(_ o: OpaquePointer!, _ name: UnsafePointer<CChar>!) -> Int32 {
  guard let owner = owner(o), let name else { return fail(invalid(o)) }
  return answer(owner.removeNotice(name))
}

@_cdecl("belay_notice_user_info")
@implementation
public func belay_notice_user_info(_ o: OpaquePointer!, _ name: UnsafePointer<CChar>!)
  -> UnsafeMutableRawPointer!
{
  guard let name else { return nil }
  return (owner(o)?.notice(name) as? CNotice)?.userInfo
}

@_cdecl("belay_notice_each")
@implementation
public func belay_notice_each(
  _ o: OpaquePointer!, _ visit: belay_notice_visit_fn!, _ ctx: UnsafeMutableRawPointer!
) -> Int {
  guard let owner = owner(o) else { return 0 }
  return owner.forEachNotice { notice in
    guard let visit, let notice = notice as? CNotice else { return }
    LastFailure.isolating { visit(ctx, notice.name.pointer, notice.userInfo) }
  }
}
