import Belay
import Testing

extension CoreTests {
  /// Compounds and bags: A2-06, A2-07, A2-21, A2-22, A2-27, A3-12 to A3-16, rule 1.3, and the first
  /// trap of 2.6.
  @Suite struct Containers {
    let trace = Trace()

    // MARK: Adding

    @Test func A2_06_addingToADisposedCompound() {
      let compound = CompoundDisposable()
      compound.dispose()
      #expect(compound.add(trace.action("late")) == nil)
      #expect(compound.add(trace.action("later")) == nil)
      #expect(trace.take() == "late | later")
      #expect(compound.count == 0)
    }

    @Test func A2_07_aBagDisposesInOrderWhenItGoes() {
      var bag: DisposeBag? = DisposeBag()
      for number in 0..<5 { bag.map { trace.action("\(number)").disposed(by: $0) } }
      #expect(bag?.count == 5)
      #expect(trace.take() == "")
      bag = nil
      #expect(trace.take() == "0 | 1 | 2 | 3 | 4")
    }

    @Test func A2_22_insertionOrderHoweverMany() {
      let order = Box<[Int]>([])
      let compound = CompoundDisposable()
      for number in 0..<1000 {
        compound.add(AnonymousDisposable { order.value.append(number) })
      }
      compound.dispose()
      #expect(order.value == Array(0..<1000))
    }

    /// There is no counterpart to RxSwift's form with an array. What can be checked is that no lock
    /// is held during a disposal.
    @Test func A2_27_userCodeRunsOutsideTheLock() {
      let compound = CompoundDisposable()
      for name in ["one", "two"] {
        compound.add(
          AnonymousDisposable { [trace] in
            trace.add(name)
            #expect(compound.add(trace.action("inner")) == nil)
            #expect(compound.count == 0)
            compound.dispose()
          })
      }
      compound.dispose()
      #expect(trace.take() == "one | inner | two | inner")
    }

    @Test func A3_12_insertionOrderAfterRemovals() {
      let order = Box<[Int]>([])
      let compound = CompoundDisposable()
      var keys: [CompoundDisposable.Key?] = []
      for number in 0..<300 {
        keys.append(compound.add(AnonymousDisposable { order.value.append(number) }))
      }
      for (number, key) in keys.enumerated() where number % 3 != 1 {
        key.map { _ = compound.remove($0) }
      }
      for number in 300..<600 {
        compound.add(AnonymousDisposable { order.value.append(number) })
      }
      #expect(compound.count == 400)
      compound.dispose()
      #expect(order.value == (0..<300).filter { $0 % 3 == 1 } + Array(300..<600))
    }

    @Test func A3_13_nilDisposedAndItselfAreIgnored() {
      let compound = CompoundDisposable()
      let done = trace.action("done")
      done.dispose()
      _ = trace.take()
      #expect(compound.add(done) == nil)
      #expect(compound.add(nil) == nil)
      #expect(compound.add(NopDisposable.shared) == nil)
      #expect(compound.add(compound) == nil)
      let inner = CompoundDisposable()
      compound.add(inner)
      #expect(inner.add(compound) == nil)
      #expect(compound.count == 1)
      compound.dispose()
      #expect(trace.take() == "")
    }

    @Test func A3_14_disposedInOrderThenEmpty() {
      let compound = CompoundDisposable([trace.witnessed("a"), trace.witnessed("b")])
      compound.add(trace.witnessed("c"))
      compound.dispose()
      #expect(trace.take() == "a action | a free | b action | b free | c action | c free")
      compound.dispose()
      #expect(trace.take() == "")
      #expect(compound.count == 0)
    }

    /// The article says that a third member disposes one to make room. It does not.
    @Test func A3_16_moreThanTwoMembersStay() {
      let compound = CompoundDisposable((0..<5).map { trace.action("\($0)") })
      #expect(trace.take() == "")
      #expect(compound.count == 5)
      #expect(!compound.isDisposed)
    }

