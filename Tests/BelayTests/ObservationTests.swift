import Observation
import Testing

@testable import Belay

@Observable private final class Model {
  var count = 1
  var other = 0
  var inner: Model?
}

extension CoreTests {
  /// Observing by key paths: A1-26, A1-27, A3-30 to A3-45.
  @Suite struct KeyPaths {
    let trace = Trace()

    private func watchChanges<Value>(_ signal: Signal<KeyPathChange<Value>>) -> Disposable {
      trace.watch(
        signal.map { change in
          let notes = [
            change.isInitial ? "initial " : "", change.isPrior ? "prior " : "",
            change.isDeath ? "death " : "", change.affectsOnlyLast ? "last " : "",
          ]
          let old = change.old.map { " <- \($0)" } ?? ""
          return notes.joined() + "\(change.value)" + old
        })
    }

    @Test func A3_30_theValueThenEveryNewOne() {
      let ann = Person()
      let subscription = trace.watch(ann.observe(\.age))
      ann.age = 21
      ann.age = 21
      ann.name = "Bea"
      ann.age += 1
      #expect(trace.take() == "20 | 21 | 21 | 22")
      subscription.dispose()
      ann.age = 30
      #expect(trace.take() == "")
    }

    @Test(arguments: [false, true])
    func A3_31_completesWhenEitherDies(observerDies: Bool) {
      var ann: Person? = Person()
      var observer: Owner? = Owner()
      _ = trace.watch(ann!.observe(\.age, observer: observer!.record))
      if observerDies { observer = nil } else { ann = nil }
      #expect(trace.take() == "20 | completed")
      ann?.age = 21
      _ = observer
      #expect(trace.take() == "")
    }

    @Test(arguments: [false, true])
    func A3_32_completesAtOnceWhenEitherIsDead(observerDies: Bool) {
      var ann: Person? = Person()
      var observer: Owner? = Owner()
      let signal = ann!.observe(\.age, observer: observer!.record)
      if observerDies { observer = nil } else { ann = nil }
      _ = trace.watch(signal)
      #expect(trace.take() == "completed")
      _ = (ann, observer)
    }

    @Test func A3_33_nobodyIsKeptAlive() {
      var ann: Person? = Person()
      var bob: Person? = Person(30)
      weak let weakAnn = ann
      weak let weakBob = bob
      ann?.mate = bob
      let signal = ann!.observe(\.mate?.age)
      let subscription = trace.watch(signal)
      bob = nil
      #expect(weakBob == nil)
      ann = nil
      #expect(weakAnn == nil)
      #expect(trace.take() == "Optional(30) | nil | completed")
      subscription.dispose()
    }

    @Test func A1_26_theTargetIsNotRetained() {
      var ann: Person? = Person()
      weak let weakAnn = ann
      _ = trace.watch(ann!.observe(\.age))
      ann = nil
      #expect(weakAnn == nil)
      #expect(trace.take() == "20 | completed")
    }

    @Test func A1_27_nilWhenTheTargetDies() {
      var ann: Person? = Person()
      var observer: Owner? = Owner()
      let age = ann!.observeWeakly(\.age)
      _ = trace.watch(age, as: "a ")
      _ = trace.watch(ann!.observeWeakly(\.age, observer: ann!.owner.record), as: "own ")
      _ = trace.watch(ann!.observeWeakly(\.age, observer: observer!.record), as: "other ")
      observer = nil
      ann?.age = 21
      #expect(
        trace.take()
          == "a Optional(20) | own Optional(20) | other Optional(20) | other completed"
          + " | a Optional(21) | own Optional(21)")
      ann = nil
      #expect(trace.take() == "a nil | a completed | own completed")
      _ = trace.watch(age, as: "late ")
      #expect(trace.take() == "late nil | late completed")
      _ = observer
    }

    @Test func A1_27_followsAPath() {
      let (ann, bob, cleo) = (Person(), Person(30), Person(40))
      let subscription = trace.watch(ann.observe(\.boss?.boss?.age))
      ann.boss = bob
      bob.boss = cleo
      cleo.age = 41
      bob.boss = nil
      cleo.age = 42
      #expect(trace.take() == "nil | nil | Optional(40) | Optional(41) | nil")
      subscription.dispose()
    }

    @Test func A3_35_replacingAMiddleObjectMovesTheObservation() {
      let (ann, bob, cleo) = (Person(), Person(30), Person(40))
      ann.boss = bob
      let subscription = trace.watch(ann.observe(\.boss?.age))
      ann.boss = cleo
      bob.age = 31
      cleo.age = 41
      #expect(trace.take() == "Optional(30) | Optional(40) | Optional(41)")
      subscription.dispose()
    }

