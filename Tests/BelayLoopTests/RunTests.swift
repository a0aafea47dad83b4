@_spi(Engine) import Belay
import BelayLoop
import CLibuv
import Testing

extension LoopTests {
  /// Making, binding, running, stopping, posting, closing.
  @Suite struct Runs {
    let trace = Trace()

    @Test func rule_1_2_aLoopIsBoundToItsThread() throws {
      let loop = try Loop(LoopOptions(label: "main"))
      #expect(Loop.current === loop)
      #expect(Home.current === loop.home)
      inThread {
        #expect(Loop.current == nil)
        #expect(loop.close() == .wrongThread)
      }
      #expect(loop.bind() == .ok)
      closeEmpty(loop)
      #expect(Loop.current == nil)
    }

    /// The first thread keeps what it had until it has another home. That is not alive.
    @Test func aLoopThatAnotherThreadHasClosedIsNotAlive() throws {
      var loop: Loop? = try Loop()
      #expect(Live.loops.count == 1)
      inThread { [loop] in
        #expect(loop?.bind() == .ok)
        #expect(loop?.close { _ in } == .ok)
      }
      #expect(Live.loops.count == 1)
      loop = nil
      #expect(Live.loops.count == 0)
    }

    @Test func aWaitThrowsTheErrorItself() throws {
      struct Boom: Error, Equatable {}
      let loop = try Loop()
      #expect(throws: Boom()) { try Signal<Int>.error(Boom()).waitFirst(on: loop) }
      let thrown = #expect(throws: Failure.self) {
        try Signal<Int>.error(Failure(.range)).waitLast(on: loop)
      }
      #expect(thrown?.code == .range)
      #expect(try Signal.from([1, 2]).waitLast(on: loop) == 2)
      closeEmpty(loop)
    }

