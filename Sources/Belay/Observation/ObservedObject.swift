/// The observed keys of an owner's object. The owner's lock protects them. At the death it ends
/// together with the associated objects.
final class ObservedObject: Attachment, @unchecked Sendable {
  let type: ObjectType
  private var states = AttachmentList()
  /// How many batches have begun and not ended.
  var batches = 0

  init(_ type: ObjectType) {
    self.type = type
    super.init()
    kind = .object
  }

  // One by one, because a chain of many would be released by recursion.
  deinit { while states.takeFirst() != nil {} }

  override func isNamed(_ one: UInt, _ other: UInt) -> Bool { true }

  func state(_ key: CText) -> KeyState? {
    states.first(.other, key.address, 0).map { unsafeDowncast($0, to: KeyState.self) }
  }

  /// The state of a key, made if there is none; nil if the class has no such key.
  func madeState(_ key: CText) -> KeyState? {
    if let known = state(key) { return known }
    let field = type.field(key.address)
    if field == nil && !type.isDynamic { return nil }
    let made = KeyState(key, field)
    states.insert(made, before: nil)
    return made
  }

  /// The first state behind `number` for which `isMeant` is true.
  func state(after number: Int, _ isMeant: (KeyState) -> Bool) -> KeyState? {
    var next = states.first
    while let candidate = next {
      let state = unsafeDowncast(candidate, to: KeyState.self)
      if state.number > number && isMeant(state) { return state }
      next = candidate.next
    }
    return nil
  }
}

/// A change of one key, on its way to the key's watches.
final class Change: EventTurn, @unchecked Sendable {
  /// The report of a `Change`.
  enum Report: UInt8 {
    /// It is about to happen.
    case prior
    /// It has happened.
    case made
    /// It was about to happen, and did not.
    case refused
    /// Nothing has happened. Bindings of the key are to look at its version again.
    case reminder
    /// The object that the key refers to is dying.
    case death
  }

  let report: Report
  let state: KeyState
  /// The value before the change, kept.
  let old: ForeignValue
  private(set) var new: ForeignValue
  /// Whether the getter must be asked for the new value.
  let isComputed: Bool
  /// The number of the last watch that there was when it happened.
  var last = 0

  /// Takes over the values, which may be weak references.
  init(
    _ report: Report, _ state: KeyState, old: ForeignValue = .null, new: ForeignValue = .null,
    isComputed: Bool = false
  ) {
    self.report = report
    self.state = state
    self.old = old.strengthened
    self.new = new.strengthened
    self.isComputed = isComputed
    super.init()
  }

  deinit {
    discard(old)
    discard(new)
  }

  override var isPost: Bool { true }

  override func run(for source: OwnerRecord) -> Departure? {
    if isComputed { new = source.read(state.key).value }
    source.tell(self)
    return nil
  }
}

/// A call of the host's code for an object. The steps of the owner's death after the third wait for
/// it.
private final class HostCall: Disposable, @unchecked Sendable {
  private let thread = Thread.record.pointee.id

  override func dispose(noting quiescence: Quiescence?) {
    _ = close()
    quiescence?.note(self)
  }

  func end() {
    _ = close()
    finalise()
  }

  override func isQuiescent(_ level: Quiescence.Level) -> Bool { life.has(.finalised) }
  override var runners: [UInt64] { [thread] }
}

extension ForeignValue {
  /// The owner that this refers to weakly, or else this value. Takes over the reference to this;
  /// the result is kept.
  fileprivate var strengthened: ForeignValue {
    guard let weak = entity as? WeakOwner else { return self }
    var strong = ForeignValue.null
    if let record = weak.lock() {
      strong = ForeignValue(taking: OwnerBox(record))
      record.releaseHandle()
    }
    discard(self)
    return strong
  }
}

/// The result of reading a key. The value is kept.
struct KeyReading {
  var code = Code.notFound
  var value = ForeignValue.null
  /// Whether the value was stored, and not computed by a getter.
  var isStored = false
  /// With a failure in a path: the key that is unknown, or that leads to no object.
  var hop: PathKey?
}

