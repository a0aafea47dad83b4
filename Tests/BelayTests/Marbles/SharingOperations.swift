@testable import Belay

/// Sharing, and the subjects with a memory: what one or two who listen get.
let sharingOperations: MarbleOperations = [
  "share": { twice($0.input(0).share()) },
  "share_replay": { twice($0.input(0).shareReplay(count: $0.number(1), .keepsCompletion)) },
  "ref_count": { twice($0.input(0).publish().refCount()) },
  "auto_connect": { twice($0.input(0).publish().autoConnect($0.number(1))) },
  "behavior": { $0.input(0).multicast(BehaviorSubject(.int(7))).refCount() },
  "async": { $0.input(0).multicast(AsyncSubject()).refCount() },
]

/// Two who listen, one after the other.
private func twice(_ signal: Signal<MarbleValue>) -> Signal<MarbleValue> { signal.merge(signal) }
