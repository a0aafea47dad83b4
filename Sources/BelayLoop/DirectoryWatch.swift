import Belay
import CLibuv

/// Tells when something happens to one name in a directory.
final class DirectoryWatch {
  private let core: LoopCore
  private let name: String
  private var changed: (() -> Void)?
  private var handle: UnsafeMutablePointer<uv_fs_event_t>?

  /// Where no watch can be had, it never tells anything.
  init(_ core: LoopCore, _ path: String, _ changed: @escaping () -> Void) {
    self.core = core
    self.changed = changed
    let bytes = Array(path.utf8)
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    name = String(decoding: bytes[(slash.map { $0 + 1 } ?? 0)...], as: UTF8.self)
    let directory =
      slash.map { $0 == 0 ? "/" : String(decoding: bytes[..<$0], as: UTF8.self) } ?? "."
    start(directory)
  }

  private func start(_ directory: String) {
    let handle = UnsafeMutablePointer<uv_fs_event_t>.allocate(capacity: 1)
    if uv_fs_event_init(core.uv, handle) != 0 {
      handle.deallocate()
      return
    }
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    self.handle = handle
    core.opened(handle)
    let code = directory.withCString {
      uv_fs_event_start(
        handle,
        { handle, name, _, _ in
          let watch = Unmanaged<DirectoryWatch>.fromOpaque(handle.unsafelyUnwrapped.pointee.data)
          watch.retain().takeRetainedValue().notice(name)
        }, $0, 0)
    }
    if code != 0 { stop() } else { core.noteNewWatcher() }
  }

  private func notice(_ changedName: UnsafePointer<CChar>?) {
    guard let changedName else {
      changed?()
      return
    }
    let isOurs = name.withCString { ours in
      var index = 0
      while ours[index] == changedName[index] {
        if ours[index] == 0 { return true }
        index += 1
      }
      return false
    }
    if isOurs { changed?() }
  }

  func stop() {
    changed = nil
    guard let handle else { return }
    self.handle = nil
    LoopCore.withHandle(handle) { handle in
      uv_close(handle) { handle in
        let opaque = handle.unsafelyUnwrapped.pointee.data.unsafelyUnwrapped
        let watch = Unmanaged<DirectoryWatch>.fromOpaque(opaque).takeRetainedValue()
        let address = UnsafeMutableRawPointer(handle.unsafelyUnwrapped)
        watch.core.closed(watcher: address)
        address.deallocate()
      }
    }
  }
}
