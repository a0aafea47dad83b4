import Observation
import Testing

@testable import Belay

private final class Person: Object, @unchecked Sendable {
  @Observed var name = "Ann"
  @Observed var age: Int
  @Observed var boss: Person?
  @ObservedWeak var mate: Person?
  var computedMate: Person? { hidden }
  var hidden: Person?

  var title: String { "\(name) (\(age))" }

  init(_ age: Int = 20) {
    self.age = age
    super.init()
  }
}

@Observable private final class Model {
  var count = 1
  var other = 0
  var inner: Model?
}

extension CoreTests {
  /// Observing by key paths: A1-26, A1-27, A3-30 to A3-45.
  @Suite struct KeyPaths {
    let trace = Trace()

    private func watch<Value>(_ signal: Signal<Value>, as name: String = "") -> Disposable {
      signal.subscribe(
        next: { [trace] in trace.add("\(name)\($0)") },
        completed: { [trace] in trace.add("\(name)completed") })
    }

    private func watchChanges<Value>(_ signal: Signal<KeyPathChange<Value>>) -> Disposable {
      watch(
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
      let subscription = watch(ann.observe(\.age))
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
      _ = watch(ann!.observe(\.age, observer: observer!.record))
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
      _ = watch(signal)
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
      let subscription = watch(signal)
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
      _ = watch(ann!.observe(\.age))
      ann = nil
      #expect(weakAnn == nil)
      #expect(trace.take() == "20 | completed")
    }

    @Test func A1_27_nilWhenTheTargetDies() {
      var ann: Person? = Person()
      var observer: Owner? = Owner()
      let age = ann!.observeWeakly(\.age)
      _ = watch(age, as: "a ")
      _ = watch(ann!.observeWeakly(\.age, observer: ann!.owner.record), as: "own ")
      _ = watch(ann!.observeWeakly(\.age, observer: observer!.record), as: "other ")
      observer = nil
      ann?.age = 21
      #expect(
        trace.take()
          == "a Optional(20) | own Optional(20) | other Optional(20) | other completed"
          + " | a Optional(21) | own Optional(21)")
      ann = nil
      #expect(trace.take() == "a nil | a completed | own completed")
      _ = watch(age, as: "late ")
      #expect(trace.take() == "late nil | late completed")
      _ = observer
    }

    @Test func A1_27_followsAPath() {
      let (ann, bob, cleo) = (Person(), Person(30), Person(40))
      let subscription = watch(ann.observe(\.boss?.boss?.age))
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
      let subscription = watch(ann.observe(\.boss?.age))
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
      let subscription = watch(ann.observe(\.title))
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
      let two = watch(ann.changes(of: \.age).map { $0.value }, as: "b ")
      ann.age = 22
      // The second one reads the value when it hears of the first change, and knows the last one then.
      #expect(trace.take() == "a 22 | b 23 | a 23")
      one.dispose()
      two.dispose()
    }

    @Test func bindings() {
      let ann = Person()
      var bob: Person? = Person(30)
      ann.bind(\.age, to: bob!, \.age, bothWays: true)
      #expect(bob?.age == 20)
      let subscription = watch(ann.observe(\.age))
      ann.age = 21
      bob?.age = 22
      #expect(ann.age == 22)
      #expect(trace.take() == "20 | 21 | 22")
      let converting = ann.bind(\.age, to: bob!, \.name, { "\($0)" }, back: { Int($0) ?? 0 })
      bob?.name = "7"
      #expect(ann.age == 7 && bob?.age == 7)
      converting.dispose()
      ann.age = 8
      #expect(bob?.name == "7")
      bob = nil
      ann.age = 9
      _ = trace.take()
      subscription.dispose()
    }

    @Test(arguments: [false, true])
    func aKeyPathAndAPropertyFollowEachOtherWithoutAnEcho(fromObject: Bool) {
      let (ann, property) = (Person(), Property(7))
      let binding =
        fromObject
        ? ann.bind(\.age, to: property, bothWays: true)
        : property.bind(to: ann, \.age, bothWays: true)
      #expect(ann.age == (fromObject ? 20 : 7) && property.value == ann.age)
      let one = watch(ann.observe(\.age), as: "object ")
      let two = watch(property.signal, as: "property ")
      _ = trace.take()
      ann.age = 21
      #expect(property.value == 21)
      #expect(trace.take() == "property 21 | object 21")
      property.set(22)
      #expect(ann.age == 22)
      #expect(trace.take() == "object 22 | property 22")
      binding?.dispose()
      ann.age = 23
      property.set(24)
      #expect(ann.age == 23 && property.value == 24)
      one.dispose()
      two.dispose()
    }

