import Belay
import Testing

extension CoreTests {
  /// Which subscribers are called, in which order, and what a send from inside a delivery does:
  /// A2-28 to A2-30, A3-07, and the rows of rules 1.1 and 1.2 about subjects.
  @Suite struct Subjects {
    let trace = Trace()

    private func subject(_ reentrancy: Reentrancy, capacity: Int = 1024, isShared: Bool = false)
      -> PublishSubject<Int>
    {
      var options = SourceOptions()
      options.reentrancy = reentrancy
      options.capacity = capacity
      options.isShared = isShared
      return PublishSubject(options)
    }

    /// a, b and c subscribe; b acts at the value 1. Sends 1 and 2, and disposes of what is left.
    private func amongThree(
      _ subject: PublishSubject<Int>, _ act: @escaping (_ a: Disposable, _ c: Disposable?) -> Void
    ) -> String {
      let last = SerialDisposable()
      let a = subject.watch(trace, "a")
      let b = subject.subscribe(next: { [trace] value in
        trace.add("b next \(value)")
        if value == 1 { act(a, last) }
      })
      let c = subject.watch(trace, "c")
      last.set(c)
      subject.next(1)
      subject.next(2)
      for subscription in [b, a, c] { subscription.dispose() }
      return trace.take()
    }

    private let values2 = "a next 2 | b next 2 | c next 2"
    private let ending = "a disposed | a free | c disposed | c free"
    private let completions =
      "a completed | a disposed | a free | c completed | c disposed | c free"

    @Test func rule_1_1_deliveryInTheOrderOfSubscriptionHoweverMany() {
      let subject = PublishSubject<Int>()
      let order = Box<[Int]>([])
      let subscriptions = (0..<500).map { number in
        subject.subscribe(
          next: { _ in order.value.append(number) }, completed: { order.value.append(number) })
      }
      subject.next(1)
      #expect(order.value == Array(0..<500))
      for number in stride(from: 0, to: 500, by: 3) { subscriptions[number].dispose() }
      subject.subscribe(next: { _ in order.value.append(500) })
      order.value = []
      subject.next(2)
      let left = (0..<500).filter { $0 % 3 != 0 }
      #expect(order.value == left + [500])
      order.value = []
      subject.completed()
      #expect(order.value == left)
    }

    @Test func rule_1_1_theEndReachesEachInTurn() {
      let subject = PublishSubject<Int>()
      subject.watch(trace, "a")
      subject.watch(trace, "b")
      subject.completed()
      #expect(
        trace.take() == "a completed | a disposed | a free | b completed | b disposed | b free")
    }

    @Test func rule_1_1_aLateSubscriberGetsTheEnd() {
      let (completed, failed) = (PublishSubject<Int>(), PublishSubject<Int>())
      completed.completed()
      failed.error(Failure(.busy))
      #expect(completed.watch(trace).isDisposed)
      failed.map { $0 }.watch(trace)
      #expect(trace.take() == "completed | disposed | free | error EBUSY | disposed | free")
    }