    @Test func runModes() throws {
      var bag: DisposeBag? = DisposeBag()
      let loop = try Loop()
      #expect(try loop.run() == false)
      #expect(try !loop.isAlive)
      loop.scheduler.schedule(after: .seconds(1000)) {}.disposed(by: try #require(bag))
      #expect(try loop.isAlive)
      #expect(try loop.run(.nowait) == true)
      loop.post { [trace] in trace.add("posted") }
      #expect(try loop.run(.once) == true)
      #expect(trace.take() == "posted")
      bag = nil
      #expect(try loop.run() == false)
      closeEmpty(loop)
    }

    @Test func stopFromInsideAndFromElsewhere() throws {
      var options = LoopOptions()
      options.isPersistent = true
      let loop = try Loop(options)
      loop.post { [trace] in
        trace.add("one")
        loop.stop()
      }
      try loop.runUntilStopped()
      let routine = Routine { loop.post { inThread { loop.stop() } } }
      try loop.runUntilStopped()
      routine.join()
      #expect(trace.take() == "one")
      closeEmpty(loop)
    }

    @Test func runOnAnotherThreadIsBusy() throws {
      let loop = try Loop()
      loop.post { [trace] in
        inThread { do throws(Failure) { try loop.run() } catch { trace.add(error.name) } }
      }
      try loop.run()
      #expect(trace.take() == "EBUSY")
      closeEmpty(loop)
      do throws(Failure) { try loop.run() } catch { trace.add(error.name) }
      #expect(trace.take() == "ECLOSED")
    }

    @Test func rule_1_2_postsKeepTheirOrderAndNoneIsLost() throws {
      var options = LoopOptions()
      options.capacity = .max
      let loop = try Loop(options)
      let order = Box<[Int]>([])
      let routines = (0..<4).map { sender in
        Routine {
          for number in 0..<500 { loop.post { order.value.append(sender * 500 + number) } }
        }
      }
      for routine in routines { routine.join() }
      // In as many turns as it takes.
      for _ in 0..<2000 where order.value.count < 2000 { try loop.turn() }
      #expect(order.value.count == 2000)
      for sender in 0..<4 {
        let own = order.value.filter { $0 / 500 == sender }
        #expect(own == own.sorted())
      }
      closeEmpty(loop)
    }

    @Test func rule_1_2_theQueueHasACapacity() throws {
      var options = LoopOptions()
      options.capacity = 2
      let loop = try Loop(options)
      weak var captured: Witness?
      inThread { [trace] in
        for number in 0..<3 {
          let code = loop.post { trace.add("\(number)") }
          #expect(code == (number < 2 ? .ok : .again))
        }
      }
      do {
        let witness = Witness(trace, "refused")
        captured = witness
        #expect(loop.post { witness.say("called") } == .again)
      }
      #expect(captured == nil)
      #expect(trace.take() == "refused free")
      try loop.turn()
      #expect(trace.take() == "0 | 1")
      #expect(loop.core.queueHighWater == 2)
      closeEmpty(loop)
    }

    // MARK: Closing

    @Test func closeNamesWhatIsAlive() throws {
      let loop = try Loop()
      let subject = PublishSubject<Int>(SourceOptions(label: "clicks"))
      subject.map { $0 }.watch(trace)
      Signal.timer(after: .seconds(1000), on: loop.scheduler).watch(trace, "timer")
      let host = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
      let uv = try loop.uv
      uv_timer_init(uv, host)
      var left: [OpenResource] = []
      #expect(loop.close { left = $0 } == .ok)
      let texts = Set(left.map { $0.text })
      #expect(texts.contains("subscription clicks"))
      #expect(texts.contains("subscription timer"))
      #expect(texts.contains("timer timer"))
      #expect(texts.contains("uv_timer (the host's)"))
      #expect(left.filter { $0.isForeign }.map { $0.kind.text } == ["uv_timer"])
      let ends = trace.take()
      #expect(ends.contains("disposed | free"))
      #expect(ends.contains("timer disposed | timer free"))
      #expect(!ends.contains("completed"))
      #expect(loop.isClosed)
      // The host's handle is left as it is, and keeps libuv's loop open.
      UnsafeMutableRawPointer(host).assumingMemoryBound(to: uv_handle_t.self).withMemoryRebound(
        to: uv_handle_t.self, capacity: 1
      ) { uv_close($0) { UnsafeMutableRawPointer($0)?.deallocate() } }
      uv_run(uv, UV_RUN_DEFAULT)
      #expect(uv_loop_close(uv) == 0)
      uv.deallocate()
    }

    @Test func rule_1_2_afterTheCloseEverythingIsCanceled() throws {
      let loop = try Loop()
      let subject = PublishSubject<Int>()
      let scheduler = loop.scheduler
      loop.post { [trace] in trace.add("dropped") }
      closeEmpty(loop)
      let ask: @Sendable () -> Void = {
        #expect(subject.next(1) == .canceled)
        #expect(subject.completed() == .canceled)
        #expect(loop.post {} == .canceled)
        #expect(scheduler.schedule {}.isDisposed)
        #expect(scheduler.schedule(after: .seconds(1)) {}.isDisposed)
      }
      ask()
      inThread(ask)
      #expect(loop.close() == .closed)
      #expect(trace.take() == "")
    }

    @Test func closeInsideACallback() throws {
      let loop = try Loop()
      let subject = PublishSubject<Int>()
      subject.subscribe(
        next: { [trace] _ in
          loop.close { _ in trace.add("closed") }
          trace.add("next ends")
        }, disposed: { [trace] in trace.add("disposed") })
      loop.post { subject.next(1) }
      try loop.run()
      #expect(trace.take() == "next ends | disposed | closed")
    }

    @Test func droppingALoopClosesIt() throws {
      let subject = Box<PublishSubject<Int>?>(nil)
      do {
        let loop = try Loop()
        subject.value = PublishSubject()
        subject.value?.watch(trace).dispose()
        #expect(!loop.isClosed)
      }
      #expect(Loop.current == nil)
      #expect(subject.value?.next(1) == .canceled)
      #expect(trace.take() == "disposed | free")
    }

    @Test func aLoopOfTheHostsIsRunByTheHost() throws {
      let uv = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
      #expect(uv_loop_init(uv) == 0)
      do {
        let loop = try Loop(adopting: uv)
        loop.post { [trace] in trace.add("posted") }
        do throws(Failure) { try loop.run() } catch { trace.add(error.name) }
        // It is so far away that it is not due in the first turn.
        Signal.timer(after: .milliseconds(50), on: loop.scheduler).watch(trace)
        uv_run(uv, UV_RUN_DEFAULT)
        #expect(trace.take() == "EINVAL | posted | next 0 | completed | disposed | free")
        loop.close { [trace] in trace.add("closed \($0.count)") }
        #expect(trace.take() == "closed 0")
        uv_run(uv, UV_RUN_DEFAULT)
      }
      #expect(uv_loop_close(uv) == 0)
      uv.deallocate()
    }

    @Test func aThreadsLoopIsSharedByItsUsers() throws {
      let first = try Loop()
      let second = try Loop()
      #expect(try second.uv == first.uv && Loop.current === first)
      first.scheduler.schedule { [trace] in trace.add("first") }
      second.scheduler.schedule { [trace] in trace.add("second") }
      second.post { [trace] in trace.add("posted") }
      closeEmpty(second)
      #expect(second.isClosed && !first.isClosed)
      #expect(second.scheduler.schedule {}.isDisposed)
      #expect(second.post {} == .canceled)
      #expect(second.bind() == .closed)
      #expect(throws: Failure.self) { try second.run() }
      try first.run()
      #expect(trace.take() == "first")
      var options = LoopOptions()
      options.uvVersion = 2 << 16
      #expect(throws: Failure.self) { _ = try Loop(options) }
      closeEmpty(first)
      #expect(Loop.current == nil)
    }

    @Test func aTurnInsideOfACallback() throws {
      let loop = try Loop()
      loop.post { [trace] in
        loop.post { trace.add("inner") }
        _ = try? loop.run(.nowait)
        trace.add("outer")
      }
      try loop.run()
      #expect(trace.take() == "inner | outer")
      closeEmpty(loop)
    }

    /// A loop has a hook of its own for errors that nobody handles.
    @Test func A2_13_theHookOfALoop() throws {
      let loop = try Loop()
      loop.core.setUnhandledErrorHook(
        UnhandledErrorHook { [trace] failure, signal, _ in trace.add("\(failure.name) \(signal)") })
      Signal<Int>.error(Failure(.range)).subscribe()
      #expect(trace.take() == "ERANGE error")
      closeEmpty(loop)
    }
  }
}
