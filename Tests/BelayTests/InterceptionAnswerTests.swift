import Belay
import Glibc
import Testing

extension CoreTests {
  /// Hooks that change, veto and answer calls of C tables, and functions that are connected to
  /// them.
  @Suite struct InterceptionAnswers {
    let trace = Trace()
    let interface: OpsInterface
    let table: Table<Ops>

    init() throws {
      interface = try OpsInterface()
      table = Table(Ops(), interface.ops)
    }

    private var ops: Ops { table.memory.pointee }

    @Test func D_11_interceptorsStackAndUnstackInAnyOrder() throws {
      let slot = try interface.moved.slot(in: table.memory)
      let doubling = { [trace] (name: String) in
        try slot.around { call in
          trace.add(name)
          let (x, y) = call.arguments
          call.set(x * 2, y)
          call.proceed()
          trace.add("\(name) after")
        }
      }
      let (first, second) = (try doubling("first"), try doubling("second"))
      ops.moved?(trace.object, 1, 5)
      #expect(trace.take() == "second | first | moved 4.0 5.0 | first after | second after")
      first.dispose()
      ops.moved?(trace.object, 1, 5)
      #expect(trace.take() == "second | moved 2.0 5.0 | second after")
      let veto = try slot.around { _ in }
      ops.moved?(trace.object, 1, 5)
      #expect(trace.take() == "")
      second.dispose()
      veto.dispose()
      ops.moved?(trace.object, 1, 5)
      #expect(trace.take() == "moved 1.0 5.0")
    }

    @Test func anInterceptorGivesTheCallToAnotherObject() throws {
      let slot = try interface.moved.slot(in: table.memory)
      let other = Trace()
      let hook = try slot.around { call in
        #expect(call.setContext(other.object) == .ok)
        #expect(call.context == other.object)
        call.proceed()
      }
      ops.moved?(trace.object, 1, 5)
      #expect(trace.take() == "" && other.take() == "moved 1.0 5.0")
      hook.dispose()
      let plain = try interface.plain.slot(in: table.memory).around { [trace] call in
        #expect(call.setContext(trace.object) == .notFound)
        return call.proceed()
      }
      #expect(ops.plain(6, 7) == 42)
      plain.dispose()
    }

    @Test func F6_02_whatIsHookedIsCounted() throws {
      let slot = try interface.moved.slot(in: table.memory)
      let (slots, total) = (Live.slots.count, Live.total)
      #expect(Live.closures.count > 0)
      let hook = try slot.around { $0.proceed() }
      #expect(Live.slots.count == slots + 1)
      #expect(Live.total > total)
      hook.dispose()
      #expect(Live.slots.count == slots)
    }

    @Test func D_11_theResultIsTheInterceptors() throws {
      let slot = try interface.plain.slot(in: table.memory)
      let hook = try slot.around { call in
        #expect(call.context == nil && call.method == "plain" && call.result == 0)
        return call.proceed() + call.proceed()
      }
      let invoked = slot.invoked.subscribe(next: { [trace] in trace.add("-> \($0.result)") })
      #expect(ops.plain(6, 7) == 84)
      #expect(trace.take() == "-> 84")
      hook.dispose()
      invoked.dispose()
    }

    @Test func C_53_methodsThatReturnSomethingAreAnswered() throws {
      let slot = try interface.absent.slot(in: table.memory)
      slot.setDefault(9)
      let watched = slot.sent.subscribe(next: { _ in })
      #expect(ops.absent?(nil, 5) == 9)
      let twice = try slot.respond { $0.arguments * 2 }
      #expect(ops.absent?(nil, 5) == 10)
      let thrice = try slot.respond { $0.arguments * 3 }
      #expect(ops.absent?(nil, 5) == 10)
      slot.combine { $0.reduce(0, +) }
      #expect(ops.absent?(nil, 5) == 25)
      twice.dispose()
      #expect(ops.absent?(nil, 5) == 15)
      slot.combine(nil)
      thrice.dispose()
      #expect(ops.absent?(nil, 5) == 9)
      watched.dispose()
    }

