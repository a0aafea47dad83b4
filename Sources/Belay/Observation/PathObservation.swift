/// Options of the observation of a path.
package struct ObservationOptions: OptionSet, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Send the value at the moment of subscribing.
  package static let initial = ObservationOptions(rawValue: 1)
  /// Send records, with the old value.
  package static let old = ObservationOptions(rawValue: 2)
  /// Send records, and one also before each change.
  package static let prior = ObservationOptions(rawValue: 4)
  /// Send records: value, old value, `ChangeNotes`.
  package static let records = ObservationOptions(rawValue: 8)
  /// Send null before the completion when the target dies.
  package static let targetDeath = ObservationOptions(rawValue: 16)
  package static let all = ObservationOptions(rawValue: 31)
  /// For a binding, which asks for the path's version and value itself.
  static let binding = ObservationOptions(rawValue: 32)

  fileprivate var sendsRecords: Bool { !isDisjoint(with: [.old, .prior, .records]) }
}

/// Flags of the change in a record. The numbers are those of `belay_change_flags`.
package struct ChangeNotes: OptionSet, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  package static let initial = ChangeNotes(rawValue: 1)
  package static let prior = ChangeNotes(rawValue: 2)
  package static let death = ChangeNotes(rawValue: 4)
  package static let onlyLast = ChangeNotes(rawValue: 8)
}

/// One observed hop of a path. The observation's lock protects the fields behind `state`.
final class KeyWatch: Attachment, @unchecked Sendable {
  let observation: PathObservation
  let record: OwnerRecord
  let key: PathKey
  let hearsPriors: Bool
  /// Whether the subscriber gets the value that was read when this was armed.
  let isSent: Bool
  /// Set before other threads know this.
  var state: KeyState?
  var isArmed = true
  var deeper: KeyWatch?
  var death: DeathWatch?
  var isOfBinding: Bool { observation.options.contains(.binding) }

  /// Makes the value of the key the newest for bindings.
  @inline(never)
  func renew() {
    _ = record.lockAttachments()
    state?.renew()
    record.unlock()
  }

  init(
    _ observation: PathObservation, _ record: OwnerRecord, _ key: PathKey, hearsPriors: Bool,
    isSent: Bool
  ) {
    self.observation = observation
    self.record = record
    self.key = key
    self.hearsPriors = hearsPriors
    self.isSent = isSent
    super.init()
  }
}

/// Bound to the object that a hop refers to: reports its death.
final class DeathWatch: Disposable, @unchecked Sendable {
  private let watch: KeyWatch
  private let key: KeyState

  init(_ watch: KeyWatch, _ key: KeyState) {
    self.watch = watch
    self.key = key
    super.init()
  }

  override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    finalise()
    if watch.isOfBinding { watch.renew() }
    watch.observation.hear(Change(.death, key), at: watch)
  }

  func cancel() { if close() { finalise() } }
}

/// A change, and the hop where it happened; or the end of the observation, without a change.
private final class HeardChange: Attachment, @unchecked Sendable {
  let change: Change?
  let watch: KeyWatch?

  init(_ change: Change?, _ watch: KeyWatch?) {
    self.change = change
    self.watch = watch
    super.init()
  }
}

/// One subscription to the value at the end of a path. It watches each hop, and watches the hops
/// behind it anew when a hop changes. It retains no object, and ends with the target's death or the
/// observer's.
final class PathObservation: SerialObservation, @unchecked Sendable {
  private let target: OwnerRecord
  private let path: PathKey
  let options: ObservationOptions
  private let subscriber: Subscriber<ForeignValue>
  private let observer: OwnerRecord?
  /// The first hop. The lock protects it.
  private var first: KeyWatch?

  init(
    _ target: OwnerRecord, _ path: PathKey, _ options: ObservationOptions,
    _ subscriber: Subscriber<ForeignValue>, _ observer: OwnerRecord?
  ) {
    self.target = target
    self.path = path
    self.options = options
    self.subscriber = subscriber
    self.observer = observer
    super.init()
  }

