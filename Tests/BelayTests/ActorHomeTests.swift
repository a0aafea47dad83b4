import Belay
import Testing

extension CoreTests {
  /// What is subscribed to without further words, and whose source is at home at an actor.
  @Suite struct ActorHomes {
    private actor Model {
      private var property: Property<Int>?
      private var command: Command<Int, Int>?
      private var heard: [String] = []

      func begin() {
        let home = Scheduler.actor(self).home
        var options = SourceOptions()
        options.home = home
        let property = Property(0, options)
        let command = Command<Int, Int>(home: home) { .just($0) }
        hear("property", property.signal.skip(1))
        hear("mapped", property.signal.skip(1).map { $0 * 10 })
        hear("executing", command.executing.skip(1))
        hear("value", command.values)
        (self.property, self.command) = (property, command)
      }

      private func hear<Value: Sendable>(_ name: String, _ signal: Signal<Value>) {
        signal.subscribe(next: { [unowned self] value in
          self.assumeIsolated { $0.heard.append("\(name) \(value)") }
        })
      }

      func act(_ value: Int) throws -> [String] {
        heard = []
        #expect(property?.set(value) == .ok)
        if let execution = try command?.execute(value) { hear("execution", execution) }
        return heard
      }
    }

    @Test func propertiesAndCommandsDeliverThere() async throws {
      let model = Model()
      await model.begin()
      for value in 1...20 {
        // The actor may go on on another thread.
        await Task.detached {}.value
        #expect(
          try await model.act(value) == [
            "property \(value)", "mapped \(value * 10)", "executing true", "value \(value)",
            "executing false", "execution \(value)",
          ])
      }
    }

    /// A subscription of a task is at home at a property as at a subject.
    @Test func valuesOfAPropertyAreTakenThere() async throws {
      let property = await Task { @MainActor in
        var options = SourceOptions()
        options.home = Scheduler.main.home
        return Property(1, options)
      }.value
      var iterator = property.signal.values.makeAsyncIterator()
      #expect(try await iterator.next() == 1)
      #expect(property.set(2) == .queued)
      #expect(try await iterator.next() == 2)
    }
  }
}