    // MARK: Keys

    /// Unlike RxSwift's, a removal does not dispose. A key that has been used names no member any
    /// more.
    @Test func A2_21_keys() throws {
      let compound = CompoundDisposable()
      let one = try #require(compound.add(trace.witnessed("1")))
      let two = try #require(compound.add(trace.action("2")))
      #expect(one != two)
      compound.remove(one)
      #expect(trace.take() == "1 free")
      #expect(!compound.remove(one))
      let three = try #require(compound.add(trace.action("3")))
      #expect(three != one)
      #expect(!compound.remove(one))
      #expect(compound.count == 2)
      compound.dispose()
      #expect(trace.take() == "2 | 3")
      #expect(!compound.remove(two))
    }

    @Test func A3_15_removeDoesNotDispose() throws {
      let compound = CompoundDisposable()
      let member = trace.action("member")
      let key = try #require(compound.add(member))
      #expect(compound.remove(key))
      compound.dispose()
      #expect(trace.take() == "")
      #expect(!member.isDisposed)
    }

    @Test func rule_1_3_removalHoweverManyMembers() {
      let compound = CompoundDisposable()
      let keys = (0..<20_000).map { _ in compound.add(BooleanDisposable()) }
      for index in keys.indices { keys[index * 7919 % keys.count].map { _ = compound.remove($0) } }
      #expect(compound.count == 0)
    }

    // MARK: Members that end by themselves

    @Test func rule_1_3_membersThatEndLeaveTheirContainers() {
      let (compound, bag, owner) = (CompoundDisposable(), DisposeBag(), Owner())
      let subject = PublishSubject<Int>()
      for _ in 0..<1000 {
        let short = Signal.just(1).subscribe(owner: owner.record)
        compound.add(short)
        bag.add(short)
        let silent = subject.subscribe(owner: owner.record)
        compound.add(silent)
        bag.add(silent)
        #expect(compound.count == 1 && bag.count == 1 && owner.record.memberCount == 1)
        silent.dispose()
      }
      #expect(compound.count == 0 && bag.count == 0 && owner.record.memberCount == 0)
      #expect(subject.subscriberCount == 0)
    }

    @Test func rule_1_3_everyKindLeavesWhenItIsDisposed() {
      let inner = BooleanDisposable()
      let kinds: [Disposable] = [
        trace.action("a"), BooleanDisposable(), BinaryDisposable(nil, nil), CompoundDisposable(),
        SerialDisposable(), SingleAssignmentDisposable(), RefCountedDisposable(inner),
        ScopedDisposable(inner), ScheduledDisposable(ImmediateScheduler.shared, inner),
        PublishSubject<Int>().subscribe(),
      ]
      let compound = CompoundDisposable(kinds)
      for kind in kinds { kind.dispose() }
      #expect(compound.count == 0)
    }

    // MARK: Trap 1

    /// ReactiveSwift loses a disposable when a dispose lands between its check and its insert.
    @Test func trap1_addVersusDispose() {
      for round in 0..<300 {
        let hits = Counter()
        let compound = CompoundDisposable()
        race {
          for _ in 0..<256 { compound.add(AnonymousDisposable { hits.add() }) }
        } _: {
          for _ in 0..<(round * 37 % 4096) { _ = compound.isDisposed }
          compound.dispose()
        }
        #expect(hits.count == 256)
        #expect(compound.count == 0)
      }
    }

    @Test func trap1_twoThreadsAddAndDispose() {
      for _ in 0..<200 {
        let hits = Counter()
        let owner = Owner()
        let addAll: @Sendable () -> Void = {
          for _ in 0..<64 { owner.add(AnonymousDisposable { hits.add() }) }
          owner.record.compound.dispose()
        }
        race(addAll, addAll)
        #expect(hits.count == 128)
      }
    }
  }
}
