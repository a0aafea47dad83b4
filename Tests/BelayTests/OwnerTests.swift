import Belay
import Testing

extension CoreTests {
  /// A death's eight steps, what is bound, and weak references: A1-01 to A1-09, rule 1.4.
  @Suite struct Owners {
    let trace = Trace()

    private func follow(_ record: OwnerRecord) {
      trace.follow(record.deallocating, record.deallocated)
    }

    private let afterDeinit =
      "deinit | deallocating completed | deallocated next | deallocated completed | dealloc"

    @Test func rule_1_4_theEightStepsOfADeath() {
      var owner: Owner? = trace.owner(label: "window")
      let record = owner?.record
      let weak = record.map { WeakOwner($0) }
      record?.deallocating.subscribe(next: { [trace] in
        trace.add("step 2 \(record?.isDying == true) \(weak?.lock() == nil)")
      })
      record.map { follow($0) }
      owner?.add(trace.action("first"))
      let subject = PublishSubject<Int>()
      subject.watch(trace, "bound", owner: owner)
      owner?.add(trace.action("last"))
      #expect(record?.isDying == false)
      #expect(trace.take() == "")
      owner = nil
      #expect(
        trace.take() == "step 2 true true | deallocating next | first | bound disposed | "
          + "bound free | last | \(afterDeinit)")
      #expect(weak?.isDying == true)
    }

    @Test func A1_01_A1_02_A1_03_theOrderOfTheNotices() {
      var owner: Owner? = trace.owner(label: "window")
      owner.map { follow($0.record) }
      owner = nil
      #expect(trace.take() == "deallocating next | \(afterDeinit)")
    }

    @Test func A1_04_whoComesLateGetsWhatWasSent() {
      var owner: Owner? = trace.owner(label: "window")
      let record = owner?.record
      let deallocating = owner?.deallocating
      owner = nil
      #expect(trace.take() == "deinit | dealloc")
      deallocating?.watch(trace)
      record?.deallocated.watch(trace)
      let all = "next () | completed | disposed | free"
      #expect(trace.take() == "\(all) | \(all)")
    }

