import Belay
import Testing

extension CoreTests {
  /// Delegates of C objects, from Swift.
  @Suite struct InterceptionProxies {
    /// An object that calls its delegate.
    struct Source {
      var delegate: UnsafePointer<Delegate>?
      var context: UnsafeMutableRawPointer?

      func say(_ number: Int32) -> Int32? { delegate?.pointee.said?(context, number) }
      func stop() { delegate?.pointee.stopped?(context) }
    }

    struct Delegate {
      var said: (@convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32)?
      var stopped: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?
    }

    let trace = Trace()
    let delegates: CInterface<Delegate>
    let said: CMethod<Delegate, Int32, Int32>
    let stopped: CMethod<Delegate, NoResult>
    let source = UnsafeMutablePointer<Source>.allocate(capacity: 1)
    let original = UnsafeMutablePointer<Delegate>.allocate(capacity: 1)

    init() throws {
      delegates = try CInterface(
        "delegate",
        install: { [trace] (source: UnsafeMutablePointer<Source>, table) in
          let has = (table?.pointee.said != nil, table?.pointee.stopped != nil)
          trace.add("install \(has.0 ? "said" : "-") \(has.1 ? "stopped" : "-")")
          source.pointee.delegate = table
          return .ok
        }, installed: { $0.pointee.delegate })
      said = try delegates.method("said", \.said) { $0 }
      stopped = try delegates.method("stopped", \.stopped) { $0 }
      source.initialize(to: Source(delegate: nil, context: trace.object))
      original.initialize(
        to: Delegate(
          said: { it, number in
            it.map { Unmanaged<Trace>.fromOpaque($0).takeUnretainedValue().add("said \(number)") }
            return number + 1
          }, stopped: nil))
    }

    private func end() {
      OwnerRecord.end(source) {}
      source.deallocate()
      original.deallocate()
    }

    @Test func A5_22_A5_23_aMethodIsThereWhileSomebodyListens() throws {
      let proxy = try delegates.proxy(of: OwnerRecord.adopt(source))
      #expect(trace.take() == "install - -")
      #expect(source.pointee.delegate == proxy.table)
      #expect(source.pointee.say(1) == nil)
      let watched = try stopped.slot(of: proxy).sent.watch(trace)
      #expect(trace.take() == "install - stopped")
      source.pointee.stop()
      #expect(trace.take() == "next ()")
      watched.dispose()
      #expect(trace.take() == "install - - | disposed | free")
      source.pointee.stop()
      #expect(trace.take() == "")
      end()
    }

    @Test func A5_07_A5_28_theSameProxyForwardsToTheOriginal() throws {
      source.pointee.delegate = UnsafePointer(original)
      let owner = OwnerRecord.adopt(source)
      let proxy = try delegates.proxy(of: owner)
      #expect(try delegates.proxy(of: owner).table == proxy.table)
      #expect(trace.take() == "install said -")
      let slot = try said.slot(of: proxy)
      slot.sent.watch(trace, "sent")
      slot.invoked.watch(trace, "invoked")
      #expect(source.pointee.say(5) == 6)
      #expect(
        trace.take() == "sent next 5 | said 5 | invoked next (arguments: 5, result: 6)")
      end()
      #expect(
        trace.take() == "install said - | sent completed | sent disposed | sent free"
          + " | invoked completed | invoked disposed | invoked free")
    }

    @Test func A5_04_A5_21_methodsAreAnsweredOrForwarded() throws {
      let proxy = try delegates.proxy(of: OwnerRecord.adopt(source))
      let responder = try said.slot(of: proxy).respond { $0.arguments * 100 }
      #expect(source.pointee.say(2) == 200)
      _ = trace.take()
      try proxy.forward(to: original)
      #expect(source.pointee.say(2) == 3)
      #expect(trace.take() == "said 2")
      let failure = #expect(throws: Failure.self) { try proxy.forward(to: original) }
      #expect(failure?.code == .assigned)
      try proxy.forward(to: nil)
      responder.dispose()
      #expect(source.pointee.say(2) == nil)
      _ = trace.take()
      end()
    }

    @Test func F6_08_onePlaceGetsEveryMethod() throws {
      source.pointee.delegate = UnsafePointer(original)
      let proxy = try delegates.proxy(of: OwnerRecord.adopt(source))
      let all = try proxy.around { [trace] call in
        trace.add("\(call.method) \(call.arguments) \(call.object == trace.object)")
        call.proceed()
      }
      _ = trace.take()
      #expect(source.pointee.say(2) == 3)
      source.pointee.stop()
      #expect(trace.take() == "said [Optional(2)] true | said 2 | stopped [] true")
      all.dispose()
      _ = trace.take()
      source.pointee.stop()
      #expect(trace.take() == "")
      let seen = try said.slot(of: proxy).sentToObjects.map { [trace] call in
        "\(call.object == trace.object) \(call.arguments)"
      }.watch(trace)
      #expect(source.pointee.say(5) == 6)
      #expect(trace.take() == "next true 5 | said 5")
      seen.dispose()
      _ = trace.take()
      end()
    }

    @Test func anInterfaceWithoutInstallHasNoProxies() throws {
      let plain = try CInterface<Delegate>("plain")
      let owner = OwnerRecord.adopt(source)
      let failure = #expect(throws: Failure.self) { try plain.proxy(of: owner) }
      #expect(failure?.code == .invalid)
      end()
    }
  }
}
