import Belay
import Testing

extension CoreTests {
  /// The lives of objects that know nothing of Belay: A1-01 to A1-14, A1-28, rule 1.4.
  @Suite struct Lifetimes {
    let trace = Trace()

    @Test func A1_01_A1_02_A1_03_theOrderOfTheNotices() {
      var object: Natives.Base? = Natives.Base(trace)
      object.map { Lifetime.of($0).follow(trace) }
      #expect(trace.take() == "")
      object = nil
      #expect(trace.take() == "deallocating next | deinit | \(Lifetime.end)")
    }

    @Test func rule_1_4_theEightStepsOfADeath() {
      var object: Natives.Base? = Natives.Base(trace)
      let lifetime = object.map { Lifetime.of($0) }
      weak let weakly = object
      lifetime?.deallocating.subscribe(next: { [trace] in
        trace.add("step 2 \(lifetime?.isOver == true) \(weakly == nil)")
      })
      lifetime?.add(trace.action("first"))
      PublishSubject<Int>.never().subscribe(
        during: lifetime ?? Owner().lifetime, disposed: { [trace] in trace.add("bound disposed") })
      lifetime?.add(trace.action("last"))
      lifetime?.follow(trace)
      #expect(lifetime?.isOver == false)
      object = nil
      #expect(
        trace.take() == "step 2 true true | deallocating next | first | bound disposed | last | "
          + "deinit | \(Lifetime.end)")
    }

    @Test func A4_04_membersAreGoneAndTheMemoryIsThere() {
      final class Holder {
        let scalar = 0x5EED
        let member: Witness
        init(_ trace: Trace) { member = Witness(trace, "member") }
      }
      var object: Holder? = Holder(trace)
      let pointer = object.map { Unmanaged.passUnretained($0).toOpaque() }
      object.map { Lifetime.of($0) }?.deallocated.subscribe(next: { [trace] in
        trace.add("scalar \(pointer?.load(fromByteOffset: 16, as: Int.self) == 0x5EED)")
      })
      object = nil
      #expect(trace.take() == "member free | scalar true")
    }

    @Test func A1_04_whoComesLateGetsWhatWasSent() {
      var object: Natives.Base? = Natives.Base(trace)
      let lifetime = object.map { Lifetime.of($0) }
      object = nil
      #expect(trace.take() == "deinit")
      lifetime?.deallocating.watch(trace)
      lifetime?.deallocated.watch(trace)
      let all = "next () | completed | disposed | free"
      #expect(trace.take() == "\(all) | \(all)")
    }

    @Test func A1_05_bothEndByThemselves() {
      var object: Natives.Base? = Natives.Base(trace)
      let lifetime = object.map { Lifetime.of($0) }
      let subscriptions = [lifetime?.deallocating.watch(trace), lifetime?.deallocated.watch(trace)]
      object = nil
      for subscription in subscriptions { #expect(subscription?.isDisposed == true) }
      let all = "next () | completed | disposed | free"
      #expect(trace.take() == "\(all.replacing("next ()", with: "next () | deinit")) | \(all)")
    }

    @Test func A1_06_askingAgainGivesTheSameLife() {
      let object = Natives.Base(trace)
      #expect(Lifetime.of(object).record === Lifetime.of(object).record)
      #expect(Lifetime.of(object).record !== Lifetime.of(Natives.Base(trace)).record)
    }

    @Test func A1_07_askedFromTwoThreadsItIsOneLife() {
      for _ in 0..<200 {
        let object = Natives.Derived(trace)
        let other = Box<OwnerRecord?>(nil)
        var mine: OwnerRecord?
        race({ other.value = Lifetime.of(object).record }, { mine = Lifetime.of(object).record })
        #expect(mine != nil && mine === other.value)
      }
    }

    @Test func A1_08_observingKeepsNothingAliveAndDelaysNoDeath() {
      var object = Natives.Base(trace)
      let lifetime = Lifetime.of(object)
      let signals = [lifetime.deallocating, lifetime.deallocated]
      signals[0].watch(trace, "observer")
      lifetime.add(trace.action("bound"))
      #expect(isKnownUniquelyReferenced(&object))
      weak let weakly = object
      object = Natives.Base(trace)
      #expect(weakly == nil)
      #expect(
        trace.take() == "observer next () | bound | deinit | observer completed | "
          + "observer disposed | observer free")
    }

    @Test func A1_09_disposedBeforeTheDeathNothingComes() {
      var object: Natives.Base? = Natives.Base(trace)
      let lifetime = object.map { Lifetime.of($0) }
      lifetime?.deallocating.watch(trace).dispose()
      lifetime?.deallocated.watch(trace).dispose()
      _ = trace.take()
      object = nil
      #expect(trace.take() == "deinit")
    }

