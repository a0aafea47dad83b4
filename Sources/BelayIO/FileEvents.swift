@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// Something that happened to a file or to an entry of a directory.
public struct FileEvent: Equatable, Sendable {
  /// The kind of event. The numbers are C's.
  public enum Kind: UInt32, Sendable {
    /// It exists now, and may be another one than before.
    case created = 1
    /// It does not exist any more.
    case removed = 2
    /// Its content or its attributes changed.
    case changed = 4
    /// The system has lost events. The present state follows, each entry as `created`.
    case lost = 8
  }

  /// The path, relative to the directory that is watched; the last part of the path of a file.
  public let name: Text
  /// The kind of event.
  public let kind: Kind
}

extension Loop {
  /// Sends what happens to a file, or to the entries of a directory.
  ///
  /// A file is watched by its name: it may be removed and made again, and need not exist yet. Its
  /// directory must. When a watched directory is removed or moved, the signal fails with `.notFound`.
  /// When the system has lost events, `.lost` comes, and then what there is: each entry as `created`,
  /// or the file as `created` or `removed`.
  public func fileEvents(_ path: Text) -> Signal<FileEvent> {
    .trying { () throws(Failure) in
      user.fileEvents(try path.cText(), isDeep: false) {
        FileEvent(name: Text(cString: $0), kind: $1)
      }
    }
  }

  /// Sends what happens to a file or a directory as the system tells at each look, for file systems
  /// that send no events. The path need not exist.
  public func fileEvents(_ path: Text, every interval: Duration) -> Signal<FileEvent> {
    .trying { () throws(Failure) in
      core.fileEvents(try path.cText(), every: interval.nanoseconds) {
        FileEvent(name: Text(cString: $0), kind: $1)
      }
    }
  }
}

extension LoopCore {
  /// `convert` makes the values; the signal takes over their references.
  package func fileEvents<Value>(
    _ path: CText, every interval: Int64,
    convert: @escaping (UnsafePointer<CChar>, FileEvent.Kind) -> Value
  ) -> Signal<Value> {
    source("file_events") { [self] subscriber in
      PathPoll(self, path, interval, Events(subscriber) { convert($0.name, $0.kind) })
    }
  }
}

typealias NamedEvent = (name: UnsafePointer<CChar>, kind: FileEvent.Kind)

extension CText {
  /// The path of what has that name in the directory that this names; empty: in none.
  func joined(_ name: UnsafePointer<CChar>) -> CText {
    pointer[0] == 0 ? CText(copying: name) : CText(text + "/" + Text(cString: name))
  }

  /// The directory that the path is in, and the part behind the last slash.
  var split: (directory: CText, name: CText) {
    let count = CText.length(of: pointer)
    var start = count
    while start > 0 && pointer[start - 1] != CChar(UInt8(ascii: "/")) { start -= 1 }
    // The slash is part of the name of "/".
    return (
      start == 0 ? CText(".") : CText(pointer, count: max(1, start - 1)),
      CText(pointer + start, count: count - start)
    )
  }
}

private final class PathPoll: HandleSource, @unchecked Sendable {
  private let path: CText
  private let name: CText
  private let milliseconds: UInt32
  private var events: Events<NamedEvent>?
  /// As of the last event; nil before the first one.
  private var exists: Bool?

  init(_ core: LoopCore, _ path: CText, _ interval: Int64, _ events: Events<NamedEvent>) {
    self.path = path
    name = path.split.name
    milliseconds = UInt32(clamping: max(1, interval / 1_000_000))
    self.events = events
    super.init(core)
  }

  override func begin() {
    // It looks on the pool.
    var code = belay_shim_find_threads()
    if code == 0 {
      code = open(
        { uv_fs_poll_init(core.uv, $0.assumingMemoryBound(to: uv_fs_poll_t.self)) },
        {
          uv_fs_poll_start(
            $0.assumingMemoryBound(to: uv_fs_poll_t.self),
            { handle, code, _, _ in
              guard let source = HandleSource.of(handle) as? PathPoll else { return }
              source.core.tell { source.comes(code) }
            }, path.pointer, milliseconds)
        })
    }
    if code < 0 { events?.failed(.uv(code, path.text)) }
  }

  private func comes(_ code: Int32) {
    let isMissing = code == UV_ENOENT.rawValue || code == UV_ENOTDIR.rawValue
    if code < 0 && !isMissing {
      events?.failed(.uv(code, path.text))
      return
    }
    // It is missing for another reason than before.
    if isMissing && exists == false { return }
    let kind: FileEvent.Kind = isMissing ? .removed : exists == false ? .created : .changed
    exists = !isMissing
    events?.send((name.pointer, kind))
  }

  override func end() {
    super.end()
    events = nil
  }
}
