@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop

/// Watches one name in a directory, and calls back when something may have happened to it.
final class DirectoryWatch: WatchUser {
  private let name: CText
  private var changed: (() -> Void)?
  private var watches: Watches?
  private(set) var number: Int32 = -1

  /// If the directory cannot be watched, this never calls back.
  init(_ core: LoopCore, _ path: CText, _ changed: @escaping () -> Void) {
    self.changed = changed
    let (directory, name) = path.split
    self.name = name
    do throws(Failure) {
      let watches = try Watches.shared(core)
      self.watches = watches
      watches.join(self)
      number = watches.add(directory)
    } catch {}
  }

  func comes(_ number: Int32, _ mask: UInt32, _ changedName: UnsafePointer<CChar>?) {
    // A loss of events has a number of its own.
    if number >= 0 && number != self.number { return }
    if changedName.map({ name.isSame(as: $0) }) ?? true { changed?() }
  }

  func fail(_ code: Int32) {}

  func stop() {
    changed = nil
    watches?.leave(self)
    watches = nil
  }
}