  /// Arms all hops, and sends the first value.
  func start() {
    target.add(self)
    observer?.add(self)
    let value = arm(target, .null, below: nil, isSent: true)
    if options.contains(.initial) { send(value, .null, .initial) }
    discard(value)
    workOff()
  }

  override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    disarm(below: nil)
    finalise()
    if options.contains(.targetDeath), target.isDying, target !== observer {
      // Null follows what another thread is sending.
      hear(HeardChange(nil, nil))
    } else {
      subscriber.completed()
    }
  }

  // MARK: Changes

  func hear(_ change: Change, at watch: KeyWatch) { hear(HeardChange(change, watch)) }

  override func process(_ heard: Attachment) {
    let heard = unsafeDowncast(heard, to: HeardChange.self)
    if let change = heard.change, let watch = heard.watch { return process(change, watch) }
    pass(.null, .null, .death)
    subscriber.completed()
  }

  override func fail(_ code: Code) { subscriber.error(Failure(code)) }

  private func process(_ change: Change, _ watch: KeyWatch) {
    let isMeant = lock.withLock {
      // The hop may refer to something else by now, whose death is watched for.
      watch.isArmed && !isClosed && (change.report != .death || watch.death?.isClosed ?? false)
    }
    if !isMeant { return }
    // A binding has left no hop, and asks for the value itself.
    if options.contains(.binding), change.report == .refused || change.report == .reminder {
      return send(.null, .null, [])
    }
    let isPrior = change.report == .prior
    let isPassedOn = change.report != .refused
    var notes: ChangeNotes = change.report == .death ? .death : []
    if watch.key.next == nil { notes.insert(.onlyLast) }
    let asksForOld = options.contains(isPrior ? .prior : .old)
    let old = asksForOld ? value(behind: watch, of: change.old) : .null
    disarm(below: watch)
    if isPrior {
      if asksForOld && isPassedOn { send(old, old, notes.union(.prior)) }
    } else {
      keep(change.new)
      if !change.isComputed { watchDeath(of: change.new, watch) }
      let value = arm(nil, change.new, below: watch, isSent: isPassedOn)
      if isPassedOn { send(value, old, notes) }
      discard(value)
    }
    discard(old)
  }

  private func send(_ value: ForeignValue, _ old: ForeignValue, _ notes: ChangeNotes) {
    if !isClosed { pass(value, old, notes) }
  }

  private func pass(_ value: ForeignValue, _ old: ForeignValue, _ notes: ChangeNotes) {
    if let box = value.entity as? FailureBox {
      subscriber.error(box.failure)
      return
    }
    var sent = value
    keep(value)
    if options.sendsRecords {
      let keepsOld = options.contains(.old)
      if keepsOld { keep(old) }
      sent = ForeignValue(
        taking: ArrayBox(taking: [
          value, keepsOld ? old : .null, ForeignValue(scalar: UInt64(notes.rawValue), .uint32),
        ]))
    }
    let code = subscriber.next(sent)
    if code.isRefusal { fail(code) }
    discard(sent)
  }

  // MARK: Hops

  /// Watches each hop behind `upper`, starting with `target`, or else with the object in `value`,
  /// which is taken over. Answers the value at the path's end, kept. `isSent`: a subscriber that
  /// gets it hears no change from before.
  private func arm(
    _ target: OwnerRecord?, _ value: ForeignValue, below upper: KeyWatch?, isSent: Bool
  ) -> ForeignValue {
    var value = value
    var upper = upper
    var record = target
    var rest = upper == nil ? path : upper?.key.next
    while let key = rest {
      if record == nil {
        record = value.object
        if record == nil && !value.isNull {
          subscriber.error(path.failure(.wrongKind, at: upper?.key, value.kind))
        }
      }
      // `value` keeps the object alive meanwhile.
      guard let known = record else { return null(insteadOf: value) }
      // A binding does not leave the hops behind one that is about to change.
      let hearsPriors =
        options.contains(.prior) || key.next != nil && !options.contains(.binding)
      let watch = KeyWatch(self, known, key, hearsPriors: hearsPriors, isSent: isSent)
      let reading = known.read(key.name, entering: watch)
      let isLinked = watch.state != nil && link(watch, below: upper)
      // The value behind a changed hop is newer, for bindings, than all that is on its way to it.
      if target == nil && isSent && watch.isOfBinding { watch.renew() }
      discard(value)
      value = reading.value
      if reading.code != .ok || !isLinked {
        if reading.code.isFailure && reading.code != .dead {
          subscriber.error(path.failure(reading.code, at: key))
        }
        return null(insteadOf: value)
      }
      if reading.isStored { watchDeath(of: value, watch) }
      upper = watch
      record = nil
      rest = key.next
    }
    return value
  }

  private func null(insteadOf value: ForeignValue) -> ForeignValue {
    discard(value)
    return .null
  }

  /// Reports the death of the object that a hop refers to: a weak reference, a pointer, or an
  /// object whose end does not wait for references.
  private func watchDeath(of value: ForeignValue, _ watch: KeyWatch) {
    guard let dying = value.object, dying !== observer, let state = watch.state else { return }
    let death = DeathWatch(watch, state)
    lock.acquire()
    let isArmed = watch.isArmed
    if isArmed { watch.death = death }
    lock.release()
    if isArmed { dying.add(death) }
  }

  /// Adds a hop to the chain. Answers false if this has been disposed of meanwhile.
  private func link(_ watch: KeyWatch, below upper: KeyWatch?) -> Bool {
    lock.acquire()
    let isOpen = !isClosed && upper?.isArmed ?? true
    if isOpen {
      if let upper { upper.deeper = watch } else { first = watch }
    } else {
      watch.isArmed = false
    }
    lock.release()
    if !isOpen { watch.record.leave(watch) }
    return isOpen
  }

  /// Releases all hops behind `upper`, and the watch for the death of the object that it refers to.
  private func disarm(below upper: KeyWatch?) {
    lock.acquire()
    var deaths: DeathWatch? = upper?.death
    var hop = upper == nil ? first : upper?.deeper
    upper?.death = nil
    upper?.deeper = nil
    if upper == nil { first = nil }
    while true {
      lock.release()
      deaths?.cancel()
      if let hop { hop.record.leave(hop) }
      lock.acquire()
      guard let left = hop else { break }
      left.isArmed = false
      deaths = left.death
      hop = left.deeper
      left.death = nil
      left.deeper = nil
    }
    lock.release()
  }

  /// The value at the path's end, if the hop of `watch` has `value`; kept.
  private func value(behind watch: KeyWatch, of value: ForeignValue) -> ForeignValue {
    keep(value)
    return OwnerRecord.follow(KeyReading(code: .ok, value: value, hop: watch.key)).value
  }
}