    /// A send from inside follows a policy. The default one keeps the order.
    @Test func A2_28_aSendFromInsideIsQueued() {
      let subject = subject(.queue)
      let result = amongThree(subject) { [trace] _, _ in
        trace.add("\(subject.next(8).rawValue) \(subject.next(9).rawValue)")
      }
      #expect(
        result == "a next 1 | b next 1 | 1 1 | c next 1 | a next 8 | b next 8 | c next 8 | "
          + "a next 9 | b next 9 | c next 9 | \(values2) | \(ending)")
    }

    @Test(arguments: [false, true])
    func rule_1_2_theOtherPolicies(isShared: Bool) {
      let expected: [Reentrancy: String] = [
        .depthFirst: "a next 8 | b next 8 | c next 8 | a next 9 | b next 9 | c next 9 | 0 0 | "
          + "c next 1",
        .latest: "1 1 | c next 1 | a next 9 | b next 9 | c next 9",
        .reject: "-20006 -20006 | c next 1",
      ]
      for (policy, middle) in expected {
        let subject = subject(policy, isShared: isShared)
        let result = amongThree(subject) { [trace] _, _ in
          trace.add("\(subject.next(8).rawValue) \(subject.next(9).rawValue)")
        }
        #expect(result == "a next 1 | b next 1 | \(middle) | \(values2) | \(ending)")
      }
    }

    @Test(arguments: [Reentrancy.queue, .latest, .reject])
    func rule_1_2_terminalEventsAreQueued(policy: Reentrancy) {
      let subject = subject(policy)
      let result = amongThree(subject) { [trace] _, _ in
        trace.add("\(subject.completed().rawValue) \(subject.completed().rawValue)")
      }
      #expect(result == "a next 1 | b next 1 | 1 -20003 | c next 1 | \(completions)")
    }

    @Test func rule_1_2_nothingFollowsAQueuedEnd() {
      let subject = subject(.queue, capacity: 1)
      let result = amongThree(subject) { _, _ in
        #expect(subject.next(8) == .queued)
        #expect(subject.next(9) == .again)
        #expect(subject.completed() == .queued)
        #expect(subject.next(9) == .ended)
      }
      #expect(
        result == "a next 1 | b next 1 | c next 1 | a next 8 | b next 8 | c next 8 | "
          + completions)
    }

    /// The rule is the same for a bare subject and behind operators.
    @Test func A2_29_aSiblingDisposedDuringDeliveryIsNotCalled() {
      let result = amongThree(PublishSubject()) { a, c in
        c?.dispose()
        a.dispose()
      }
      #expect(
        result == "a next 1 | b next 1 | c disposed | c free | a disposed | a free | b next 2")
      let subject = PublishSubject<Int>()
      let sibling = SerialDisposable()
      subject.map { $0 }.subscribe(next: { _ in sibling.dispose() })
      sibling.set(subject.map { $0 }.watch(trace, "sibling"))
      subject.next(1)
      #expect(trace.take() == "sibling disposed | sibling free")
    }

    @Test func A2_30_oneSubscribedDuringDeliveryDoesNotSeeTheValue() {
      let subject = PublishSubject<Int>()
      let result = amongThree(subject) { [trace] _, _ in
        subject.subscribe(next: { trace.add("d next \($0)") })
        #expect(subject.subscriberCount == 4)
      }
      #expect(result == "a next 1 | b next 1 | c next 1 | \(values2) | d next 2 | \(ending)")
    }

    // MARK: Going without an end

    @Test func rule_1_1_theLastReferenceInterrupts() {
      var subject: PublishSubject<Int>? = PublishSubject()
      let subscription = subject?.watch(trace, "a")
      subject?.take(9).watch(trace, "b")
      subject = nil
      #expect(trace.take() == "a disposed | a free | b disposed | b free")
      #expect(subscription?.isDisposed == true)
    }

    @Test func rule_1_1_theLastReferenceInsideNextWaitsForTheEvent() {
      let subject = Box<PublishSubject<Int>?>(PublishSubject())
      subject.value?.subscribe(next: { [trace] value in
        trace.add("first \(value)")
        if value == 1 {
          #expect(subject.value?.next(2) == .queued)
          subject.value = nil
        }
      })
      subject.value?.watch(trace, "b")
      subject.value?.next(1)
      #expect(trace.take() == "first 1 | b next 1 | first 2 | b next 2 | b disposed | b free")
    }

    // MARK: Threads

    @Test func rule_1_2_aHomeWithoutALoopRefusesSendsFromElsewhere() {
      let subject = PublishSubject<Int>()
      subject.watch(trace)
      inThread {
        #expect(subject.next(1) == .noHome)
        #expect(subject.completed() == .noHome)
        #expect(subject.watch(Trace()).isDisposed)
      }
      #expect(subject.next(2) == .ok)
      #expect(trace.take() == "next 2")
    }

    @Test func rule_1_2_whileAnotherThreadDeliversASendIsLeftToIt() {
      let subject = subject(.queue, isShared: true)
      let result = amongThree(subject) { _, _ in
        inThread { #expect(subject.next(8) == .queued) }
      }
      #expect(
        result == "a next 1 | b next 1 | c next 1 | a next 8 | b next 8 | c next 8 | \(values2) | "
          + ending)
    }

    /// No lock is held during a delivery: a thread that sends meanwhile leaves its value to the
    /// delivering thread.
    @Test func A3_07_nextsFromSeveralThreadsAreSerial() {
      let subject = subject(.queue, capacity: .max, isShared: true)
      let (inside, overlaps, calls) = (Counter(), Counter(), Counter())
      let latest = Box([-1, -1, -1, -1])
      subject.subscribe(next: { value in
        let before = inside.count
        inside.add()
        calls.add()
        if inside.count != before + 1 || latest.value[value / 1000] >= value { overlaps.add() }
        latest.value[value / 1000] = value
      })
      let routines = (0..<4).map { sender in
        Routine { for number in 0..<1000 { subject.next(sender * 1000 + number) } }
      }
      for routine in routines { routine.join() }
      #expect(calls.count == 4000)
      #expect(overlaps.count == 0)
    }

    @Test func rule_1_3_aSilentSubjectDoesNotGrow() {
      let subject = PublishSubject<Int>()
      let staying = subject.subscribe()
      let before = Live.subscriptions.count
      for _ in 0..<100_000 { subject.subscribe().dispose() }
      #expect(subject.subscriberCount == 1)
      #expect(Live.subscriptions.count == before)
      staying.dispose()
    }

    @Test func whatIsLeftFromInsideIsSweptFromASharedSubjectToo() {
      var options = SourceOptions()
      options.isShared = true
      let subject = BehaviorSubject(1, options)
      for _ in 0..<1000 { subject.take(1).subscribe() }
      let before = residentKilobytes()
      for _ in 0..<50_000 { subject.take(1).subscribe() }
      #expect(residentKilobytes() - before < 4096)
      #expect(subject.subscriberCount == 0)
    }
  }
}