extension OwnerRecord {
  /// Declares the class of the owner's object, once.
  ///
  /// - Returns: `.assigned` if another class was declared; `.dead` when this is dying.
  package final func declare(_ type: ObjectType) -> Code {
    defer { unlock() }
    guard let attachments = lockMadeAttachments(), !isDying else { return .dead }
    if let known = object(of: attachments) { return known.type === type ? .ok : .assigned }
    attachments.list.append(ObservedObject(type))
    return .ok
  }

  private final func object(of attachments: OwnerAttachments?) -> ObservedObject? {
    attachments?.list.first(.object, 0, 0).map { unsafeDowncast($0, to: ObservedObject.self) }
  }

  /// Takes the lock. Nil when this is dying, since the object must not be touched any more.
  @inline(never)
  final func lockObject() -> ObservedObject? {
    let object = object(of: lockAttachments())
    return isDying ? nil : object
  }

  /// The class of the object; nil if none is declared, or when this is dying.
  package final var objectType: ObjectType? {
    defer { unlock() }
    return lockObject()?.type
  }

  /// The code for a missing object or key.
  package final var missing: Code { isDying ? .dead : .notFound }

  /// Calls the host's code. Answers false, without calling it, when this is dying.
  final func callHost(_ body: () -> Void) -> Bool {
    let call = HostCall()
    let isAlive = add(call) != 0 || keepsAfterCompound(call)
    if isAlive { body() }
    call.end()
    return isAlive
  }

  /// Has the death wait for `call` when the bound disposables have been disposed of before it. Answers
  /// false when this is dying.
  @inline(never)
  private final func keepsAfterCompound(_ call: HostCall) -> Bool {
    let compound = lockAttachments()?.compound
    unlock()
    guard let compound else { return false }
    Quiescence.remember(call, of: compound)
    // The death takes the lock after its beginning, and then looks for what still runs.
    defer { unlock() }
    _ = lockAttachments()
    return !isDying
  }

  // MARK: Reading

  /// Reads the value of a key, and keeps it. `watch` enters at this moment: it hears of what changes the
  /// value that was read, and of nothing before. Its state stays nil if there is no such key.
  final func read(_ key: CText, entering watch: KeyWatch? = nil) -> KeyReading {
    var reading = KeyReading()
    let object = lockObject()
    if let watch {
      watch.state = object?.madeState(key)
      watch.state?.insert(watch)
    }
    let field = object?.type.field(key.address)
    if let object, field.map({ !$0.hasGetter }) ?? object.type.isDynamic {
      reading.code = .ok
      reading.value = raw(key, field, object)
      reading.isStored = true
    }
    unlock()
    if let field, field.hasGetter {
      if callHost({ reading.value = field.load(from: address) }) { reading.code = .ok }
    }
    if reading.code != .ok { reading.code = missing }
    reading.value = reading.value.strengthened
    return reading
  }

  /// The value as it is stored, kept. The caller holds the lock.
  private final func raw(
    _ key: CText, _ field: ObjectField?, _ object: ObservedObject
  ) -> ForeignValue {
    if let field { return field.load(from: address) }
    let value = object.state(key)?.held ?? .null
    keep(value)
    return value
  }

  /// The version of a key's value; while it changes, a version higher than all.
  @inline(never)
  final func version(of key: CText) -> UInt64 {
    defer { unlock() }
    return lockObject()?.state(key)?.presentVersion ?? 0
  }

  // MARK: Writing

