/// A group of a `groupBy`: the signal of the values with one key.
public final class GroupedSignal<Key, Value>: Signal<Value>, @unchecked Sendable {
  /// nil for a window.
  private let kept: Kept<Key>?
  let subject: PublishSubject<Value>

  init(_ key: Kept<Key>?, _ options: SourceOptions) {
    kept = key
    subject = PublishSubject(options)
    super.init()
    route = subject.route.listening
  }

  /// The key that the values of this group have in common.
  public var key: Key { kept.unsafelyUnwrapped.value }

  /// The same, for windows, too, which have none.
  package var keyIfGroup: Key? { kept?.value }

  package override var builtName: Text { subject.builtName }
  package override var ownSource: Source? { subject.emitter }

  package override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    subject.attach(sink, at: home)
  }
}

extension Signal {
  /// Sends a signal, a group, for each key that `key` returns. A group is sent before its first
  /// value, so a subscriber that subscribes at once gets that value. Values without a subscriber
  /// are dropped. Groups end with the source, and are interrupted when this subscription is
  /// disposed of; all of them are kept until then: 1024, unless `setQueue` says otherwise. One
  /// more ends the groups and the signal with `.again`. An error that `key` throws ends the groups and
  /// the signal.
  public final func groupBy<Key: Hashable>(
    _ key: @escaping (Value) throws(ClosureError) -> Key
  ) -> Signal<GroupedSignal<Key, Value>> {
    groupBy(
      key, hash: { UInt64(truncatingIfNeeded: $0.hashValue) }, areEqual: { $0 == $1 },
      gather: { $0 })
  }

  /// The stage takes over the results of `key`.
  package final func groupBy<Key, Output>(
    _ key: @escaping (Value) throws(ClosureError) -> Key, hash: @escaping (Key) -> UInt64,
    areEqual: @escaping (Key, Key) -> Bool,
    gather: @escaping (GroupedSignal<Key, Value>) -> Output
  ) -> Signal<Output> {
    lift(bounded: "group_by") { GroupByStage($0, key, hash, areEqual, gather, $1) }
  }
}

/// Keeps a subject for each key, and sends each value into its key's.
private final class GroupByStage<Key, Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private let keyOf: (Value) throws(ClosureError) -> Key
  private let hash: (Key) -> UInt64
  private let areEqual: (Key, Key) -> Bool
  private let gather: (GroupedSignal<Key, Value>) -> Output
  private let limit: QueueLimit
  private var options = SourceOptions(label: "group")
  private var groups: ReferenceArray<GroupedSignal<Key, Value>> = []
  /// The keys of the groups, in the same order.
  private var keys = KeyTable<Key>()

  init(
    _ downstream: Sink<Output>, _ keyOf: @escaping (Value) throws(ClosureError) -> Key,
    _ hash: @escaping (Key) -> UInt64, _ areEqual: @escaping (Key, Key) -> Bool,
    _ gather: @escaping (GroupedSignal<Key, Value>) -> Output, _ limit: QueueLimit
  ) {
    self.limit = limit
    self.keyOf = keyOf
    self.hash = hash
    self.areEqual = areEqual
    self.gather = gather
    super.init(downstream)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    options.home = home
    return source.connect(self, at: home)
  }

  override func next(_ value: Value) {
    do throws(ClosureError) {
      let key = Kept(taking: try keyOf(value))
      if isDisposed { return }
      let (number, isNew) = keys.number(of: key.value, hash(key.value), areEqual)
      if !isNew {
        let group = groups[number]
        group.subject.pass(value)
        return
      }
      keepGathered(key.value)
      if limit.refuses(after: groups.count) { return end(limit.refusal) }
      let group = GroupedSignal<Key, Value>(key, options)
      groups.append(group)
      let output = gather(group)
      pass(output)
      discard(output)
      if !isDisposed { group.subject.pass(value) }
    } catch {
      end(.failed(.carrying(error)))
    }
  }

  override func end(_ end: End) {
    endAll(end)
    pass(end: end)
  }

  private func endAll(_ end: End) {
    let all = groups
    let keys = keys.keys
    groups = []
    self.keys = KeyTable()
    for group in all { _ = group.subject.emit(end) }
    for key in keys { discard(key) }
  }

  override func tearDown() { endAll(.interrupted) }
}