    @Test func A1_10_whereItDoesNotWorkTheFailureIsAnEvent() {
      var object: Natives.Base? = Natives.Base(trace)
      let lifetime = object.map { Lifetime.of($0, isOffered: false) }
      #expect(lifetime?.failure?.code == .unsupported)
      #expect(lifetime?.record == nil)
      #expect(lifetime?.bag == nil)
      #expect(lifetime?.isOver == false)
      lifetime?.follow(trace)
      #expect(trace.take() == "deallocating error ENOTSUP | deallocated error ENOTSUP")
      #expect(lifetime?.notify("name") { _, _, _ in } == .unsupported)
      #expect(lifetime?.associated(with: UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped) == nil)
      let action = trace.action("bound")
      #expect(lifetime.map { action.disposed(by: $0) } == .unsupported)
      #expect(!action.isDisposed)
      let subject = PublishSubject<Int>()
      lifetime?.follow(subject, trace)
      #expect(trace.take() == "error ENOTSUP | disposed | error ENOTSUP")
      #expect(subject.subscriberCount == 0)
      object = nil
      #expect(trace.take() == "deinit")
      action.dispose()
      _ = trace.take()
    }

    @Test func A1_28_aDeathIsOnTheThreadOfTheLastRelease() {
      let object = Box<Natives.Base?>(Natives.Base(trace))
      let thread = Box<UInt>(0)
      let heard = Box<UInt>(1)
      object.value.map { Lifetime.of($0) }?.deallocated.subscribe(next: {
        heard.value = currentThread()
      })
      inThread {
        thread.value = currentThread()
        object.value = nil
      }
      #expect(trace.take() == "deinit")
      #expect(heard.value == thread.value)
    }

    // MARK: What is bound

    @Test func whatIsBoundCanBeTakenOutAgain() {
      var object: Natives.Base? = Natives.Base(trace)
      let bag = object.flatMap { Lifetime.of($0).bag }
      let key = bag?.add(trace.action("removed"))
      bag?.add(trace.action("kept"))
      #expect(key.map { bag?.remove($0) } == true)
      object = nil
      #expect(trace.take() == "kept | deinit")
      #expect(bag?.isDisposed == true)
    }

    @Test func rule_1_4_bindingToTheDeadDisposesAtOnce() {
      var object: Natives.Base? = Natives.Base(trace)
      let lifetime = object.map { Lifetime.of($0) }
      object = nil
      _ = trace.take()
      lifetime?.add(trace.action("bound"))
      #expect(trace.take() == "bound")
      let subject = PublishSubject<Int>()
      #expect(lifetime.map { subject.subscribe(during: $0) }?.isDisposed == true)
    }

