import Belay
import Testing

extension CoreTests {
  /// Observers that are things of their own: F6-05.
  @Suite struct AnyObservers {
    @Test func F6_05_eachSubscriptionHasItsOwnEnd() {
      let trace = Trace()
      let (one, other) = (PublishSubject<Int>(), PublishSubject<Int>())
      let observer = AnyObserver<Int>(
        next: { trace.add("next \($0)") }, error: { trace.add("error \($0.code == .range)") },
        completed: { trace.add("completed") }, disposed: { trace.add("disposed") })
      let owner = Owner()
      one.subscribe(observer)
      other.subscribe(observer, owner: owner.record)
      one.next(1)
      other.next(2)
      one.completed()
      other.next(3)
      #expect(trace.take() == "next 1 | next 2 | completed | disposed | next 3")
      other.error(Failure(.range))
      #expect(trace.take() == "error true | disposed")
    }
  }
}
