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
    .trying { () throws(Failure) in
      user.fileEvents(try path.cText(), isDeep: true) {
        FileEvent(name: Text(cString: $0), kind: $1)
      }
    }
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
    core.source(isDeep ? "tree_events" : "file_events") { [self] subscriber in
      WatchSource(core, path, isDeep, Events(subscriber) { convert($0.name, $0.kind) })
    }
  }
}

/// Watches a directory, perhaps for one name in it alone, or each directory of a tree.
///
/// A directory of a tree is watched first and listed then, on the pool, so that nothing falls
/// between. A single one is listed when the system has lost events.
private final class WatchSource: NamedSource, @unchecked Sendable {
  /// A directory that is watched. Paths are relative to the root, whose own path is empty.
  private final class Directory {
    let number: Int32
    var path: CText
    /// The list that it waits for. The queue of visits, or the work under way, retains it.
    unowned(unsafe) var visit: Visit?
    /// Whether it has been found at `path` since the system last lost events.
    var isFound = true
    /// The events that have come meanwhile. They follow the list, which may be older or newer.
    var early: ReferenceArray<Entry> = []

    init(_ number: Int32, _ path: CText) {
      self.number = number
      self.path = path
    }
  }

  /// An entry of a directory, with the bits of what has happened to it. Of one that was found in a list,
  /// `IN_ISDIR` says that it may be a directory.
  private final class Entry: @unchecked Sendable {
    let mask: UInt32
    let name: CText

    init(_ mask: UInt32, _ name: UnsafePointer<CChar>) {
      self.mask = mask
      self.name = CText(copying: name)
    }
  }

  /// A directory to be listed, which is watched.
  private final class Visit: @unchecked Sendable {
    let directory: Directory
    let path: CText
    /// Whether what it has in it is sent.
    let isNew: Bool

    init(_ directory: Directory, isNew: Bool) {
      self.directory = directory
      path = directory.path
      self.isNew = isNew
    }

    /// Whether the directory is watched, and waits for this list.
    var isDue: Bool { directory.visit === self }
  }

  private var root: CText
  private let isDeep: Bool
  /// Nil: all that is in the directory.
  private var onlyName: CText?
  /// Of no user of the loop's: whoever has asked for the events may leave before them.
  private lazy var pool = PoolScheduler(of: core.scheduler)
  private var events: Events<NamedEvent>?
  private var watches: Watches?
  private var user: WatchUser?
  /// Ordered by their numbers, which rise.
  private var directories: ReferenceArray<Directory> = []
  private var rootNumber: Int32 = -1
  private var visits: ReferenceArray<Visit> = []
  /// Whether events were lost, and not all directories have been listed since.
  private var hasLost = false
  private var listing: Work?

  init(_ core: LoopCore, _ path: CText, _ isDeep: Bool, _ events: Events<NamedEvent>) {
    root = path
    self.isDeep = isDeep
    self.events = events
    super.init(core)
  }

  override func begin() {
    do throws(Failure) {
      let watches = isDeep ? try Watches.open(core) : try Watches.shared(core)
      self.watches = watches
      let user = WatchUser({ [self] in hears($0, $1, $2) }, fails: { [self] in fail($0) })
      self.user = user
      watches.join(user)
    } catch {
      fail(error.code.rawValue)
      return
    }
    visit(CText(""), isNew: false)
  }

  override func end() {
    if let user { watches?.leave(user) }
    user = nil
    watches = nil
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

  private func send(_ path: CText, _ kind: FileEvent.Kind) {
    if onlyName?.isSame(as: path.pointer) ?? true { events?.send((path.pointer, kind)) }
  }

  // MARK: Watching

  /// Watches a directory, and lists it then.
  private func visit(_ path: CText, isNew: Bool) {
    guard events != nil, let watches else { return }
    let isRoot = path.pointer[0] == 0
    var number = isRoot ? watches.add(root) : watches.add(path, below: root)
    if !isDeep && rootNumber < 0
      && (number == UV_ENOTDIR.rawValue || number == UV_ENOENT.rawValue)
    {
      // It is a file, or nothing yet. A path without a name cannot come.
      let (directory, name) = root.split
      if name.pointer[0] != 0 {
        root = directory
        onlyName = name
        number = watches.add(directory)
      }
    }
    if number < 0 {
      if isRoot || !Self.isSkipped(number) { fail(number) }
      return
    }
    if isRoot { rootNumber = number }
    if !isDeep { user?.number = number }
    let directory: Directory
    if let known = watched(number) {
      directory = known
      directory.path = path
      directory.isFound = true
    } else {
      directory = Directory(number, path)
      directories.insert(directory, at: index(of: number))
    }
    if !isDeep && !isNew { return }
    let visit = Visit(directory, isNew: isNew || directory.visit?.isNew ?? false)
    directory.visit = visit
    visits.append(visit)
    list()
  }

  /// Whether a directory has gone, is none any more, or may not be read.
  private static func isSkipped(_ code: Int32) -> Bool {
    code == UV_ENOENT.rawValue || code == UV_ENOTDIR.rawValue || code == UV_ELOOP.rawValue
      || code == UV_EACCES.rawValue
  }

  private func watched(_ number: Int32) -> Directory? {
    let index = index(of: number)
    guard index < directories.count, directories[index].number == number else { return nil }
    return directories[index]
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
      directory.visit = nil
      return true
    }
  }

