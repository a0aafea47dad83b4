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
    user.fileEvents(CText(path), isDeep: true) { FileEvent(name: Text(cString: $0), kind: $1) }
  }
}

extension LoopUser {
  /// `convert` makes the values; the signal takes over their references.
  ///
  /// - Parameter isDeep: whether the directories below are watched, too.
  package func fileEvents<Value>(
    _ path: CText, isDeep: Bool,
    convert: @escaping (UnsafePointer<CChar>, FileEvent.Kind) -> Value
  ) -> Signal<Value> {
    .create(SourceOptions(label: isDeep ? "tree_events" : "file_events")) { [self] subscriber in
      WatchSource(self, path, isDeep, Events(subscriber) { convert($0.name, $0.kind) }).run()
    }
  }
}

/// Watches a directory, perhaps for one name in it alone, or each directory of a tree.
///
/// A directory of a tree is watched first and listed then, on the pool, so that nothing falls
/// between. A single one is listed when the system has lost events.
private final class WatchSource: SourceAtLoop, WatchUser, @unchecked Sendable {
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

  private var root: CText
  private let isDeep: Bool
  /// Nil: all that is in the directory.
  private var onlyName: CText?
  private let user: LoopUser
  private lazy var pool = PoolScheduler(of: user)
  private var events: Events<NamedEvent>?
  private var watches: Watches?
  /// Ordered by their numbers, which rise.
  private var directories: [Directory] = []
  private var rootNumber: Int32 = -1
  private var visits: [Visit] = []
  private var listing: Work?

  init(_ user: LoopUser, _ path: CText, _ isDeep: Bool, _ events: Events<NamedEvent>) {
    root = path
    self.isDeep = isDeep
    self.user = user
    self.events = events
    super.init(user.core)
  }

  override func begin() {
    do throws(Failure) {
      let watches = isDeep ? try Watches.open(core) : try Watches.shared(core)
      self.watches = watches
      watches.join(self)
    } catch {
      events?.failed(error)
      return
    }
    visit(Visit(path: CText(""), isNew: false))
    rootNumber = directories.first?.number ?? -1
  }

  var number: Int32 { isDeep ? -1 : rootNumber }

  override func end() {
    watches?.leave(self)
    watches = nil
    events = nil
    listing?.dispose()
    listing = nil
    directories = []
    visits = []
  }

  func fail(_ code: Int32) {
    let events = events
    self.events = nil
    events?.failed(.uv(code, root.text))
  }

  private func send(_ path: CText, _ kind: FileEvent.Kind) {
    if onlyName?.isSame(as: path.pointer) ?? true { events?.send((path.pointer, kind)) }
  }

  private static func join(_ directory: CText, _ name: UnsafePointer<CChar>) -> CText {
    directory.pointer[0] == 0
      ? CText(copying: name) : CText(directory.text + "/" + Text(cString: name))
  }

  // MARK: Watching

  private func visit(_ visit: Visit) {
    guard events != nil, let watches else { return }
    let isRoot = visit.path.pointer[0] == 0
    var number =
      isRoot
      ? watches.add(root)
      : watches.add(Self.join(root, visit.path.pointer), Int32(IN_DONT_FOLLOW))
    if !isDeep && onlyName == nil
      && (number == UV_ENOTDIR.rawValue || number == UV_ENOENT.rawValue)
    {
      // It is a file, or nothing yet. What has no name cannot come.
      let (directory, name) = root.split
      if name.pointer[0] != 0 {
        root = directory
        onlyName = name
        number = watches.add(directory)
      }
    }
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
    if !isDeep && !visit.isNew { return }
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
      watches?.remove(directory.number)
      return true
    }
  }

  // MARK: Listing

  /// Lists the next directory, on the pool.
  private func list() {
    guard listing == nil, !visits.isEmpty else { return }
    let visit = visits.removeFirst()
    let path = visit.path.pointer[0] == 0 ? root : Self.join(root, visit.path.pointer)
    let work = ClosureWork(label: isDeep ? "tree_events" : "file_events") { [self] in
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
    if let onlyName, !found.contains(where: { onlyName.isSame(as: $0.0.pointer) }) {
      send(onlyName, .removed)
    }
    for (name, kind) in found {
      let path = Self.join(visit.path, name.pointer)
      if visit.isNew { send(path, .created) }
      if isDeep && (kind == .directory || kind == .unknown) {
        self.visit(Visit(path: path, isNew: visit.isNew))
      }
    }
    Batch.end()
    list()
  }

  // MARK: Events

  func comes(_ number: Int32, _ mask: UInt32, _ name: UnsafePointer<CChar>?) {
    func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
    if has(IN_Q_OVERFLOW) {
      let top = CText("")
      events?.send((top.pointer, .lost))
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
      if isDirectory && isDeep { visit(Visit(path: path, isNew: true)) }
    } else if has(IN_DELETE | IN_MOVED_FROM) {
      if isDirectory && isDeep { forget(path) }
      send(path, .removed)
    } else {
      send(path, .changed)
    }
  }
}
