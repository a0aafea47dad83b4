import Belay
import BelayLoop
import Observation
import Testing

@Observable private final class Model: @unchecked Sendable {
  var count = 1
}

extension LoopTests {
  /// Swift's own observation, read at a loop.
  @Suite struct Observables {
    let trace = Trace()

    /// A full queue costs no change, which is the last one that the object tells of.
    @Test func aChangeWhileTheQueueIsFull() throws {
      var options = LoopOptions()
      options.capacity = 1
      let loop = try Loop(options)
      let model = Model()
      let subscription = Signal.observing(model, \.count, on: loop.scheduler).watch(trace)
      #expect(trace.take() == "next 1")
      inThread {
        loop.scheduler.schedule {}
        #expect(loop.scheduler.schedule {}.isDisposed)
      }
      for count in 2...3 {
        model.count = count
        try loop.turn()
        #expect(trace.take() == "next \(count)")
      }
      subscription.dispose()
      #expect(trace.take() == "disposed | free")
      closeEmpty(loop)
    }

    /// Who hears of no further change is interrupted, at home on a thread without a loop.
    @Test func theSchedulersLoopCloses() throws {
      for isBefore in [false, true] {
        let loop = try Loop()
        let model = Model()
        inThread { [trace] in
          Signal.observing(model, \.count, on: loop.scheduler).watch(trace)
        }
        #expect(trace.take() == "next 1")
        if isBefore { model.count = 2 }
        closeEmpty(loop)
        model.count = 3
        #expect(trace.take() == "disposed | free")
      }
    }
  }
}
