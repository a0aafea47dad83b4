@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CLibuv

/// Something that happened to a file or to an entry of a directory.
public struct FileEvent: Equatable, Sendable {
  /// What happened. The numbers are C's.
  public enum Kind: UInt32, Sendable {
    /// It exists now, and may be another one than before.
    case created = 1
    /// It does not exist any more.
    case removed = 2
    /// Its content or its attributes changed.
    case changed = 4
    /// The system has lost events. What exists follows, each as `created`.
    case lost = 8
  }

  /// The path, relative to the directory that is watched; the last part of the path of a file.
  public let name: Text
  /// What happened.
  public let kind: Kind
}

extension Loop {
  /// Sends what happens to a file, or to the entries of a directory.
  ///
  /// A file is watched by its name: it may be removed and made again, and need not exist yet. Its
  /// directory must. When a watched directory is removed or moved, the signal fails with `.notFound`.
  public func fileEvents(_ path: Text) -> Signal<FileEvent> {
    core.fileEvents(CText(path)) { FileEvent(name: Text(cString: $0), kind: $1) }
  }

  /// Sends what happens to a file or a directory as the system tells at each look, for file systems
  /// that send no events. The path need not exist.
  public func fileEvents(_ path: Text, every interval: Duration) -> Signal<FileEvent> {
    core.fileEvents(CText(path), every: interval.nanoseconds) {
      FileEvent(name: Text(cString: $0), kind: $1)
    }
  }
}

extension LoopCore {
  /// `convert` makes the values; the signal takes over their references.
  package func fileEvents<Value>(
    _ path: CText, every interval: Int64? = nil,
    convert: @escaping (UnsafePointer<CChar>, FileEvent.Kind) -> Value
  ) -> Signal<Value> {
    .create(SourceOptions(label: "file_events")) { [self] subscriber in
      let events = Events<NamedEvent>(subscriber) { convert($0.name, $0.kind) }
      if let interval { return PathPoll(self, path, interval, events).run() }
      return PathSource(self, path, events).run()
    }
  }
}

typealias NamedEvent = (name: UnsafePointer<CChar>, kind: FileEvent.Kind)

/// A path, and what the system tells of it.
final class PathStatus {
  let path: CText
  /// The part behind the last slash.
  let name: CText
  private let request = UnsafeMutablePointer<uv_fs_t>.allocate(capacity: 1)

  init(_ path: CText) {
    self.path = path
    let text = path.pointer
    let count = CText.length(of: text)
    var start = count
    while start > 0 && text[start - 1] != CChar(UInt8(ascii: "/")) { start -= 1 }
    name = CText(text + start, count: count - start)
  }

  deinit { request.deallocate() }

  /// The directory that the path is in.
  var parent: CText {
    let count = CText.length(of: path.pointer) - CText.length(of: name.pointer)
    // The slash is part of the name of "/".
    return count == 0 ? CText(".") : CText(path.pointer, count: max(1, count - 1))
  }

  /// Examines what the path leads to. Answers libuv's code.
  func look() -> Int32 {
    let code = uv_fs_stat(nil, request, path.pointer, nil)
    uv_fs_req_cleanup(request)
    return code
  }

  /// What the last look found.
  var isDirectory: Bool { request.pointee.statbuf.st_mode & UInt64(S_IFMT) == UInt64(S_IFDIR) }
  var identity: (UInt64, UInt64) {
    (request.pointee.statbuf.st_dev, request.pointee.statbuf.st_ino)
  }
}

private final class PathSource: HandleSource, @unchecked Sendable {
  private let status: PathStatus
  private var events: Events<NamedEvent>?
  /// The directory that is watched: the path itself, or the one that it is in.
  private var directory: PathStatus
  private var identity: (UInt64, UInt64) = (0, 0)

  init(_ core: LoopCore, _ path: CText, _ events: Events<NamedEvent>) {
    status = PathStatus(path)
    directory = status
    self.events = events
    super.init(core)
  }

  override func begin() {
    if status.look() != 0 || !status.isDirectory { directory = PathStatus(status.parent) }
    _ = directory.look()
    identity = directory.identity
    let code = open(
      UV_FS_EVENT, { uv_fs_event_init(core.uv, $0.assumingMemoryBound(to: uv_fs_event_t.self)) },
      {
        uv_fs_event_start(
          $0.assumingMemoryBound(to: uv_fs_event_t.self),
          { handle, name, what, code in
            guard let source = HandleSource.of(handle) as? PathSource else { return }
            source.core.dispatch { _ in source.comes(name, what, code) }
          }, directory.path.pointer, 0)
      })
    if code < 0 { events?.failed(.uv(code, "cannot watch " + status.path.text)) }
  }

  private func comes(_ name: UnsafePointer<CChar>?, _ what: Int32, _ code: Int32) {
    if code < 0 { return fail(code, status) }
    // libuv gives an event of the directory itself the directory's own name.
    if name.map({ directory.name.isSame(as: $0) }) ?? true {
      if directory.look() != 0 || directory.identity != identity {
        return fail(UV_ENOENT.rawValue, directory)
      }
    }
    guard let name else { return }
    var entry = status
    if directory === status {
      entry = PathStatus(CText(status.path.text + "/" + Text(cString: name)))
    } else if !status.name.isSame(as: name) {
      return
    }
    let isChange = UInt32(bitPattern: what) & UV_CHANGE.rawValue != 0
    events?.send((name, entry.look() != 0 ? .removed : isChange ? .changed : .created))
  }

  private func fail(_ code: Int32, _ status: PathStatus) {
    events?.failed(.uv(code, status.path.text))
  }

  override func end() {
    super.end()
    events = nil
  }
}

private final class PathPoll: HandleSource, @unchecked Sendable {
  private let status: PathStatus
  private let milliseconds: UInt32
  private var events: Events<NamedEvent>?
  private var exists = true

  init(_ core: LoopCore, _ path: CText, _ interval: Int64, _ events: Events<NamedEvent>) {
    status = PathStatus(path)
    milliseconds = UInt32(clamping: max(1, interval / 1_000_000))
    self.events = events
    super.init(core)
  }

  override func begin() {
    let code = open(
      UV_FS_POLL, { uv_fs_poll_init(core.uv, $0.assumingMemoryBound(to: uv_fs_poll_t.self)) },
      {
        uv_fs_poll_start(
          $0.assumingMemoryBound(to: uv_fs_poll_t.self),
          { handle, code, _, _ in
            guard let source = HandleSource.of(handle) as? PathPoll else { return }
            source.core.dispatch { _ in source.comes(code) }
          }, status.path.pointer, milliseconds)
      })
    if code < 0 { events?.failed(.uv(code, status.path.text)) }
  }

  private func comes(_ code: Int32) {
    let isMissing = code == UV_ENOENT.rawValue || code == UV_ENOTDIR.rawValue
    if code < 0 && !isMissing {
      events?.failed(.uv(code, status.path.text))
      return
    }
    let kind: FileEvent.Kind = isMissing ? .removed : exists ? .changed : .created
    exists = !isMissing
    events?.send((status.name.pointer, kind))
  }

  override func end() {
    super.end()
    events = nil
  }
}