extension ForeignValue {
  /// Whether this leads to nothing as a hop: null, or a pointer that is NULL.
  fileprivate var isNull: Bool {
    guard let kind else { return false }
    return kind == .null || kind == .pointer && entity == nil && payload == 0
  }

  /// The owner in this value, or the owner of the adopted pointer in it.
  var object: OwnerRecord? {
    if let box = entity as? OwnerBox { return box.record }
    if kind == .pointer, entity == nil { return AdoptedOwners.find(UInt(payload)) }
    return nil
  }
}

extension PathKey {
  /// A failure of the path that begins with this key. It names the path as far as `hop`, which is
  /// unknown, or leads to a value of `kind`, which has no keys.
  @inline(never)
  fileprivate func failure(_ code: Code, at hop: PathKey?, _ kind: ValueKind? = nil) -> Failure {
    var text = name.text
    var last = self
    while last !== hop, let next = last.next {
      text = text + "." + next.name.text
      last = next
    }
    switch code {
    case .notFound: return Failure(code, message: "there is no key " + text)
    case .wrongKind:
      let key: Text = last.next?.name.text ?? ""
      return Failure(
        code,
        message: text + " is of kind " + (kind ?? .null).name.string + ", which has no key " + key)
    default: return Failure(code)
    }
  }
}

extension OwnerRecord {
  /// Reads the value of a path behind its hop `start`, whose value is taken over. The result names
  /// the last hop.
  static func follow(_ start: KeyReading) -> KeyReading {
    var reading = start
    while reading.code == .ok, let key = reading.hop?.next {
      let value = reading.value
      if value.isNull {
        reading.value = .null
        break
      }
      guard let object = value.object else {
        reading.code = .wrongKind
        break
      }
      reading = object.read(key.name)
      reading.hop = key
      discard(value)
    }
    return reading
  }