    @Test func aKeyPathAndAPropertyWithConversions() {
      let (ann, text) = (Person(), Property(""))
      let binding = ann.bind(\.age, to: text, { "\($0)" }, back: { Int($0) ?? 0 })
      #expect(text.value == "20")
      ann.age = 21
      #expect(text.value == "21")
      text.set("022")
      // The text is not corrected: a value that came through the binding does not come back.
      #expect(ann.age == 22 && text.value == "022")
      binding?.dispose()
      // One way only.
      let oneWay = text.bind(to: ann, \.age, { Int($0) ?? 0 })
      ann.age = 5
      #expect(text.value == "022")
      text.set("6")
      #expect(ann.age == 6)
      oneWay?.dispose()
    }

    @Test(arguments: [false, true], [false, true])
    func aBindingOfAPropertyEndsWithEither(bothWays: Bool, objectDies: Bool) {
      for fromObject in [false, true] { end(fromObject, bothWays, objectDies: objectDies) }
    }

    private func end(_ fromObject: Bool, _ bothWays: Bool, objectDies: Bool) {
      var ann: Person? = Person()
      var property: Property<Int>? = Property(7)
      weak let weakAnn = ann
      let binding =
        fromObject
        ? ann!.bind(\.age, to: property!, bothWays: bothWays)
        : property!.bind(to: ann!, \.age, bothWays: bothWays)
      if objectDies { ann = nil } else { property = nil }
      #expect(binding?.isDisposed == true)
      #expect(!objectDies || weakAnn == nil)
      ann?.age = 3
      property?.set(4)
    }

    @Test func aPropertyIsBoundAtItsHome() {
      let (ann, property) = (Person(), Property(7))
      inThread { #expect(ann.bind(\.age, to: property) == nil) }
    }

    @Test func objectsOfSwiftsOwnObservation() {
      let scheduler = VirtualScheduler()
      var model: Model? = Model()
      let subscription = watch(.observing(model!, \.inner?.count, on: scheduler))
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

    // MARK: Watching by level

    private func watch<Value>(
      _ watcher: Owner, _ source: Person, _ keyPath: KeyPath<Person, Value>, level: Int = 1000,
      as name: String
    ) {
      let (watcher, record) = (watcher.record, source.owner.record)
      let code = watcher.watch(source, keyPath, level: level) { [trace] event in
        #expect(event.watcher === watcher && event.source === record)
        trace.add("\(name) \(event.value)")
      }
      #expect(code == .ok)
    }

    @Test func A4_25_aKeyPathIsWatchedAndUnwatched() {
      let (watcher, ann, bob) = (Owner(), Person(), Person(30))
      watch(watcher, ann, \.boss?.age, as: "boss")
      watch(watcher, ann, \.title, as: "title")
      watch(watcher, bob, \.age, as: "bob")
      ann.boss = bob
      bob.age = 31
      ann.age = 21
      #expect(trace.take() == "boss Optional(30) | boss Optional(31) | bob 31 | title Ann (21)")
      #expect(watcher.record.unwatch(ann, \.title) == .ok)
      ann.age = 22
      #expect(trace.take() == "")
      #expect(watcher.record.unwatch(ann.owner.record) == .ok)
      bob.age = 32
      #expect(trace.take() == "bob 32")
      #expect(watcher.record.unwatch() == .ok)
      bob.age = 33
      #expect(trace.take() == "")
      #expect(watcher.record.unwatch(bob, \.age) == .notFound)
      #expect(bob.owner.record.memberCount == 0)
      #expect(ann.owner.record.memberCount == 0)
      #expect(ann.owner.record.post(".age") == .invalid)
    }

    @Test func A4_26_higherLevelsOfAKeyPathFirstAndTheSameReplaces() {
      let (one, two, ann) = (Owner(), Owner(), Person())
      watch(one, ann, \.age, as: "usual")
      watch(one, ann, \.age, level: -1, as: "low")
      watch(two, ann, \.age, level: 2000, as: "high")
      ann.age = 21
      #expect(trace.take() == "high 21 | usual 21 | low 21")
      watch(one, ann, \.age, as: "new")
      ann.age = 22
      #expect(trace.take() == "high 22 | new 22 | low 22")
      #expect(one.record.unwatch(ann, \.age, level: -1) == .ok)
      ann.age = 23
      #expect(trace.take() == "high 23 | new 23")
    }

    @Test func A4_30_anObjectsDeathEndsTheWatchesOfItsKeyPathsOnly() {
      let watcher = Owner()
      var ann: Person? = Person()
      let bob = Person(30)
      ann.map { watch(watcher, $0, \.age, as: "ann") }
      watch(watcher, bob, \.age, as: "bob")
      weak let weakAnn = ann
      ann = nil
      #expect(weakAnn == nil)
      bob.age = 31
      #expect(trace.take() == "bob 31")
      #expect(watcher.record.memberCount == 1)
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