    @Test func A1_04_whoComesDuringTheDeathGetsTheRest() {
      let record = Box<OwnerRecord?>(nil)
      var owner: Owner? = Owner(deinit: { [trace] in
        record.value.map { follow($0) }
        trace.add("deinit")
      })
      record.value = owner?.record
      owner = nil
      #expect(
        trace.take() == "deallocating next | deinit | deallocating completed | deallocated next | "
          + "deallocated completed")
    }

    @Test func A1_05_bothEndByThemselves() {
      var owner: Owner? = Owner()
      let subscriptions = [owner?.deallocating.watch(trace), owner?.deallocated.watch(trace)]
      owner = nil
      for subscription in subscriptions { #expect(subscription?.isDisposed == true) }
      let all = "next () | completed | disposed | free"
      #expect(trace.take() == "\(all) | \(all)")
    }

    @Test func A1_06_askingAgainGivesTheSameSequence() {
      var owner: Owner? = Owner()
      #expect(owner?.deallocated.name == "deallocated")
      owner?.deallocated.watch(trace, "a")
      owner?.deallocated.watch(trace, "b")
      owner = nil
      #expect(
        trace.take() == "a next () | b next () | a completed | a disposed | a free | "
          + "b completed | b disposed | b free")
    }

    @Test func A1_08_subscribingDelaysNoDeath() {
      var owner: Owner? = trace.owner(label: "window")
      let signals = [owner?.deallocating, owner?.deallocated]
      signals[0]?.watch(trace)
      owner = nil
      #expect(trace.take() == "next () | deinit | completed | disposed | free | dealloc")
    }

    @Test func A1_09_disposedBeforeTheDeathNothingComes() {
      var owner: Owner? = trace.owner(label: "window")
      owner?.deallocating.watch(trace).dispose()
      owner?.deallocated.watch(trace).dispose()
      _ = trace.take()
      owner = nil
      #expect(trace.take() == "deinit | dealloc")
    }

    // MARK: References

    @Test func rule_1_4_weakReferences() {
      var owner: Owner? = trace.owner(label: "window")
      let weak = owner.map { WeakOwner($0.record) }
      let strong = weak?.lock()
      #expect(strong === owner?.record)
      owner = nil
      #expect(trace.take() == "")
      #expect(strong?.isDying == false)
      strong?.releaseHandle()
      #expect(trace.take() == "deinit | dealloc")
      #expect(weak?.lock() == nil)
    }

    @Test func rule_1_4_retainingADyingOwnerKeepsTheRecordOnly() {
      var owner: Owner? = trace.owner(label: "window")
      let record = owner?.record
      record?.deallocating.subscribe(next: { record?.retainHandle() })
      owner = nil
      #expect(trace.take() == "deinit | dealloc")
      record?.releaseHandle()
      #expect(trace.take() == "")
      #expect(record?.isDying == true)
    }

    @Test func A1_28_aDeathIsOnTheThreadOfTheLastRelease() {
      let owner = Box<Owner?>(trace.owner(label: "window"))
      owner.value?.deallocated.watch(trace)
      inThread { owner.value = nil }
      #expect(trace.take() == "deinit | next () | completed | disposed | free | dealloc")
    }

    // MARK: What is bound

    @Test func rule_1_4_bindingToTheDeadDisposesAtOnce() {
      var owner: Owner? = Owner()
      let record = owner?.record
      owner = nil
      record?.add(trace.action("member"))
      #expect(trace.take() == "member")
      let witness = trace.witnessed("unused")
      let subscription = Signal.just(1).subscribe(
        owner: record, next: { _ in witness.dispose() },
        disposed: { [trace] in trace.add("disposed") })
      #expect(subscription.isDisposed)
      #expect(trace.take() == "disposed")
    }

    @Test func rule_1_4_whatIsBoundDuringTheDeathGoesWithIt() {
      let subject = PublishSubject<Int>()
      var owner: Owner? = trace.owner(label: "window")
      let record = owner?.record
      owner?.add(
        AnonymousDisposable { [trace] in
          record?.add(trace.action("latest"))
          subject.subscribe(owner: record, disposed: { trace.add("newcomer disposed") })
        })
      owner?.add(trace.action("second"))
      owner = nil
      #expect(trace.take() == "latest | newcomer disposed | second | deinit | dealloc")
      #expect(subject.subscriberCount == 0)
    }

    @Test func rule_1_4_aSubscriptionBoundToTwoOwnersEndsWithTheFirst() {
      let subject = PublishSubject<Int>()
      var first: Owner? = Owner()
      let second = Owner()
      second.add(subject.watch(trace, owner: first))
      #expect(second.record.memberCount == 1)
      first = nil
      #expect(trace.take() == "disposed | free")
      #expect(second.record.memberCount == 0)
    }

    // MARK: A death inside a callback that is bound

    @Test func rule_1_4_aDeathInsideABoundCallbackWaitsForIt() {
      let owner = Box<Owner?>(trace.owner(label: "window"))
      owner.value.map { follow($0.record) }
      let subject = PublishSubject<Int>()
      subject.subscribe(
        owner: owner.value?.record,
        next: { [trace] in
          trace.add("next \($0)")
          owner.value = nil
          trace.add("released")
        })
      subject.watch(trace, "other", owner: owner.value)
      subject.next(1)
      #expect(
        trace.take() == "next 1 | deallocating next | other disposed | other free | released | "
          + afterDeinit)
    }

    @Test func rule_1_4_aDeathWaitsForACallbackOnAnotherThread() {
      let owner = Box<Owner?>(trace.owner(label: "window"))
      let record = owner.value?.record
      let held = Held(trace)
      let routine = Routine { held.send(boundTo: record) }
      held.inside.wait()
      owner.value = nil
      #expect(trace.take() == "")
      held.mayLeave.open()
      routine.join()
      #expect(trace.take() == "next ends | deinit | dealloc")
    }
  }
}