    @Test func A3_36_priorAndPosterior() {
      let (ann, bob) = (Person(), Person(30))
      let subscription = watchChanges(ann.changes(of: \.boss?.age, [.prior, .old]))
      ann.boss = bob
      bob.age = 31
      #expect(
        trace.take() == """
          prior last nil <- nil | Optional(30) <- nil | \
          prior last Optional(30) <- Optional(30) | last Optional(31) <- Optional(30)
          """)
      subscription.dispose()
      let plain = watchChanges(ann.changes(of: \.age))
      ann.age = 21
      #expect(trace.take() == "last 21")
      plain.dispose()
    }

    @Test func A3_37_aNilHopArmsNothing() {
      let (ann, bob) = (Person(), Person(30))
      ann.boss = bob
      let subscription = watchChanges(ann.changes(of: \.boss?.age))
      ann.boss = nil
      bob.age = 31
      #expect(trace.take() == "nil")
      subscription.dispose()
    }

    @Test func A3_38_aWeakDeathIsOneChange() {
      let ann = Person()
      var bob: Person? = Person(30)
      ann.mate = bob
      let subscription = watchChanges(ann.changes(of: \.mate?.age, [.prior, .old]))
      bob = nil
      #expect(trace.take() == "death nil")
      bob = Person(31)
      ann.mate = bob
      #expect(trace.take() == "prior last nil <- nil | Optional(31) <- nil")
      subscription.dispose()
    }

    @Test func A3_39_notForTheObserver() {
      let ann = Person()
      var bob: Person? = Person(30)
      ann.mate = bob
      _ = watchChanges(ann.changes(of: \.mate?.age, observer: bob!.owner.record))
      bob = nil
      #expect(trace.take() == "completed")
    }

    @Test func A3_40_aComputedReferenceIsNotWatched() {
      let ann = Person()
      var bob: Person? = Person(30)
      ann.hidden = bob
      let subscription = watchChanges(ann.changes(of: \.computedMate?.age))
      bob?.age = 31
      #expect(trace.take() == "last Optional(31)")
      ann.hidden = nil
      bob = nil
      #expect(trace.take() == "")
      subscription.dispose()
    }

    @Test func A3_41_theInitialCallComesWhenAllIsArmed() {
      let ann = Person()
      var count = 0
      let subscription = ann.observe(\.age).subscribe(next: { [trace] age in
        trace.add("\(age)")
        count += 1
        if count == 1 { ann.age = 21 }
      })
      #expect(trace.take() == "20 | 21")
      let initial = watchChanges(ann.changes(of: \.age, .initial))
      let without = watchChanges(ann.changes(of: \.age))
      #expect(trace.take() == "initial 21")
      for each in [subscription, initial, without] { each.dispose() }
    }

    @Test func A3_42_theLastHopIsTold() {
      let (ann, bob) = (Person(), Person(30))
      ann.boss = bob
      let subscription = watchChanges(ann.changes(of: \.boss?.age))
      ann.boss = Person(40)
      ann.boss?.age = 41
      #expect(trace.take() == "Optional(40) | last Optional(41)")
      subscription.dispose()
    }

    @Test func A3_45_onTheThreadOfTheChange() {
      let ann = Person()
      let subscription = ann.observe(\.age).subscribe(next: { [trace] age in
        trace.add("\(age) \(Thread.id)")
      })
      #expect(trace.take() == "20 \(Thread.id)")
      inThread { [trace] in
        ann.age = 21
        #expect(trace.take() == "21 \(Thread.id)")
      }
      subscription.dispose()
    }

    @Test func computedPropertiesAndBatches() {
      let ann = Person()
      let subscription = trace.watch(ann.observe(\.title))
      ann.name = "Bea"
      ann.batch {
        ann.age = 21
        ann.age = 22
      }
      #expect(trace.take() == "Ann (20) | Bea (20) | Bea (22)")
      subscription.dispose()
    }

    @Test func changesDuringACallbackFollow() {
      let ann = Person()
      let one = ann.changes(of: \.age).subscribe(next: { [trace] change in
        trace.add("a \(change.value)")
        if change.value < 23 { ann.age += 1 }
      })
      let two = trace.watch(ann.changes(of: \.age).map { $0.value }, as: "b ")
      ann.age = 22
      // The second one reads the value when it hears of the first change, and knows the last one then.
      #expect(trace.take() == "a 22 | b 23 | a 23")
      one.dispose()
      two.dispose()
    }

    @Test func objectsOfSwiftsOwnObservation() {
      let scheduler = VirtualScheduler()
      var model: Model? = Model()
      let subscription = trace.watch(.observing(model!, \.inner?.count, on: scheduler))
      model?.inner = Model()
      model?.inner?.count = 2
      scheduler.advance(by: .seconds(1))
      model?.other = 5
      scheduler.advance(by: .seconds(1))
      #expect(trace.take() == "nil | Optional(2)")
      model?.inner?.count = 3
      model = nil
      #expect(trace.take() == "completed")
      scheduler.advance(by: .seconds(1))
      #expect(trace.take() == "")
      subscription.dispose()
    }

    /// The last value sent is the last one set, though the first one is on its way meanwhile.
    @Test func aChangeWhileTheFirstValueIsSentComesAfterIt() {
      let scheduler = VirtualScheduler()
      let model = Model()
      let sent = Counter()
      let subscription = Signal.observing(model, \.count, on: scheduler).subscribe(
        next: { [trace] count in
          sent.add()
          trace.add("begin \(count)")
          if sent.count == 1 {
            model.count = 2
            scheduler.advance(by: .zero)
          }
          trace.add("end \(count)")
        })
      scheduler.advance(by: .zero)
      #expect(trace.take() == "begin 1 | end 1 | begin 2 | end 2")
      subscription.dispose()
    }

    /// A disposal comes while another thread tells of a change.
    @Test func disposedWhileAnotherThreadChanges() {
      let ann = Person()
      let before = Live.subscriptions.count
      for _ in 0..<300 {
        let changer = Routine { for age in 0..<20 { ann.age = age } }
        let subscription = ann.observe(\.age).subscribe(next: { _ in })
        subscription.dispose()
        changer.join()
      }
      #expect(Live.subscriptions.count == before)
    }

    @Test func manyThreads() {
      let (ann, bosses) = (Person(), [Person(1), Person(2)])
      let last = Box<Int?>(nil)
      let subscription = ann.observe(\.boss?.age).subscribe(next: { last.value = $0 })
      let mover = Routine { for index in 0..<200 { ann.boss = bosses[index % 2] } }
      let changer = Routine { for index in 0..<200 { bosses[index % 2].age = 100 + index } }
      mover.join()
      changer.join()
      #expect(last.value == ann.boss?.age)
      subscription.dispose()
    }
  }
}
