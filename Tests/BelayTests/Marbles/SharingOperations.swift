@testable import Belay

extension MarbleRun {
  /// Begins what `begin` makes at the time of the word `index`, and ends it at the time of the next
  /// word.
  fileprivate func link(at index: Int, _ begin: @escaping () -> Disposable) {
    var made: Disposable?
    let (first, last) = (number(index), number(index + 1))
    _ = scheduler.submit(ClosureWork { made = begin() }, after: Int64(first) * 1_000_000)
    _ = scheduler.submit(ClosureWork { made?.dispose() }, after: Int64(last) * 1_000_000)
  }

  fileprivate func connected(
    _ index: Int, _ connectable: ConnectableSignal<MarbleValue>
  ) -> ConnectableSignal<MarbleValue> {
    link(at: index) { connectable.connect() }
    return connectable
  }
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
]
