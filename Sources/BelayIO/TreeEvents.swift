@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

extension Loop {
  /// Sends what happens to the entries of a directory and of all directories below it. Does not
  /// follow symbolic links.
  ///
  /// A new directory is watched, and what it has in it then is sent as `created`. Such an entry may
  /// be sent twice, and none is left out. A directory that may not be read is left out. When the
  /// root is removed or moved, the signal fails with `.notFound`.
  public func treeEvents(_ path: Text) -> Signal<FileEvent> {
    user.treeEvents(CText(path)) { FileEvent(name: Text(cString: $0), kind: $1) }
  }
}

extension LoopUser {
  /// `convert` makes the values; the signal takes over their references.
  package func treeEvents<Value>(
    _ path: CText, convert: @escaping (UnsafePointer<CChar>, FileEvent.Kind) -> Value
  ) -> Signal<Value> {
    .create(SourceOptions(label: "tree_events")) { [self] subscriber in
      TreeSource(self, path, Events(subscriber) { convert($0.name, $0.kind) }).run()
    }
  }
}

/// Watches each directory of a tree by one descriptor of inotify's. (libuv's watchers do not tell
/// that events were lost.)
///
/// A directory is watched first and listed then, on the pool, so that nothing falls between.
private final class TreeSource: HandleSource, @unchecked Sendable {
  /// A directory that is watched. Paths are relative to the root, whose own path is empty.
  private struct Directory {
    let number: Int32
    var path: CText
  }

  /// A directory to be watched and listed.
  private struct Visit {
    let path: CText
    /// Whether what it has in it is sent.
    let isNew: Bool
  }

  private let root: CText
  private let pool: PoolScheduler
  private var events: Events<NamedEvent>?
  private var descriptor: Int32 = -1
  /// Ordered by their numbers, which rise.
  private var directories: [Directory] = []
  private var rootNumber: Int32 = -1
  private var visits: [Visit] = []
  private var listing: Work?

  init(_ user: LoopUser, _ path: CText, _ events: Events<NamedEvent>) {
    root = path
    pool = PoolScheduler(of: user)
    self.events = events
    super.init(user.core)
  }

  override func begin() {
    descriptor = belay_shim_watches_open()
    if descriptor < 0 { return fail(descriptor) }
    let code = open(
      UV_POLL,
      { uv_poll_init(core.uv, $0.assumingMemoryBound(to: uv_poll_t.self), descriptor) },
      {
        uv_poll_start($0.assumingMemoryBound(to: uv_poll_t.self), Int32(UV_READABLE.rawValue)) {
          handle, _, _ in
          guard let source = HandleSource.of(handle) as? TreeSource else { return }
          source.core.dispatch { _ in source.readEvents() }
        }
      })
    if code < 0 { return fail(code) }
    visit(Visit(path: CText(""), isNew: false))
    rootNumber = directories.first?.number ?? -1
  }

  override func end() {
    super.end()
    if descriptor >= 0 { belay_shim_watches_close(descriptor) }
    descriptor = -1
    events = nil
    listing?.dispose()
    listing = nil
    directories = []
    visits = []
  }

  private func fail(_ code: Int32) {
    let events = events
    self.events = nil
    events?.failed(.uv(code, root.text))
  }

  private func send(_ path: CText, _ kind: FileEvent.Kind) { events?.send((path.pointer, kind)) }

  private static func join(_ directory: CText, _ name: UnsafePointer<CChar>) -> CText {
    directory.pointer[0] == 0
      ? CText(copying: name) : CText(directory.text + "/" + Text(cString: name))
  }

  // MARK: Watching