    @Test func subscriptionsEndWithTheObject() {
      let subject = PublishSubject<Int>()
      var object: Natives.Base? = Natives.Base(trace, scalar: 5)
      object.map { object in
        _ = subject.subscribe(
          with: object, next: { [trace] object, value in trace.add("\(object.scalar + value)") },
          disposed: { [trace] in trace.add("with disposed") })
        subject.take(during: object).watch(trace, "take")
        subject.watch(trace, "by").disposed(with: object)
      }
      subject.next(1)
      #expect(trace.take() == "6 | take next 1 | by next 1")
      object = nil
      #expect(
        trace.take() == "take completed | take disposed | take free | with disposed | "
          + "by disposed | by free | deinit")
      #expect(subject.subscriberCount == 0)
    }

    @Test func ownersAreObjectsToo() {
      let subject = PublishSubject<Int>()
      var owner: Owner? = Owner(deinit: { [trace] in trace.add("deinit") })
      owner.map { owner in
        _ = subject.subscribe(
          during: owner, next: { [trace] in trace.add("during \($0)") },
          disposed: { [trace] in trace.add("during disposed") })
        _ = subject.subscribe(with: owner, next: { [trace] _, value in trace.add("with \(value)") })
      }
      subject.next(1)
      owner = nil
      #expect(trace.take() == "during 1 | with 1 | during disposed | deinit")
      #expect(subject.subscriberCount == 0)
    }

    @Test func aDeathInsideABoundCallbackDoesNotWaitForIt() {
      let subject = PublishSubject<Int>()
      let object = Box<Natives.Base?>(Natives.Base(trace))
      object.value.map { native in
        Lifetime.of(native).follow(trace)
        _ = subject.subscribe(
          with: native,
          next: { [trace] _, _ in
            object.value = nil
            trace.add("released")
          })
      }
      subject.next(1)
      // The callback borrows the object, so the object goes when the callback returns.
      #expect(
        trace.take() == "released | deallocating next | deinit | \(Lifetime.end)")
      #expect(subject.subscriberCount == 0)
    }

    @Test func rule_1_4_aDeathWaitsForCallbacksOnOtherThreads() {
      let object = Box<Natives.Base?>(Natives.Base(trace))
      let lifetime = object.value.map { Lifetime.of($0) }
      let held = Held(trace)
      let emitting = Routine { held.send(boundTo: lifetime?.record) }
      held.inside.wait()
      let begun = Gate()
      lifetime?.deallocating.subscribe(next: { begun.open() })
      let dying = Routine { object.value = nil }
      begun.wait()
      #expect(trace.take() == "")
      held.mayLeave.open()
      emitting.join()
      dying.join()
      #expect(trace.take() == "next ends | deinit")
    }

    @Test func aDeathThatKillsAnotherObject() {
      let other = Box<Natives.Derived?>(Natives.Derived(trace))
      var object: Natives.Derived? = Natives.Derived(trace)
      other.value.map { Lifetime.of($0).follow(trace) }
      object.map { Lifetime.of($0) }?.add(AnonymousDisposable { other.value = nil })
      object = nil
      #expect(
        trace.take() == "deallocating next | derived | deinit | \(Lifetime.end) | derived | deinit")
    }

    // MARK: What hangs on it

    @Test func A4_02_A4_05_A4_06_notificationsByName() {
      var object: Natives.Plain? = Natives.Plain(trace)
      let lifetime = object.map { Lifetime.of($0) }
      let place = object.map { Unmanaged.passUnretained($0).toOpaque() }
      let tell = { [trace] (name: String, info: AnyObject?, address: UnsafeMutableRawPointer?) in
        trace.add("\(name) \(info != nil) \(address == place)")
      }
      #expect(lifetime?.notify("replaced") { _, _, _ in Issue.record("is never called") } == .ok)
      #expect(lifetime?.notify("replaced", tell) == .ok)
      #expect(lifetime?.notify("removed", tell) == .ok)
      #expect(lifetime?.notify("last", userInfo: Witness(trace, "info"), tell) == .ok)
      #expect(lifetime?.removeNotification("removed") == .ok)
      lifetime?.follow(trace)
      object = nil
      #expect(
        trace.take() == "deallocating next | member free | replaced false true | last true true | "
          + "info free | \(Lifetime.end)")
      #expect(lifetime?.notify("late", tell) == .dead)
    }

    @Test func associatedObjectsGoAfterTheNotifications() {
      var object: Natives.Plain? = Natives.Plain(trace)
      let lifetime = object.map { Lifetime.of($0) }
      let keys = UnsafeMutableRawPointer.allocate(byteCount: 2, alignment: 1)
      defer { keys.deallocate() }
      lifetime?.associate(Witness(trace, "first"), with: keys)
      lifetime?.associate(Witness(trace, "second"), with: keys + 1)
      lifetime?.associate(Witness(trace, "second of a kind"), with: keys + 1, kind: keys)
      #expect(lifetime?.associated(with: keys) is Witness)
      lifetime?.associate(nil, with: keys)
      #expect(lifetime?.associated(with: keys) == nil)
      lifetime?.notify("notice") { [trace] name, _, _ in trace.add(name) }
      object = nil
      #expect(
        trace.take() == "first free | member free | notice | second free | second of a kind free")
    }

    @Test func aChildDiesWithTheObject() {
      let child = Owner(deinit: { [trace] in trace.add("child") })
      var object: Natives.Base? = Natives.Base(trace)
      #expect(object.map { Lifetime.of($0).add(child: child) } == .ok)
      object = nil
      #expect(trace.take() == "child | deinit")
      #expect(child.record.isDying)
    }

    // MARK: Tokens

    @Test func aTokenEndsWithTheObjectsMembers() {
      final class Window {
        let trace: Trace
        private let token = Lifetime.Token()
        var lifetime: Lifetime { token.lifetime }
        init(_ trace: Trace) { self.trace = trace }
        deinit { trace.add("deinit") }
      }
      var window: Window? = Window(trace)
      window?.lifetime.follow(trace)
      window?.lifetime.add(trace.action("bound"))
      window = nil
      #expect(trace.take() == "deinit | deallocating next | bound | \(Lifetime.end)")
    }

    @Test func theLifetimeOfAnOwnerIsThatOfWhatItStandsFor() {
      let owner = Owner()
      #expect(Lifetime.of(owner).record === owner.record)
      #expect(owner.lifetime.record === owner.record)
    }
  }
}

extension Lifetime {
  /// Tries a subscription and a cut on `subject`.
  fileprivate func follow(_ subject: PublishSubject<Int>, _ trace: Trace) {
    subject.subscribe(
      during: self, error: { trace.add("error \($0.name)") },
      disposed: { trace.add("disposed") })
    subject.take(during: self).subscribe(error: { trace.add("error \($0.name)") })
  }
}
