/// The memberships of disposables that are in more than one container. The first membership is
/// stored in the disposable itself.
enum Memberships {
  /// One membership, linked to the next one of the same member.
  private struct Place {
    let core: CompoundCore
    let cell: UInt32
    var next: UnsafeMutablePointer<Place>?
  }

  private static let lock = Lock()
  /// The newest place of each member, by the member's address.
  nonisolated(unsafe) private static var extra = AddressTable()

  private static func key(_ member: Disposable) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(member).toOpaque())
  }

  private static func places(_ key: UInt) -> UnsafeMutablePointer<Place>? {
    UnsafeMutablePointer(bitPattern: extra[key])
  }

  private static func free(_ place: UnsafeMutablePointer<Place>) {
    place.deinitialize(count: 1)
    place.deallocate()
  }

  /// Adds a membership. Answers false if the member has ended meanwhile.
  static func add(_ member: Disposable, _ core: CompoundCore, _ cell: UInt32) -> Bool {
    let key = key(member)
    let place = UnsafeMutablePointer<Place>.allocate(capacity: 1)
    lock.withLock {
      place.initialize(to: Place(core: core, cell: cell, next: places(key)))
      extra[key] = UInt(bitPattern: place)
    }
    if !member.lifecycle.set(.memberOfMore).has(.finalised) { return true }
    forget(member)
    return false
  }

  /// Removes the membership of a member that was taken out of `core`. (A member's first place is
  /// not cleared: a container ignores a place that holds another member.)
  static func withdraw(_ member: Disposable, _ core: CompoundCore, _ cell: UInt32) {
    let key = key(member)
    let withdrawn = lock.withLock { () -> UnsafeMutablePointer<Place>? in
      var before: UnsafeMutablePointer<Place>?
      var place = places(key)
      while let found = place {
        if found.pointee.core === core && found.pointee.cell == cell {
          if let before {
            before.pointee.next = found.pointee.next
          } else {
            extra[key] = UInt(bitPattern: found.pointee.next)
          }
          return found
        }
        before = found
        place = found.pointee.next
      }
      return nil
    }
    if let withdrawn { free(withdrawn) }
  }

  /// Notes all containers of `member` except the first.
  static func noteContainers(of member: Disposable, in nesting: inout Nesting) {
    lock.withLock {
      var place = places(key(member))
      while let next = place {
        nesting.note(next.pointee.core)
        place = next.pointee.next
      }
    }
  }

  /// Takes a member that has ended, or is being deallocated, out of all its further containers.
  static func forget(_ member: Disposable) {
    let key = key(member)
    var place = lock.withLock { () -> UnsafeMutablePointer<Place>? in
      let all = places(key)
      extra[key] = 0
      return all
    }
    while let found = place {
      found.pointee.core.forget(member, found.pointee.cell)
      place = found.pointee.next
      free(found)
    }
  }
}