  /// Sets the last key of a path to `value`, which is borrowed, and informs its watches. A binding
  /// gives the version that the value has on its other side: `copied`.
  ///
  /// - Returns: `.notFound` for an unknown key; `.invalid` for a read-only one; `.again` when too
  ///   many changes wait; `.queued` when a newer value than a copied one is there, or is being set;
  ///   `.dead`; or the code of the setter.
  @inline(never)
  final func set(_ last: PathKey, _ value: ForeignValue, _ copied: UInt64) -> Code {
    let key = last.name
    let known = copied == 0 ? 0 : version(of: key)
    let isThere = copied != 0 && known != .max && has(value, at: last)
    let object = lockObject()
    let field = object?.type.field(key.address)
    var code = Code.ok
    if object == nil || field == nil && !(object?.type.isDynamic ?? false) {
      code = missing
    } else {
      let state = copied == 0 ? nil : object?.madeState(key)
      if let state, copied <= state.claimed {
        code = .queued
      } else if let state, isThere, state.presentVersion == known, state.depth == 0 {
        state.adopt(copied)
        unlock()
        return .ok
      } else if field?.isReadOnly ?? false {
        code = .invalid
      } else if attachmentsUnderLock?.turns.isFull ?? false {
        code = .again
      } else {
        state?.claim(copied)
      }
    }
    unlock()
    if code != .ok { return code }
    change(key, .begins, copied: copied)
    code = .dead
    var step = ChangeStep.ends
    if let field, field.hasSetter {
      if copied != 0 && !entersSetter(key, copied) {
        code = .queued
      } else {
        _ = callHost { code = field.store(value, in: address) }
      }
    } else {
      code = store(key, field, value, copied)
      step = .endsTold
    }
    change(key, code.isFailure || code == .queued ? .fails : step, copied: copied)
    return code
  }

  /// Whether this thread may call the setter for a binding.
  final func entersSetter(_ key: CText, _ copied: UInt64) -> Bool {
    defer { unlock() }
    return lockObject()?.state(key)?.entersSetter(copied) ?? false
  }

  @inline(never)
  private final func store(
    _ key: CText, _ field: ObjectField?, _ value: ForeignValue, _ copied: UInt64
  ) -> Code {
    let object = lockObject()
    var code = Code.dead
    var old = ForeignValue.null
    if let object {
      // This reference makes sure that the old value is released outside the lock.
      old = raw(key, field, object)
      if copied != 0 && object.state(key)?.claimed != copied {
        code = .queued
      } else if let field {
        code = field.store(value, in: address)
      } else if let state = object.madeState(key) {
        keep(value)
        discard(state.held)
        state.held = value
        code = .ok
      }
      if code == .ok { object.state(key)?.stores(copied) }
    }
    unlock()
    discard(old)
    return code
  }

  // MARK: Changes

  /// The steps of a change, as the code that makes it reports them.
  package enum ChangeStep {
    case begins, ends, fails
    /// It ends, and its key's state has been told when the value was stored.
    case endsTold
  }

  /// Begins or ends a change of `key`, and one of every key that depends on it. If a binding makes
  /// it, `copied` is the version that the key is given, and that has been claimed; otherwise 0.
  package final func change(_ key: CText, _ step: ChangeStep, copied: UInt64 = 0) {
    var last = 0
    var next: CText? = key
    while let known = next {
      let isClaimed = last == 0 && copied != 0
      if step == .begins {
        beginChange(known, copied, isClaimed)
      } else {
        endChange(known, step, isTold: last == 0 && step == .endsTold, copied, isClaimed)
      }
      let object = lockObject()
      let field = object?.type.field(key.address)
      let state = object?.state(after: last) { state in
        if let field, let own = state.field { own.depends(on: field) } else { false }
      }
      unlock()
      last = state?.number ?? 0
      next = state?.key
    }
  }

  private final func beginChange(_ key: CText, _ copied: UInt64, _ isClaimed: Bool) {
    let object = lockObject()
    guard let object, let state = object.state(key) else { return unlock() }
    let isHeard = state.depth == 0 && !state.isBatched && state.isWatched
    state.begin(copied, isClaimed)
    unlock()
    if !isHeard { return }
    let old = read(key).value
    _ = lockObject()
    let before = state.old
    state.old = old
    if state.tellsPriors {
      keep(old)
      unlock(telling: Change(.prior, state, old: old))
    } else {
      unlock()
    }
    discard(before)
  }

