import Belay
import Testing

extension CoreTests {
  /// Owners bound to owners, and ends that are found in a class's table.
  @Suite struct OwnerTrees {
    let trace = Trace()

    private func named(_ name: String) -> Owner {
      Owner(deinit: { [trace] in trace.add("deinit \(name)") })
    }

    @Test func rule_1_4_aChildDiesWholeAtItsTurn() {
      var parent: Owner? = named("parent")
      let child = named("child")
      parent?.add(trace.action("before"))
      #expect(parent?.add(child: child) == .ok)
      parent?.add(trace.action("after"))
      #expect(child.record.parent === parent?.record)
      parent = nil
      #expect(trace.take() == "before | deinit child | after | deinit parent")
      #expect(child.record.isDying)
      #expect(child.record.parent == nil)
    }

    @Test func rule_1_4_aChildThatDiesByItselfLeaves() {
      let parent = named("parent")
      var child: Owner? = named("child")
      child.map { _ = parent.add(child: $0) }
      #expect(parent.record.memberCount == 1)
      child = nil
      #expect(trace.take() == "deinit child")
      #expect(parent.record.memberCount == 0)
    }

    @Test func cyclesAndSecondParentsAreRefused() {
      let (a, b, c) = (named("a"), named("b"), named("c"))
      #expect(a.add(child: a) == .invalid)
      #expect(a.add(child: b) == .ok)
      #expect(b.add(child: c) == .ok)
      #expect(c.add(child: a) == .invalid)
      #expect(a.add(child: c) == .assigned)
      #expect(a.remove(child: c) == .notFound)
      #expect(b.remove(child: c) == .ok)
      #expect(a.add(child: c) == .ok)
    }

    @Test func rule_1_4_aParentWaitsForACallbackBoundToItsChild() {
      let parent = Box<Owner?>(named("parent"))
      let child = named("child")
      parent.value?.add(child: child)
      let subject = PublishSubject<Int>()
      subject.subscribe(
        owner: child.record,
        next: { [trace] _ in
          parent.value = nil
          trace.add("next ends")
        })
      subject.next(1)
      #expect(trace.take() == "next ends | deinit child | deinit parent")
    }

    @Test func A3_50_A3_51_takeDuringCompletesBeforeTheDeinit() {
      var owner: Owner? = named("owner")
      let subject = PublishSubject<Int>()
      owner.map { _ = subject.take(during: $0.record).watch(trace) }
      subject.next(1)
      owner = nil
      #expect(trace.take() == "next 1 | completed | disposed | free | deinit owner")
      #expect(subject.subscriberCount == 0)
    }

    // MARK: Slots

    private func follow(_ record: OwnerRecord) {
      record.deallocating.subscribe(
        next: { [trace] in trace.add("deallocating") },
        error: { [trace] in trace.add("error \($0.code.rawValue)") })
      record.deallocated.subscribe(next: { [trace] in trace.add("deallocated") })
    }

    @Test func A1_01_A1_10_A1_11_A1_13_anEndThatIsFoundInATable() {
      // Never freed: a table stays wrapped.
      let slot = UnsafeMutablePointer<OwnerRecord.DestroyFunction?>.allocate(capacity: 1)
      let original: OwnerRecord.DestroyFunction = { object in
        object?.storeBytes(of: 0, as: Int.self)
      }
      slot.initialize(to: original)
      let objects = UnsafeMutablePointer<Int>.allocate(capacity: 3)
      defer { objects.deallocate() }
      objects.initialize(repeating: 1, count: 3)

      let (owner, code) = OwnerRecord.adopt(objects, endingIn: slot)
      #expect(code == .ok)
      follow(owner)
      owner.deallocating.subscribe(next: { #expect(objects.pointee == 1) })
      owner.deallocated.subscribe(next: { #expect(objects.pointee == 0) })
      slot.pointee?(objects + 1)
      #expect(trace.take() == "")
      slot.pointee?(objects)
      #expect(trace.take() == "deallocating | deallocated")
      #expect(owner.isDying)

      let wrapper = slot.pointee
      slot.pointee = { _ in }
      let (late, lateCode) = OwnerRecord.adopt(objects + 2, endingIn: slot)
      #expect(lateCode == .mismatch)
      follow(late)
      #expect(trace.take() == "error \(Code.mismatch.rawValue)")
      slot.pointee = wrapper
      #expect(OwnerRecord.adopt(objects + 2, endingIn: slot).code == .ok)
      slot.pointee?(objects + 2)
      #expect(trace.take() == "deallocated")
    }

    @Test func A1_12_A1_14_A1_20_A1_22_aCopiedTableAndADeclaredDeath() {
      // Never freed: tables stay wrapped.
      let slots = UnsafeMutablePointer<OwnerRecord.DestroyFunction?>.allocate(capacity: 2)
      let original: OwnerRecord.DestroyFunction = { object in
        object?.storeBytes(of: 0, as: Int.self)
      }
      slots.initialize(repeating: original, count: 2)
      let objects = UnsafeMutablePointer<Int>.allocate(capacity: 2)
      defer { objects.deallocate() }
      objects.initialize(repeating: 1, count: 2)

      let (first, _) = OwnerRecord.adopt(objects, endingIn: slots)
      slots[1] = slots[0]
      let (second, code) = OwnerRecord.adopt(objects + 1, endingIn: slots + 1)
      #expect(code == .ok)
      follow(second)
      slots[1]?(objects + 1)
      #expect(trace.take() == "deallocating | deallocated")

      follow(first)
      #expect(AdoptedOwners.willEnd(UInt(bitPattern: objects)) == .ok)
      #expect(trace.take() == "deallocating")
      slots[0]?(objects)
      #expect(objects.pointee == 0)
      #expect(trace.take() == "")
      #expect(AdoptedOwners.didEnd(UInt(bitPattern: objects)) == .ok)
      #expect(trace.take() == "deallocated")
    }
  }
}
