import CBelayShim

/// The state of one key of one object. It is made when the key is first observed or set.
final class KeyState: Attachment, @unchecked Sendable {
  let key: CText
  let field: ObjectField?
  /// The value, if the key is not declared as a field.
  var held = ForeignValue.null
  private(set) var watches = AttachmentList()
  /// How many watches want to be called before a change.
  private var priors = 0
  /// How many watches are those of bindings.
  private var bindings = 0
  /// The watch that the event in progress reaches next. Only one event of an object is in progress
  /// at a time.
  private var cursor: Attachment?
  /// How many changes are in progress; `old` is the value before the first of them.
  private(set) var depth = 0
  var old = ForeignValue.null
  /// Whether any of them has not been refused.
  private(set) var hasChanged = false
  /// Whether all of them are over, and wait for the end of a batch.
  var isBatched = false
  // For bindings, while one observes the key.
  /// The version of the value. The value that is set later has the higher one. A binding sets the
  /// other side to both, and only to a higher version. So all sides come to the highest.
  private var version: UInt64 = 0
  /// The version that has been claimed last. While it is not that of the value, a change is in
  /// progress, and its report follows.
  private(set) var claimed: UInt64 = 0
  /// The version that comes of the changes in progress. If all of them are known to the state at the
  /// moment when they store their value, it is that of the last one; otherwise the highest, if only
  /// bindings have made any of them. 0: a fresh one.
  private var made: UInt64 = 0
  /// Whether a change in progress has stored its value, and whether one is over that has not told when.
  private var hasStored = false
  private var hasUntold = false
  /// The thread that is in the setter for a binding, and the version that this sets. A change that
  /// it announces there is a part of that one. There is one such thread at a time, so that the copy
  /// that ends last is the one that is there.
  private var copyingThread: UInt64 = 0
  private var copied: UInt64 = 0

  init(_ key: CText, _ field: ObjectField?) {
    self.key = key
    self.field = field
    super.init()
  }

  deinit {
    discard(held)
    discard(old)
  }

  override func isNamed(_ one: UInt, _ other: UInt) -> Bool { key.isSame(at: one) }

  var isWatched: Bool { watches.first != nil }
  var tellsPriors: Bool { priors > 0 }
  var tellsRefusals: Bool { priors > 0 || bindings > 0 }

  func insert(_ watch: KeyWatch) {
    watches.insert(watch, before: nil)
    if watch.hearsPriors { priors += 1 }
    if watch.isOfBinding { bindings += 1 }
  }

  func remove(_ watch: KeyWatch) {
    if cursor === watch { cursor = watch.next }
    watches.remove(watch)
    if watch.hearsPriors { priors -= 1 }
    if watch.isOfBinding { bindings -= 1 }
  }

  /// The number of the watch that came last.
  var lastWatch: Int { watches.count }

  /// Begins a walk over the present watches, and answers the number of the last.
  func begin() -> Int {
    cursor = watches.first
    return lastWatch
  }

  func next(upTo last: Int) -> KeyWatch? {
    guard let cursor, cursor.number <= last else {
      self.cursor = nil
      return nil
    }
    self.cursor = cursor.next
    return unsafeDowncast(cursor, to: KeyWatch.self)
  }

  // MARK: Versions

  private var isSettled: Bool { claimed == version }
  var presentVersion: UInt64 { isSettled ? version : .max }

  /// Makes the present value the newest, unless its version is no lower than `other`, and nobody but
  /// bindings has set it since.
  func renew(unlessAfter other: UInt64) {
    if bindings == 0 || version < other { renew() }
  }

  /// Makes the present value the newest; while it changes, the one that comes of that.
  func renew() {
    let isSettled = isSettled && depth == 0
    version = ValueNumbers.next()
    if isSettled { claimed = version } else { claim() }
  }

  /// Makes the present value the oldest, if the binding that begins is the only one.
  func outdate() { if bindings == 1 && isSettled && depth == 0 { adopt(0) } }

  private func claim() { claimed = ValueNumbers.next() }

  /// Claims the version of a value that a binding brings. Answers false if it is not newer than all
  /// that has begun.
  @discardableResult
  func claim(_ copied: UInt64) -> Bool {
    if copied <= claimed { return false }
    claimed = copied
    return true
  }

  /// Gives `copied` to the value that is there.
  func adopt(_ copied: UInt64) {
    version = copied
    claimed = copied
  }

  /// Whether the calling thread is in the setter for a binding.
  var isCopiedHere: Bool { copyingThread == Thread.record.pointee.id }

  /// The calling thread is about to call the setter for a binding. Answers false if a newer value
  /// than the copied one is being set by now, or a binding is in the setter already; the report at
  /// the end of the change makes bindings look again.
  func entersSetter(_ copied: UInt64) -> Bool {
    if claimed != copied || copyingThread != 0 { return false }
    copyingThread = Thread.record.pointee.id
    self.copied = copied
    return true
  }

  /// A change begins. `copied` is the version if a binding makes it, and 0 otherwise. `isClaimed`: it
  /// has claimed that.
  func begin(_ copied: UInt64, _ isClaimed: Bool) {
    depth += 1
    if isClaimed || bindings == 0 || isCopiedHere { return }
    if copied == 0 || !claim(copied) { claim() }
  }

  /// A change stores its value now. `copied` as above.
  func stores(_ copied: UInt64) {
    made = hasUntold ? Self.mixed(made, copied) : copied
    hasStored = true
  }

  private static func mixed(_ one: UInt64, _ other: UInt64) -> UInt64 {
    min(one, other) == 0 ? 0 : max(one, other)
  }

  /// A change ends. `copied` as above. `isTold`: it has called `stores`.
  func end(isMade: Bool, isTold: Bool, _ copied: UInt64, _ isClaimed: Bool) {
    let isCopiedHere = isCopiedHere
    if depth > 0 {
      depth -= 1
    } else if bindings > 0 && !isCopiedHere {
      claim()
    }
    if isMade {
      hasChanged = true
      if !isTold {
        let copied = isCopiedHere ? self.copied : copied
        made = hasStored || hasUntold ? Self.mixed(made, copied) : copied
        hasUntold = true
      }
    }
    if isClaimed && isCopiedHere && copied == self.copied { copyingThread = 0 }
  }

  /// All changes are over.
  func settle() {
    if hasChanged && (bindings > 0 || !isSettled) {
      version = made >= version && made != 0 ? made : ValueNumbers.next()
    }
    claimed = version
    made = 0
    (hasChanged, hasStored, hasUntold) = (false, false, false)
  }
}