  private final func endChange(
    _ key: CText, _ step: ChangeStep, isTold: Bool, _ copied: UInt64, _ isClaimed: Bool
  ) {
    let object = lockObject()
    guard let object, let state = object.state(key) else { return unlock() }
    state.end(isMade: step != .fails, isTold: isTold, copied, isClaimed)
    unlock(ending: state, of: object)
  }

  /// Releases the lock. Reports the changes of `state`, if they are over, and no batch is open.
  private final func unlock(ending state: KeyState, of object: ObservedObject) {
    state.isBatched = state.depth == 0 && object.batches > 0
    if state.depth > 0 || state.isBatched { return unlock() }
    let old = state.old
    state.old = .null
    let told = state.hasChanged ? Change.Report.made : .refused
    state.settle()
    // After a refusal, observations that have disarmed hops behind the old value arm them again, and
    // bindings pass on what they have kept back.
    if !(told == .made ? state.isWatched : state.tellsRefusals) {
      unlock()
      return discard(old)
    }
    let isComputed = state.field?.hasGetter ?? false
    let new = isComputed ? .null : raw(state.key, state.field, object)
    unlock(telling: Change(told, state, old: old, new: new, isComputed: isComputed))
  }

  /// Releases the lock. `change` then takes its turn with the owner's events.
  final func unlock(telling change: Change) {
    guard let attachments = attachmentsUnderLock else { return unlock() }
    change.last = change.state.lastWatch
    attachments.turns.add(change)
    let isMine = attachments.turns.begin()
    unlock()
    if isMine { runTurns() }
  }

  // MARK: Changes by the host

  /// The host is about to change `key` itself. Each call needs one of `didChange`.
  package final func willChange(_ key: CText) -> Code {
    let code = knows(key)
    if !code.isFailure { change(key, .begins) }
    return code
  }

  /// The host has changed `key`. Without an earlier `willChange`, the old value is null.
  package final func didChange(_ key: CText) -> Code {
    let code = knows(key)
    if !code.isFailure { change(key, .ends) }
    return code
  }

  private final func knows(_ key: CText) -> Code {
    let isKnown = lockObject()?.madeState(key) != nil
    unlock()
    return isKnown ? .ok : missing
  }

  /// Begins a batch. Its changes are reported at its end, one for each key.
  package final func beginBatch() -> Code {
    let object = lockObject()
    object?.batches += 1
    unlock()
    return object == nil ? missing : .ok
  }

  /// Ends a batch. Answers `.notFound` if none has begun.
  package final func endBatch() -> Code {
    guard let object = lockObject(), object.batches > 0 else {
      unlock()
      return missing
    }
    object.batches -= 1
    unlock()
    var last = 0
    // Another batch may begin meanwhile. Its end reports what this has not.
    while let object = lockObject(), object.batches == 0,
      let state = object.state(after: last, { $0.isBatched })
    {
      last = state.number
      unlock(ending: state, of: object)
    }
    unlock()
    return .ok
  }

  // MARK: Reporting changes

  /// Calls the watches that the key has now, in the order in which they came, but those whose
  /// subscribers know a later value.
  final func tell(_ change: Change) {
    _ = lockAttachments()
    let last = change.state.begin()
    unlock()
    while let watch = nextWatch(change.state, last) {
      if watch.number > change.last && watch.isSent { continue }
      let isMeant =
        switch change.report {
        case .made: true
        case .reminder: watch.isOfBinding && watch.key.next == nil
        default: watch.hearsPriors || change.report == .refused && watch.isOfBinding
        }
      if isMeant { watch.observation.hear(change, at: watch) }
    }
  }

  private final func nextWatch(_ state: KeyState, _ last: Int) -> KeyWatch? {
    defer { unlock() }
    _ = lockAttachments()
    return state.next(upTo: last)
  }

  final func leave(_ watch: KeyWatch) {
    _ = lockAttachments()
    watch.state?.remove(watch)
    unlock()
  }
}
