@_spi(Engine) import Belay
import Testing

extension CoreTests {
  /// Objects whose methods are found when they are called.
  @Suite struct Responders {
    /// Traces its questions, and answers what it was made with.
    private final class Scripted: Responder, @unchecked Sendable {
      let trace: Trace
      let resolved: (@convention(c) () -> Void)?
      let next: OwnerRecord?
      let answer: Code

      init(
        _ trace: Trace, resolved: (@convention(c) () -> Void)? = nil, next: OwnerRecord? = nil,
        answer: Code = .notFound
      ) {
        self.trace = trace
        self.resolved = resolved
        self.next = next
        self.answer = answer
        super.init(nil, nil)
      }

      override func resolve(
        _ object: UnsafeMutableRawPointer, _ method: StaticSite
      ) -> (@convention(c) () -> Void)? {
        trace.add("resolve \(method.text)")
        return resolved
      }
      override func target(
        _ object: UnsafeMutableRawPointer, _ method: StaticSite
      ) -> OwnerRecord? {
        trace.add("target")
        return next
      }
      override func forward(_ object: UnsafeMutableRawPointer, _ invocation: Invocation) -> Code {
        trace.add("forward")
        return answer
      }
    }

    private static let double: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = {
      $1 * 2
    }
    private static var doubling: @convention(c) () -> Void {
      unsafeBitCast(double, to: (@convention(c) () -> Void).self)
    }

    private func interface() throws(Failure) -> Interface {
      let made = try Interface(StaticSite("ops"), tableSize: 8, tableOffset: nil, base: nil)
      try made.add(Method(StaticSite("double"), at: 0, Shape(StaticSite("i@i"))))
      return made
    }

    private func invocation(_ number: Int32) throws -> Invocation {
      let made = Invocation(try interface().methods[0])
      #expect(made.setArgument(0, ForeignValue(scalar: UInt64(number), .int32)) == .ok)
      return made
    }

    /// An owner that ends when the test does.
    private func withOwner(_ body: (OwnerRecord) throws -> Void) rethrows {
      let object = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
      defer {
        _ = AdoptedOwners.willEnd(UInt(bitPattern: object))
        _ = AdoptedOwners.didEnd(UInt(bitPattern: object))
        object.deallocate()
      }
      try body(AdoptedOwners.adopt(object, AdoptionOptions()))
    }

    @Test func A5_10_resolvedOnceThenTargetedForwardedRefused() throws {
      let trace = Trace()
      try withOwner { one in
        try withOwner { other in
          let call = try invocation(21)
          #expect(one.set(Scripted(trace, resolved: Self.doubling)) == .ok)
          try call.send(to: one)
          #expect(call.resultValue.payload == 42)
          #expect(call.context == one.address)
          try call.send(to: one)
          #expect(trace.take() == "resolve double")

          #expect(other.set(Scripted(trace, resolved: Self.doubling)) == .ok)
          #expect(one.set(Scripted(trace, next: other)) == .ok)
          #expect(one.responds(to: StaticSite("double")))
          _ = trace.take()
          try call.send(to: one)
          #expect(trace.take() == "resolve double | target | resolve double")
          #expect(call.context == other.address)

          #expect(one.set(Scripted(trace, answer: .ok)) == .ok)
          try call.send(to: one)
          #expect(trace.take() == "resolve double | target | forward")

          #expect(one.set(Scripted(trace)) == .ok)
          #expect(!one.responds(to: StaticSite("double")))
          let failure = #expect(throws: Failure.self) { try call.send(to: one) }
          #expect(failure?.code == .notFound)
          #expect(failure?.message.contains("double") ?? false)
        }
      }
    }

    @Test func A5_10_targetsInACircle() throws {
      let trace = Trace()
      try withOwner { one in
        #expect(one.set(Scripted(trace, next: one)) == .ok)
        let call = try invocation(1)
        #expect(throws: Failure.self) { try call.send(to: one) }
        #expect(!one.responds(to: StaticSite("double")))
        // Without this it would hold itself for ever.
        #expect(one.set(Scripted(trace)) == .ok)
      }
    }
  }
}
