import Belay
import Foundation
import Testing

extension CoreTests {
  /// C functions that call closures: F6-07.
  @Suite struct InterceptionFunctions {
    typealias Comparison =
      @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Int32

    @Test func F6_07_qsortGetsAContext() throws {
      final class Counter { var calls = 0 }
      let counter = Counter()
      var numbers: [Int32] = [5, 3, 9, 1]
      let function = try CFunction<Int32, UnsafeRawPointer?, UnsafeRawPointer?> { one, other in
        counter.calls += 1
        guard let one, let other else { return 0 }
        return one.load(as: Int32.self) - other.load(as: Int32.self)
      }
      qsort(&numbers, 4, 4, try function.pointer(as: Comparison.self))
      #expect(numbers == [1, 3, 5, 9])
      #expect(counter.calls >= 3)
    }

    @Test func F6_07_theClosureGoesWithItsFunctionOrItsOwner() throws {
      let trace = Trace()
      final class Held {
        let trace: Trace
        init(_ trace: Trace) { self.trace = trace }
        deinit { trace.add("free") }
      }
      var held: Held? = Held(trace)
      var function: CFunction<NoResult, Double>? = try CFunction { [held] number in
        held?.trace.add("called \(number)")
      }
      held = nil
      let call = try function?.pointer(as: (@convention(c) (Double) -> Void).self)
      call?(1.5)
      #expect(trace.take() == "called 1.5")
      function = nil
      #expect(trace.take() == "free")

      var owner: Owner? = Owner(deinit: { trace.add("deinit") })
      held = Held(trace)
      let bound = try CFunction<NoResult> { [held] in held?.trace.add("called") }
      held = nil
      owner?.add(bound.disposable)
      owner = nil
      #expect(trace.take() == "free | deinit")
    }

    @Test func F6_07_anotherTypeIsRefused() throws {
      let function = try CFunction<NoResult> {}
      let failure = #expect(throws: Failure.self) { try function.pointer(as: Int.self) }
      #expect(failure?.code != nil)
    }
  }
}
