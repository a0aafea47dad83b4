@testable import Belay

extension MarbleRun {
  /// Begins what `begin` makes at the time of the word `index`, and ends it at the time of the next
  /// word.
  fileprivate func link(at index: Int, _ begin: @escaping () -> Disposable?) {
    var made: Disposable?
    let (first, last) = (number(index), number(index + 1))
    _ = scheduler.submit(ClosureWork { made = begin() }, after: Int64(first) * 1_000_000)
    _ = scheduler.submit(ClosureWork { made?.dispose() }, after: Int64(last) * 1_000_000)
  }

  /// Binds `source` to a new property for that time. The property goes then.
  fileprivate func bound(_ source: Signal<MarbleValue>, at index: Int) -> Signal<MarbleValue> {
    var property: Property<MarbleValue>? = Property(.int(0))
    let signal = property?.signal ?? .never()
    link(at: index) { property.map { source.bind(to: $0) } }
    let last = Int64(number(index + 1)) * 1_000_000
    _ = scheduler.submit(ClosureWork { property = nil }, after: last)
    return signal
  }

  fileprivate func connected(
    _ index: Int, _ connectable: ConnectableSignal<MarbleValue>
  ) -> ConnectableSignal<MarbleValue> {
    link(at: index) { connectable.connect() }
    return connectable
  }
}

private final class Variable {
  var value = MarbleValue.int(0)
}

/// Sharing, binding, and the subjects with a memory. The last two numbers are the times of a
/// connection's beginning and end, in milliseconds.
let sharingOperations: MarbleOperations = [
  "share": { $0.input(0).share() },
  "share_replay": { $0.input(0).shareReplay(count: $0.number(1), .keepsCompletion) },
  "share_until": { run in
    let resets = ShareResets().error(run.input(1)).completion(run.input(2)).unused(run.input(3))
    return run.input(0).share(replaying: run.number(4), until: resets)
  },
  "share_until_ended": { run in
    let resets = ShareResets().error(run.input(1)).completion(run.input(2))
    return run.input(0).share(replaying: run.number(3), until: resets)
  },
  "share_until_unused": { $0.input(0).share(until: ShareResets().unused($0.input(1))) },
  "ref_count": { $0.input(0).publish().refCount() },
  "auto_connect": { $0.input(0).publish().autoConnect($0.number(1)) },
  "behavior": { $0.input(0).multicast(BehaviorSubject(.int(7))).refCount() },
  "async": { $0.input(0).multicast(AsyncSubject()).refCount() },
  "replay_subject": { $0.input(0).multicast(ReplaySubject(count: $0.number(1))).refCount() },
  "publish": { $0.connected(1, $0.input(0).publish()) },
  "publish_twice": { $0.connected(3, $0.connected(1, $0.input(0).publish())) },
  "replay": { $0.connected(2, $0.input(0).replay(count: $0.number(1))) },
  "multicast": { $0.connected(1, $0.input(0).multicast(PublishSubject())) },
  "multicast_twice": {
    $0.connected(3, $0.connected(1, $0.input(0).multicast(PublishSubject())))
  },
  "bind": { run in
    let (source, subject) = (run.input(0), PublishSubject<MarbleValue>())
    run.link(at: 1) { source.bind(to: subject) }
    return subject
  },
  "bind_property": { $0.bound($0.input(0), at: 1) },
  "bind_variable": { run in
    let (source, variable) = (run.input(0), Variable())
    run.link(at: 1) { source.assign(to: \.value, on: variable) }
    // What the variable has every millisecond, if that has changed.
    return Signal<UInt64>.interval(.milliseconds(1), on: run.scheduler)
      .map { _ in variable.value }.distinctUntilChanged()
  },
]
