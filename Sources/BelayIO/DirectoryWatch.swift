@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CLibuv

/// Watches one name in a directory, and calls back when something happens to it.
final class DirectoryWatch {
  private let core: LoopCore
  private let name: CText
  private var changed: (() -> Void)?
  private var handle: UnsafeMutablePointer<uv_fs_event_t>?

  /// If libuv cannot watch the directory, this never calls back.
  init(_ core: LoopCore, _ path: CText, _ changed: @escaping () -> Void) {
    self.core = core
    self.changed = changed
    let text = path.pointer
    let count = CText.length(of: text)
    var start = count
    while start > 0 && text[start - 1] != CChar(UInt8(ascii: "/")) { start -= 1 }
    name = CText(text + start, count: count - start)
    // The slash is part of the name of "/".
    watch(start == 0 ? CText(".") : CText(text, count: max(1, start - 1)))
  }

  private func watch(_ directory: CText) {
    let handle = UnsafeMutablePointer<uv_fs_event_t>.allocate(capacity: 1)
    if uv_fs_event_init(core.uv, handle) != 0 {
      handle.deallocate()
      return
    }
    self.handle = handle
    core.startWatching(by: handle, for: self)
    let code = uv_fs_event_start(
      handle,
      { handle, name, _, _ in
        let watch = Unmanaged<DirectoryWatch>.fromOpaque(handle.unsafelyUnwrapped.pointee.data)
        watch.retain().takeRetainedValue().notice(name)
      }, directory.pointer, 0)
    if code != 0 { stop() } else { core.noteNewWatcher() }
  }

  private func notice(_ changedName: UnsafePointer<CChar>?) {
    if changedName.map({ name.isSame(as: $0) }) ?? true { changed?() }
  }

  func stop() {
    changed = nil
    core.stopWatching(by: &handle, for: self)
  }
}
