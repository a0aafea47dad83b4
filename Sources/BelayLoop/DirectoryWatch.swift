import Belay
import CLibuv

/// Tells when something happens to one name in a directory.
final class DirectoryWatch {
  private let core: LoopCore
  private let name: CText
  private var changed: (() -> Void)?
  private var handle: UnsafeMutablePointer<uv_fs_event_t>?

  /// Where no watch can be had, it never tells anything.
  init(_ core: LoopCore, _ path: CText, _ changed: @escaping () -> Void) {
    self.core = core
    self.changed = changed
    let bytes = path.bytes
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    name = CText(bytes: bytes[(slash.map { $0 + 1 } ?? 0)...])
    switch slash {
    case nil: start(CText("."))
    case 0: start(CText("/"))
    case let slash?: start(CText(bytes: bytes[..<slash]))
    }
  }

  private func start(_ directory: CText) {
    let handle = UnsafeMutablePointer<uv_fs_event_t>.allocate(capacity: 1)
    if uv_fs_event_init(core.uv, handle) != 0 {
      handle.deallocate()
      return
    }
    handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    self.handle = handle
    core.opened(handle)
    let code = uv_fs_event_start(
      handle,
      { handle, name, _, _ in
        let watch = Unmanaged<DirectoryWatch>.fromOpaque(handle.unsafelyUnwrapped.pointee.data)
        watch.retain().takeRetainedValue().notice(name)
      }, directory.pointer, 0)
    if code != 0 { stop() } else { core.noteNewWatcher() }
  }

  private func notice(_ changedName: UnsafePointer<CChar>?) {
    if changedName.map({ StaticSite(at: $0).isEqual(to: StaticSite(at: name.pointer)) }) ?? true {
      changed?()
    }
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
