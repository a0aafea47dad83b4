@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// Hears of inotify's events, until it leaves.
final class WatchUser {
  typealias Hears = (_ number: Int32, _ mask: UInt32, _ name: UnsafePointer<CChar>?) -> Void

  /// The number of a directory that is watched once for several users; negative: of none.
  var number: Int32 = -1
  fileprivate let hears: Hears
  fileprivate let fails: (Int32) -> Void
  /// Whether it is being told of an event.
  fileprivate var isInside = false
  fileprivate var hasLeft = false

  init(_ hears: @escaping Hears, fails: @escaping (Int32) -> Void = { _ in }) {
    self.hears = hears
    self.fails = fails
  }
}

/// A descriptor of inotify's, and who hears what it tells. (libuv's watchers do not tell that events
/// were lost.)
///
/// A loop has one for all that watch one directory, because the system gives a user few descriptors.
final class Watches: DescriptorUser {
  private let descriptor: Descriptor
  private var users: ReferenceArray<WatchUser> = []
  /// The event that is being told, who is to hear of it, and how many of them have.
  private var event: (number: Int32, mask: UInt32, name: UnsafePointer<CChar>?) = (-1, 0, nil)
  private var hearers: ReferenceArray<WatchUser> = []
  private var heard = 0
  /// The events that have been read and follow that one.
  private var rest = UnsafeRawBufferPointer(start: nil, count: 0)
  /// How many bytes of events come before a loss is told that the system has told already; negative: none
  /// was. They are old: told after the list that follows the loss, they would contradict it.
  private var untilLoss: Int64 = -1

  private init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
    descriptor.user = self
  }

  /// What it throws has the code only.
  static func open(_ core: LoopCore) throws(Failure) -> Watches {
    let fd = belay_shim_watches_open()
    if fd < 0 { throw Failure(Code(rawValue: fd)) }
    return Watches(try Descriptor(core, fd, BELAY_SHIM_PIPE))
  }

  /// The loop's.
  static func shared(_ core: LoopCore) throws(Failure) -> Watches {
    if let made = core.watches { return unsafeDowncast(made, to: Watches.self) }
    let made = try open(core)
    core.watches = made
    return made
  }

  func join(_ user: WatchUser) {
    users.append(user)
    descriptor.wait(for: UV_READABLE)
  }

  /// Watches a directory. Answers its number, or libuv's code. All that watch one wait for the same.
  func add(_ path: CText) -> Int32 {
    belay_shim_watches_add(descriptor.fd, path.pointer, Self.mask)
  }

  /// The same for a directory below another one, unless a symbolic link leads there.
  func add(_ path: CText, below root: CText) -> Int32 {
    let number = belay_shim_watches_add_below(
      descriptor.fd, root.pointer, path.pointer, Self.mask)
    if number != UV_ENOSYS.rawValue { return number }
    return belay_shim_watches_add(
      descriptor.fd, root.joined(path.pointer).pointer, Self.mask | UInt32(IN_DONT_FOLLOW))
  }

  private static let mask = UInt32(
    bitPattern: IN_CREATE | IN_DELETE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO
      | IN_DELETE_SELF | IN_MOVE_SELF | Int32(IN_ONLYDIR))

  /// Stops watching a directory, unless it is a user's.
  func remove(_ number: Int32) {
    if number < 0 || users.contains(where: { $0.number == number }) { return }
    belay_shim_watches_remove(descriptor.fd, number)
  }

  func leave(_ user: WatchUser) {
    user.hasLeft = true
    users.remove(user)
    if users.isEmpty {
      let core = descriptor.core
      if core.watches === self { core.watches = nil }
      descriptor.close()
    } else {
      remove(user.number)
    }
  }

  func came(_: Int32) {
    // A turn inside of what is told. If nobody else hears what comes, it waits in the system.
    if users.allSatisfy({ $0.isInside }) { return descriptor.wait(for: UV_READABLE, false) }
    tell { read() }
  }

  /// Tells of what has been read, then of what `more` reads.
  private func tell(_ more: () -> Void = {}) {
    Batch.begin()
    tellRest()
    more()
    Batch.end()
    descriptor.wait(for: UV_READABLE)
  }

  private func read() {
    // Some hundred events, and then the others have their turn.
    withUnsafeTemporaryAllocation(byteCount: 1 << 12, alignment: 8) {
      guard let start = $0.baseAddress else { return }
      let count = belay_shim_watches_read(descriptor.fd, start, $0.count, &untilLoss)
      if count < 0 {
        for user in users { user.fails(Int32(count)) }
        return
      }
      rest = UnsafeRawBufferPointer(start: start, count: Int(count))
      // For a turn inside of what one of them is told: no event of the system's tells it of the rest.
      if count > 0 && users.count > 1 {
        _ = descriptor.core.post({ [self] in tell() }, orElse: {})
      }
      tellRest()
    }
  }

  /// Tells of what has been read. A turn inside of that goes on with what is left.
  private func tellRest() {
    repeat {
      while heard < hearers.count {
        let user = hearers[heard]
        heard += 1
        if user.hasLeft { continue }
        let wasInside = user.isInside
        user.isInside = true
        user.hears(event.number, event.mask, event.name)
        user.isInside = wasInside
      }
      hearers = []
      heard = 0
    } while takeEvent()
  }

  /// Takes the next event for everybody. Answers whether there is one.
  private func takeEvent() -> Bool {
    if untilLoss == 0 {
      untilLoss = -1
      event = (-1, UInt32(IN_Q_OVERFLOW), nil)
      hearers = users
      return true
    }
    guard let place = rest.baseAddress, !rest.isEmpty else { return false }
    let header = MemoryLayout<inotify_event>.size
    let found = place.assumingMemoryBound(to: inotify_event.self).pointee
    let size = header + Int(found.len)
    rest = UnsafeRawBufferPointer(rebasing: rest[size...])
    if untilLoss >= 0 { untilLoss = max(0, untilLoss - Int64(size)) }
    if found.wd >= 0 {
      let name = (place + header).assumingMemoryBound(to: CChar.self)
      event = (found.wd, found.mask, found.len > 0 ? name : nil)
      hearers = users
    }
    return true
  }
}
