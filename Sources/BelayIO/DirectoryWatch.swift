@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop

/// Watches one name in a directory, and calls back when something may have happened to it.
final class DirectoryWatch {
  private let name: CText
  private var changed: (() -> Void)?
  private var watches: Watches?
  private var user: WatchUser?

  /// If the directory cannot be watched, this never calls back.
  init(_ core: LoopCore, _ path: CText, _ changed: @escaping () -> Void) {
    self.changed = changed
    let (directory, name) = path.split
    self.name = name
    do throws(Failure) {
      let watches = try Watches.shared(core)
      let user = WatchUser({ [self] in hears($0, $1, $2) })
      self.watches = watches
      self.user = user
      watches.join(user)
      user.number = watches.add(directory)
    } catch {}
  }

  private func hears(_ number: Int32, _ mask: UInt32, _ changedName: UnsafePointer<CChar>?) {
    // A loss of events has a number of its own.
    if number >= 0 && number != user?.number { return }
    if changedName.map({ name.isSame(as: $0) }) ?? true { changed?() }
  }

  func stop() {
    changed = nil
    if let user { watches?.leave(user) }
    user = nil
    watches = nil
  }
}
