/// The memberships of disposables that are in more than one container. The first membership is
/// stored in the disposable itself.
enum Memberships {
  /// One membership, linked to the next one of the same member.
  private struct Membership {
    let core: CompoundCore
    let cell: UInt32
    var next: UnsafeMutablePointer<Membership>?
  }

  private static let lock = Lock()
  /// The newest membership of each member, by the member's address.
  nonisolated(unsafe) private static var extra = AddressTable()

  private static func key(_ member: Disposable) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(member).toOpaque())
  }

  private static func memberships(_ key: UInt) -> UnsafeMutablePointer<Membership>? {
    UnsafeMutablePointer(bitPattern: extra[key])
  }

  private static func free(_ membership: UnsafeMutablePointer<Membership>) {
    membership.deinitialize(count: 1)
    membership.deallocate()
  }

  /// Adds a membership. Answers false if the member has ended meanwhile.
  static func add(_ member: Disposable, _ core: CompoundCore, _ cell: UInt32) -> Bool {
    let key = key(member)
    let membership = UnsafeMutablePointer<Membership>.allocate(capacity: 1)
    lock.withLock {
      membership.initialize(to: Membership(core: core, cell: cell, next: memberships(key)))
      extra[key] = UInt(bitPattern: membership)
    }
    if !member.lifecycle.set(.memberOfMore).has(.finalised) { return true }
    forget(member)
    return false
  }

  /// Removes the membership of a member that was taken out of `core`. (A member's first membership
  /// is not cleared: a container ignores the key of a cell that holds another member.)
  static func withdraw(_ member: Disposable, _ core: CompoundCore, _ cell: UInt32) {
    let key = key(member)
    let withdrawn = lock.withLock { () -> UnsafeMutablePointer<Membership>? in
      var before: UnsafeMutablePointer<Membership>?
      var membership = memberships(key)
      while let found = membership {
        if found.pointee.core === core && found.pointee.cell == cell {
          if let before {
            before.pointee.next = found.pointee.next
          } else {
            extra[key] = UInt(bitPattern: found.pointee.next)
          }
          return found
        }
        before = found
        membership = found.pointee.next
      }
      return nil
    }
    if let withdrawn { free(withdrawn) }
  }

  /// Notes all containers of `member` except the first.
  static func noteContainers(of member: Disposable, in nesting: inout Nesting) {
    lock.withLock {
      var membership = memberships(key(member))
      while let next = membership {
        nesting.note(next.pointee.core)
        membership = next.pointee.next
      }
    }
  }

  /// Takes a member that has ended, or is being deallocated, out of all its further containers.
  static func forget(_ member: Disposable) {
    let key = key(member)
    var membership = lock.withLock { () -> UnsafeMutablePointer<Membership>? in
      let all = memberships(key)
      extra[key] = 0
      return all
    }
    while let found = membership {
      found.pointee.core.forget(member, found.pointee.cell)
      membership = found.pointee.next
      free(found)
    }
  }
}