  // MARK: Listing

  /// Lists the next directory, on the pool.
  private func list() {
    guard listing == nil else { return }
    if visits.isEmpty { return forgetMissing() }
    let visit = visits.removeFirst()
    let path = visit.path.pointer[0] == 0 ? root : root.joined(visit.path.pointer)
    let work = ClosureWork(origin) { [self] in
      var found: ReferenceArray<Entry> = []
      var code: Int32 = 0
      do throws(Failure) {
        try FileCall.list(path) { name, kind in
          let isDirectory = kind == .directory || kind == .unknown
          found.append(Entry(isDirectory ? UInt32(IN_ISDIR) : 0, name))
        }
      } catch {
        code = error.code.rawValue
      }
      core.perform { self.listed(visit, found, code) }
    }
    listing = work
    let code = pool.submit(work)
    if code.isFailure { fail(code.rawValue) }
  }

  private func listed(_ visit: Visit, _ found: ReferenceArray<Entry>, _ code: Int32) {
    Batch.begin()
    // Of a directory that has gone, an event tells.
    if code < 0 && !Self.isSkipped(code) { fail(code) }
    tell(found, visit)
    Batch.end()
    listing = nil
    list()
  }

  /// Tells what was found, then the events that have come meanwhile, also during this. A list that is out
  /// of date, because another one of the directory follows, tells nothing.
  private func tell(_ found: ReferenceArray<Entry>, _ visit: Visit) {
    // After the end, the visits have gone that directories wait for.
    if events == nil || !visit.isDue { return }
    if let onlyName, !found.contains(where: { onlyName.isSame(as: $0.name.pointer) }) {
      send(onlyName, .removed)
    }
    for entry in found {
      let path = visit.path.joined(entry.name.pointer)
      if visit.isNew { send(path, .created) }
      if isDeep && entry.mask != 0 { self.visit(path, isNew: visit.isNew) }
    }
    let directory = visit.directory
    while events != nil && visit.isDue {
      let early = directory.early
      directory.early = []
      if early.isEmpty { directory.visit = nil }
      for entry in early { tell(entry.mask, entry.name.pointer, in: directory) }
    }
  }

  // MARK: Events

  private func hears(_ number: Int32, _ mask: UInt32, _ name: UnsafePointer<CChar>?) {
    func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
    if has(IN_Q_OVERFLOW) { return listAnew() }
    guard events != nil, let directory = watched(number) else { return }
    if number == rootNumber && has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) {
      return fail(UV_ENOENT.rawValue)
    }
    if has(IN_IGNORED) {
      directory.visit = nil
      directories.remove(at: index(of: number))
    }
    guard let name, directory.isFound else { return }
    if directory.visit == nil { return tell(mask, name, in: directory) }
    directory.early.append(Entry(mask, name))
  }

  /// Tells of a loss, and of all that exists then.
  private func listAnew() {
    hasLost = true
    visits = []
    for directory in directories {
      directory.visit = nil
      directory.early = []
      directory.isFound = false
    }
    let top = CText("")
    events?.send((top.pointer, .lost))
    visit(top, isNew: true)
  }

  /// Stops watching what has left its place while events were lost.
  private func forgetMissing() {
    if !hasLost { return }
    hasLost = false
    for directory in directories.take(where: { !$0.isFound }) { watches?.remove(directory.number) }
  }

  private func tell(_ mask: UInt32, _ name: UnsafePointer<CChar>, in directory: Directory) {
    func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
    if events == nil { return }
    let path = directory.path.joined(name)
    let isDirectory = has(Int32(IN_ISDIR))
    if has(IN_CREATE | IN_MOVED_TO) {
      send(path, .created)
      if isDirectory && isDeep { visit(path, isNew: true) }
    } else if has(IN_DELETE | IN_MOVED_FROM) {
      if isDirectory && isDeep { forget(path) }
      send(path, .removed)
    } else {
      send(path, .changed)
    }
  }
}