  @inline(never)
  final func reading(at path: PathKey) -> KeyReading {
    var reading = read(path.name)
    reading.hop = path
    return Self.follow(reading)
  }

  /// The value at the end of a path, kept; null if a hop is null. Throws a failure that says where
  /// the path fails.
  package final func value(at path: PathKey) throws(Failure) -> ForeignValue {
    let reading = reading(at: path)
    if reading.code == .ok { return reading.value }
    discard(reading.value)
    throw path.failure(reading.code, at: reading.hop, reading.value.kind)
  }

  final func has(_ value: ForeignValue, at path: PathKey) -> Bool {
    let present = reading(at: path)
    defer { discard(present.value) }
    return present.code == .ok && present.value.isEqual(to: value)
  }

  /// The last key of a path that can be reached, its object, and the highest version of the hops
  /// before it.
  @inline(never)
  private final func reach(_ path: PathKey) -> (record: OwnerRecord, key: PathKey, hops: UInt64) {
    var (record, key, hops) = (self, path, UInt64(0))
    while let next = key.next {
      let own = record.version(of: key.name)
      let hop = record.read(key.name)
      defer { discard(hop.value) }
      guard let object = hop.value.object else { break }
      (record, key, hops) = (object, next, max(own, hops))
    }
    return (record, key, hops)
  }

  /// The version of the value at the end of a path: the highest of its keys'.
  final func version(at path: PathKey) -> UInt64 {
    let (record, key, hops) = reach(path)
    return max(record.version(of: key.name), hops)
  }

  /// Makes the value at the end of a path the oldest, if the binding that begins there is the only one.
  final func outdate(_ path: PathKey) {
    let (record, key, _) = reach(path)
    record.lockObject()?.state(key.name)?.outdate()
    record.unlock()
  }

  /// Makes the present value at the end of a path the newest for bindings, unless its version is
  /// no lower than `other`.
  final func renew(_ path: PathKey, unlessAfter other: UInt64) {
    let (record, key, _) = reach(path)
    record.lockObject()?.madeState(key.name)?.renew(unlessAfter: other)
    record.unlock()
  }

  /// Makes the bindings of the last key look at its version again. Nobody else is told.
  final func remind(_ path: PathKey) {
    let (record, key, _) = reach(path)
    guard let state = record.lockObject()?.state(key.name) else { return record.unlock() }
    record.unlock(telling: Change(.reminder, state))
  }

  /// Sets the value at the end of a path. Answers `.dead` if a hop is null. Tells
  /// `LastFailure.explaining` where the path fails. `copied`: as for `set` of a key.
  package final func set(_ path: PathKey, _ value: ForeignValue, copied: UInt64 = 0) -> Code {
    let (record, key, hops) = reach(path)
    if key.next != nil {
      let hop = reading(at: path)
      defer { discard(hop.value) }
      if hop.code == .ok || hop.code == .dead { return .dead }
      return LastFailure.tell(path.failure(hop.code, at: hop.hop, hop.value.kind))
    }
    if copied != 0 && copied <= hops { return .queued }
    let code = record.set(key, value, copied)
    return code == .notFound ? LastFailure.tell(path.failure(code, at: key)) : code
  }

  /// A signal of the value at the end of a path, or of records of its changes. They come one at a
  /// time: at the subscriber's loop, or else on the thread that makes a change. The signal
  /// completes when this or `observer` dies, and keeps neither alive. It fails when it reaches an
  /// unknown key. (RACObserve.)
  package final func observe(
    _ path: PathKey, _ options: ObservationOptions, observer: OwnerRecord? = nil
  ) -> Signal<ForeignValue> {
    var sourceOptions = SourceOptions(label: "observe")
    sourceOptions.isShared = true
    sourceOptions.prefersHops = true
    return Signal.create(sourceOptions) { subscriber in
      let made = PathObservation(self, path, options, subscriber, observer)
      made.start()
      return made
    }
  }
}
