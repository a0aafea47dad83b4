import Belay
import Foundation
import Testing

extension CoreTests {
  /// The hook in the metadata of classes: for which classes it works, and what it leaves as it was.
  @Suite struct NativeClasses {
    let trace = Trace()

    @Test func theTrialPasses() { #expect(NativeHook.isOffered) }

    /// Makes an object, follows it and drops it; and does the same with one that nobody observes.
    private func expect<Object: AnyObject>(
      _ deinits: String, at line: SourceLocation = #_sourceLocation, _ make: () -> Object
    ) {
      let before = ObjectIdentifier(type(of: make()))
      _ = trace.take()
      var object: Object? = make()
      object.map { Lifetime.of($0).follow(trace) }
      object.map { #expect(ObjectIdentifier(type(of: $0)) == before, sourceLocation: line) }
      #expect(trace.take() == "", sourceLocation: line)
      object = nil
      let body = deinits.isEmpty ? "" : deinits + " | "
      #expect(
        trace.take() == "deallocating next | \(body)\(Lifetime.end)", sourceLocation: line)
      object = make()
      object = nil
      #expect(trace.take() == deinits, sourceLocation: line)
    }

    @Test func A1_11_aBaseAndADerivedClassAreToldOfOnce() {
      expect("deinit") { Natives.Base(trace) }
      expect("derived | deinit") { Natives.Derived(trace) }
      expect("deinit") { Natives.Base(trace) }
      expect("derived | deinit") { Natives.Derived(trace) as Natives.Base }
    }

    @Test func A1_12_aClassWithoutADeinit() {
      expect("member free") { Natives.Plain(trace) }
    }

    @Test func genericClasses() {
      expect("deinit of Int") { Natives.Generic(trace, 1, 2) }
      expect("deinit of Array<String>") { Natives.Generic(trace, ["a"]) }
      expect("deinit of String") { Natives.Texts(trace, "a") }
      expect("deinit of String") { Natives.Generic(trace, "a") }
    }

    @Test func actors() async {
      expect("deinit") { Natives.Counter(trace) }
      let counter = Natives.Counter(trace)
      Lifetime.of(counter).follow(trace)
      await counter.add()
      #expect(await counter.count == 1)
    }

    @Test func managedBuffersAndArrays() {
      final class Storage: ManagedBuffer<Witness, Int> {}
      expect("header free") {
        Storage.create(minimumCapacity: 10) { _ in Witness(trace, "header") }
      }
      // Its class stands on a read-only page of the standard library.
      expect("") { unsafeBitCast(ContiguousArray([1, trace.take().count]), to: AnyObject.self) }
    }

    @Test func foundationsClasses() {
      expect("") { NSMutableArray(array: [1, 2]) }
      expect("") { JSONDecoder() }
      expect("") { Thread() }
      struct Number { let value: Int }
      expect("") { Number(value: 3) as AnyObject }
    }

    @Test func identityAndReferencesStayAsTheyWere() {
      var object: Natives.Derived? = Natives.Derived(trace)
      weak let before = object
      object.map { _ = Lifetime.of($0) }
      weak let after: Natives.Base? = object
      unowned let unownedly = object.unsafelyUnwrapped
      #expect(type(of: unownedly) == Natives.Derived.self)
      #expect((unownedly as AnyObject) is Natives.Base)
      #expect("\(type(of: unownedly as AnyObject))" == "Derived")
      #expect(before === object && after === object)
      object = nil
      #expect(before == nil && after == nil)
      #expect(trace.take() == "derived | deinit")
    }

    @Test func anInitializerThatFails() {
      let observe: (Natives.Failing) -> Void = { [trace] in Lifetime.of($0).follow(trace) }
      let whole = "deallocating next | member free | \(Lifetime.end)"
      _ = try? Natives.Failing(trace, observe: observe)
      #expect(trace.take() == whole)
      _ = try? Natives.FailingBelow(trace, observe: observe)
      #expect(trace.take() == whole)
    }

    @Test func localsThatAnOptimizerCouldKeepOnTheStack() {
      @inline(never) func use(_ number: Int) -> Int {
        let local = Natives.Plain(trace)
        Lifetime.of(local).add(trace.action("bound"))
        return number + (local.member === local.member ? 1 : 0)
      }
      #expect(use(1) == 2)
      #expect(trace.take() == "bound | member free")
    }

    // Waits until an address is used again. A sanitizer does not let that happen.
    @Test(.disabled(if: keepsFreedMemory))
    func A4_31_anObjectAtTheAddressOfADeadOneInheritsNothing() {
      var seen: [UInt: OwnerRecord] = [:]
      var reuses = 0
      for round in 0..<1000 {
        let object = Natives.Plain(trace)
        let record = Lifetime.of(object).record
        if let old = seen[address(of: object)] {
          reuses += 1
          #expect(record !== old && old.isDying)
        }
        #expect(record?.isDying == false)
        #expect(record?.memberCount == 0)
        seen[address(of: object)] = record
        Lifetime.of(object).add(trace.action("\(round)"))
      }
      #expect(reuses > 0)
      let story = (0..<1000).map { "\($0) | member free" }.joined(separator: " | ")
      #expect(trace.take() == story)
    }

    // MARK: Inside the death

    @Test func askedInsideItsDeinitItIsTheSameLife() {
      final class Asking {
        let answer: (Lifetime) -> Void
        init(_ answer: @escaping (Lifetime) -> Void) { self.answer = answer }
        deinit { answer(Lifetime.of(self)) }
      }
      let asked = Box<OwnerRecord?>(nil)
      var object: Asking? = Asking { [trace] in
        asked.value = $0.record
        $0.add(trace.action("late"))
        $0.follow(trace)
      }
      let record = object.map { Lifetime.of($0) }?.record
      object = nil
      #expect(asked.value === record)
      #expect(trace.take() == "late | deallocating next | \(Lifetime.end)")
      // Nobody has observed this object, so its life is over.
      object = Asking { [trace] in
        #expect($0.isOver)
        $0.add(trace.action("late"))
        $0.follow(trace)
      }
      object = nil
      #expect(
        trace.take() == "late | deallocating next | deallocating completed | deallocated next | "
          + "deallocated completed")
    }

    @Test func anIsolatedDeinitIsWaitedFor() async {
      let over = Gate()
      let owners = Live.owners.count
      var object: Natives.Isolated? = Natives.Isolated(trace)
      let lifetime = object.map { Lifetime.of($0) }
      lifetime?.follow(trace)
      lifetime?.deallocated.subscribe(completed: { over.open() })
      object = nil
      await wait(for: over)
      #expect(trace.take() == "deallocating next | deinit | \(Lifetime.end)")
      await until { Live.owners.count == owners }
    }
  }
}

/// Waits without blocking the thread.
private func wait(for gate: Gate) async {
  await withCheckedContinuation { continuation in
    Routine {
      gate.wait()
      continuation.resume()
    }
    .detach()
  }
}