  private func visit(_ visit: Visit) {
    guard events != nil else { return }
    let isRoot = visit.path.pointer[0] == 0
    let mask =
      IN_CREATE | IN_DELETE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO
      | IN_DELETE_SELF | IN_MOVE_SELF | Int32(IN_ONLYDIR) | (isRoot ? 0 : Int32(IN_DONT_FOLLOW))
    let full = isRoot ? root : Self.join(root, visit.path.pointer)
    let number = belay_shim_watches_add(descriptor, full.pointer, UInt32(bitPattern: mask))
    if number < 0 {
      // It may have gone, may not be a directory any more, or may not be read.
      let isSkipped =
        number == UV_ENOENT.rawValue || number == UV_ENOTDIR.rawValue
        || number == UV_ELOOP.rawValue || number == UV_EACCES.rawValue
      if isRoot || !isSkipped { fail(number) }
      return
    }
    let index = self.index(of: number)
    if index < directories.count && directories[index].number == number {
      directories[index].path = visit.path
    } else {
      directories.insert(Directory(number: number, path: visit.path), at: index)
    }
    visits.append(visit)
    list()
  }

  /// The place of a number among the directories.
  private func index(of number: Int32) -> Int {
    var low = 0
    var high = directories.count
    while low < high {
      let middle = (low + high) / 2
      if directories[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Stops watching what is at a path and below it.
  private func forget(_ path: CText) {
    let count = CText.length(of: path.pointer)
    _ = directories.take { directory in
      for index in 0..<count where directory.path.pointer[index] != path.pointer[index] {
        return false
      }
      let next = directory.path.pointer[count]
      guard next == 0 || next == CChar(UInt8(ascii: "/")) else { return false }
      belay_shim_watches_remove(descriptor, directory.number)
      return true
    }
  }

  // MARK: Listing

  /// Lists the next directory, on the pool.
  private func list() {
    guard listing == nil, !visits.isEmpty else { return }
    let visit = visits.removeFirst()
    let path = visit.path.pointer[0] == 0 ? root : Self.join(root, visit.path.pointer)
    let work = ClosureWork(label: "tree_events") { [self] in
      var found: [(CText, EntryKind)] = []
      do throws(Failure) {
        try FileCall.list(path) { found.append((CText(copying: $0), $1)) }
      } catch {
        // It has gone, and an event says so.
      }
      core.perform { self.listed(visit, found) }
    }
    listing = work
    let code = pool.submit(work)
    if code.isFailure { fail(code.rawValue) }
  }

  private func listed(_ visit: Visit, _ found: [(CText, EntryKind)]) {
    listing = nil
    Batch.begin()
    for (name, kind) in found {
      let path = Self.join(visit.path, name.pointer)
      if visit.isNew { send(path, .created) }
      if kind == .directory || kind == .unknown {
        self.visit(Visit(path: path, isNew: visit.isNew))
      }
    }
    Batch.end()
    list()
  }

  // MARK: Events

  private func readEvents() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) {
      guard let start = $0.baseAddress else { return }
      let count = belay_shim_watches_read(descriptor, start, $0.count)
      if count < 0 { return fail(Int32(count)) }
      Batch.begin()
      var place = UnsafeRawPointer(start)
      while place < start + Int(count) {
        let event = place.assumingMemoryBound(to: inotify_event.self)
        place += MemoryLayout<inotify_event>.size
        comes(
          event.pointee.wd, event.pointee.mask,
          event.pointee.len > 0 ? place.assumingMemoryBound(to: CChar.self) : nil)
        place += Int(event.pointee.len)
      }
      Batch.end()
    }
  }

  private func comes(_ number: Int32, _ mask: UInt32, _ name: UnsafePointer<CChar>?) {
    func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
    if has(IN_Q_OVERFLOW) {
      let top = CText("")
      send(top, .lost)
      return visit(Visit(path: top, isNew: true))
    }
    let index = self.index(of: number)
    guard events != nil, index < directories.count, directories[index].number == number else {
      return
    }
    if number == rootNumber && has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) {
      return fail(UV_ENOENT.rawValue)
    }
    if has(IN_IGNORED) { directories.remove(at: index) }
    guard let name else { return }
    let path = Self.join(directories[index].path, name)
    let isDirectory = has(Int32(IN_ISDIR))
    if has(IN_CREATE | IN_MOVED_TO) {
      send(path, .created)
      if isDirectory { visit(Visit(path: path, isNew: true)) }
    } else if has(IN_DELETE | IN_MOVED_FROM) {
      if isDirectory { forget(path) }
      send(path, .removed)
    } else {
      send(path, .changed)
    }
  }
}