    @Test func C_53_theOriginalsAnswerIsTheFirst() throws {
      let slot = try interface.plain.slot(in: table.memory)
      let responder = try slot.respond { call in
        let (a, b) = call.arguments
        return a + b
      }
      #expect(ops.plain(6, 7) == 42)
      slot.combine { $0[0] * 1000 + $0[1] }
      #expect(ops.plain(6, 7) == 42_013)
      responder.dispose()
      slot.combine(nil)
    }

    @Test func anAnsweredStringIsThereUntilTheNextAnswer() throws {
      let slot = try interface.rename.slot(in: table.memory)
      let answer = UnsafePointer(strdup("answer"))
      let hook = try slot.around { call in
        // The call goes on with a copy of Belay's, and the answer is a copy, too.
        "inner".withCString { call.set($0) }
        call.proceed()
        return answer
      }
      let answered = ops.rename(trace.object, nil)
      free(UnsafeMutablePointer(mutating: answer))
      #expect(answered.map { String(cString: $0) } == "answer")
      #expect(trace.take() == "rename inner")
      hook.dispose()
    }

    @Test func anInvocationIsKeptAndSentAgain() throws {
      typealias Call = CInvocation<UnsafePointer<CChar>?, UnsafePointer<CChar>?>
      let slot = try interface.rename.slot(in: table.memory)
      let kept = Box<Call?>(nil)
      let hook = try slot.around { call in
        call.retainArguments()
        kept.value = call
        return call.proceed()
      }
      "gone".withCString { _ = ops.rename(trace.object, $0) }
      hook.dispose()
      #expect(trace.take() == "rename gone")
      let call = try #require(kept.value)
      // The call is over.
      call.proceed()
      #expect(trace.take() == "")
      #expect(call.context == trace.object)
      let answer = call.call(try #require(slot.original))
      #expect(answer.map { String(cString: $0) } == "gone")
      #expect(trace.take() == "rename gone")
      kept.value = nil
    }

    @Test func D_10_aHandlerOfTheRightShapeIsConnected() throws {
      let moved = try interface.moved.slot(in: table.memory)
      let handler: @convention(c) (UnsafeMutableRawPointer?, Double, Double) -> Void = { it, x, y in
        it.map { Unmanaged<Trace>.fromOpaque($0).takeUnretainedValue().add("handler \(x) \(y)") }
      }
      let connection = try moved.connect(handler, context: trace.object) { $0 }
      ops.moved?(nil, 1, 2)
      #expect(trace.take() == "handler 1.0 2.0")
      connection.dispose()
      ops.moved?(nil, 1, 2)
      #expect(trace.take() == "")

      // A method without an object has no context of its own: the connection's context comes first.
      let plain = try interface.plain.slot(in: table.memory)
      let counting: @convention(c) (UnsafeMutableRawPointer?, Int32, Int32) -> Int32 = { it, a, b in
        it.map { Unmanaged<Trace>.fromOpaque($0).takeUnretainedValue().add("handler \(a) \(b)") }
        return 1
      }
      let other = try plain.connect(counting, context: trace.object) { $0 }
      #expect(ops.plain(6, 7) == 42)
      #expect(trace.take() == "handler 6 7")
      other.dispose()
    }

    @Test func D_10_aHandlerOfAnotherShapeFailsWithBothShapes() throws {
      let slot = try interface.moved.slot(in: table.memory)
      let before = table.bits(\.moved)
      let handler: @convention(c) (UnsafeMutableRawPointer?, Double, Int32) -> Void = { _, _, _ in }
      let failure = #expect(throws: Failure.self) { try slot.connect(handler) { $0 } }
      #expect(failure?.code == .wrongKind)
      #expect(failure?.message.contains("v@di") == true)
      #expect(failure?.message.contains("v@dd") == true)
      #expect(table.bits(\.moved) == before)

      let swift: (UnsafeMutableRawPointer?, Double, Double) -> Void = { _, _, _ in }
      let other = #expect(throws: Failure.self) { try slot.connect(swift) { $0 } }
      #expect(other?.code == .invalid)
    }
  }
}
