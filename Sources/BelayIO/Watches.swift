@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// Hears of inotify's events.
protocol WatchUser: AnyObject {
  /// The number of a directory that is watched once for several users; negative: of none.
  var number: Int32 { get }
  func comes(_ number: Int32, _ mask: UInt32, _ name: UnsafePointer<CChar>?)
  func fail(_ code: Int32)
}

/// A descriptor of inotify's, and who hears what it tells. (libuv's watchers do not tell that events
/// were lost.)
///
/// A loop has one for all that watch one directory, because the system gives a user few descriptors.
final class Watches: DescriptorUser {
  private let descriptor: Descriptor
  private var users: [any WatchUser] = []
  private var isReading = false
  /// How many bytes of events come before a loss is told that the system has told already; negative: none
  /// was. They are old: told after the list that follows the loss, they would contradict it.
  private var untilLoss: Int64 = -1

  private init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
    descriptor.user = self
    descriptor.wait(for: UV_READABLE)
  }

  static func open(_ core: LoopCore) throws(Failure) -> Watches {
    let fd = belay_shim_watches_open()
    if fd < 0 { throw .uv(fd, "inotify") }
    return Watches(try Descriptor(core, fd, BELAY_SHIM_PIPE))
  }

  /// The loop's.
  static func shared(_ core: LoopCore) throws(Failure) -> Watches {
    if let made = core.watches { return unsafeDowncast(made, to: Watches.self) }
    let made = try open(core)
    core.watches = made
    return made
  }

  func join(_ user: any WatchUser) { users.append(user) }

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

  func leave(_ user: any WatchUser) {
    if let index = users.firstIndex(where: { $0 === user }) { users.remove(at: index) }
    if users.isEmpty {
      let core = descriptor.core
      if core.watches === self { core.watches = nil }
      descriptor.close()
    } else {
      remove(user.number)
    }
  }

  func came(_: Int32) {
    // A turn inside of a callback. What has been read comes first.
    if isReading { return }
    isReading = true
    Batch.begin()
    read()
    Batch.end()
    isReading = false
  }

  private func read() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) {
      guard let start = $0.baseAddress else { return }
      let count = belay_shim_watches_read(descriptor.fd, start, $0.count, &untilLoss)
      if count < 0 {
        for user in users { user.fail(Int32(count)) }
        return
      }
      var place = UnsafeRawPointer(start)
      while place < start + Int(count) {
        let event = place.assumingMemoryBound(to: inotify_event.self).pointee
        let size = MemoryLayout<inotify_event>.size + Int(event.len)
        if event.wd >= 0 {
          let name = place + MemoryLayout<inotify_event>.size
          tell(
            event.wd, event.mask, event.len > 0 ? name.assumingMemoryBound(to: CChar.self) : nil)
        }
        if untilLoss >= 0 {
          untilLoss -= Int64(size)
          if untilLoss <= 0 {
            untilLoss = -1
            tell(-1, UInt32(IN_Q_OVERFLOW), nil)
          }
        }
        place += size
      }
    }
  }

  private func tell(_ number: Int32, _ mask: UInt32, _ name: UnsafePointer<CChar>?) {
    for user in users { user.comes(number, mask, name) }
  }
}
