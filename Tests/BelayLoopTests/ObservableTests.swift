import Belay
import BelayLoop
import Observation
import Testing

@Observable private final class Model: @unchecked Sendable {
  var count = 1
  /// Where `place` was read last.
  @ObservationIgnored var wasReadAtHome: [Bool] = []
  @ObservationIgnored var home: Home?

  var place: Int {
    wasReadAtHome.append(home?.isCurrent ?? false)
    return count
  }
}

extension LoopTests {
  /// Swift's own observable objects, observed at a loop.
  @Suite struct Observables {
    let trace = Trace()

    /// Subscribes on a thread without a loop, where the callbacks come on the threads that send.
    private func watchElsewhere<Value>(_ signal: Signal<Value>) {
      inThread { [trace] in
        signal.subscribe(
          next: { trace.add("\($0)") }, error: { trace.add("error \($0.name)") },
          completed: { trace.add("completed") }, disposed: { trace.add("disposed") })
      }
    }

    @Test func theFirstValueIsReadAtTheScheduler() throws {
      let loop = try Loop()
      let model = Model()
      model.home = loop.home
      watchElsewhere(.observing(model, \.place, on: loop.scheduler))
      #expect(trace.take() == "")
      try loop.turn()
      #expect(trace.take() == "1")
      model.count = 2
      try loop.turn()
      #expect(trace.take() == "2")
      #expect(model.wasReadAtHome == [true, true])
      #expect(loop.close() == .ok)
      model.count = 3
      #expect(trace.take() == "disposed")
    }

    @Test func thereItIsReadAtOnce() throws {
      let loop = try Loop()
      let model = Model()
      let subscription = Signal.observing(model, \.count, on: loop.scheduler).subscribe(
        next: { [trace] in trace.add("\($0)") })
      #expect(trace.take() == "1")
      subscription.dispose()
      closeEmpty(loop)
    }

    @Test func aSchedulerThatHasGoneIsAnError() throws {
      let loop = try Loop()
      let model = Model()
      closeEmpty(loop)
      watchElsewhere(.observing(model, \.count, on: loop.scheduler))
      #expect(trace.take() == "error ECANCELED | disposed")
    }

    @Test func aSchedulerThatGoesInterrupts() throws {
      let loop = try Loop()
      let model = Model()
      watchElsewhere(.observing(model, \.count, on: loop.scheduler))
      // The first value waits.
      #expect(loop.close() == .ok)
      #expect(trace.take() == "disposed")
      model.count = 2
      #expect(trace.take() == "")
    }

    @Test func aFullQueueDropsNoChange() throws {
      var options = LoopOptions()
      options.capacity = 1
      let loop = try Loop(options)
      let model = Model()
      watchElsewhere(.observing(model, \.count, on: loop.scheduler))
      try loop.turn()
      inThread { [trace] in
        while loop.post({}) == .ok {}
        model.count = 2
        #expect(trace.take() == "1")
      }
      try loop.turn()
      #expect(trace.take() == "2")
      inThread { model.count = 3 }
      #expect(loop.close() == .ok)
      #expect(trace.take() == "disposed")
    }
  }
}
