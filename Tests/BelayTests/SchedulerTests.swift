@_spi(Engine) import Belay
import Testing

extension CoreTests {
  /// The current scheduler, recursion, virtual time, and the subscription's scheduler.
  @Suite struct Schedulers {
    let trace = Trace()

    @Test func A3_20_thereIsNoCurrentSchedulerOnAnyThread() {
      #expect(Scheduler.current == nil)
      ImmediateScheduler.shared.schedule {
        #expect(Scheduler.current === ImmediateScheduler.shared)
        inThread { #expect(Scheduler.current == nil) }
      }
      #expect(Scheduler.current == nil)
    }

    @Test func A3_24_thePreviousSchedulerIsRestored() {
      let time = VirtualScheduler()
      time.schedule {
        #expect(Scheduler.current === time)
        TrampolineScheduler.shared.schedule {
          #expect(Scheduler.current === TrampolineScheduler.shared)
        }
        #expect(Scheduler.current === time)
      }
      #expect(time.flush())
      #expect(Scheduler.current == nil)
    }

    // MARK: Timers

    /// Arms itself again whenever its time has come, each time for the same time or an earlier one.
    private final class Restless: Scheduler, @unchecked Sendable {
      let queue = TimerQueue()
      var fired: [ObjectIdentifier] = []
      override func fire(_ work: Work) {
        fired.append(ObjectIdentifier(work))
        queue.insert(work)
      }
    }

    @Test func timersThatAreArmedWhileTheyAreRunWaitForTheNextTime() {
      let scheduler = Restless()
      let works = (0..<3).map { _ in Work() }
      for work in works {
        work.scheduler = scheduler
        work.due = 5
        scheduler.queue.insert(work)
      }
      let order = works.map { ObjectIdentifier($0) }
      for turn in 1...3 {
        scheduler.queue.run(until: 5)
        #expect(scheduler.fired == Array(repeating: order, count: turn).flatMap { $0 })
      }
      scheduler.queue.disposeAll()
    }

    // MARK: Recursion

    @Test func A3_58_aMillionTimesWithoutGrowingTheStack() {
      let time = VirtualScheduler()
      let all: [Scheduler] = [ImmediateScheduler.shared, TrampolineScheduler.shared, time]
      for scheduler in all {
        let left = Box(1_000_000)
        let work = scheduler.scheduleRecursive { recursion in
          left.value -= 1
          if left.value > 0 { recursion.again() }
        }
        time.advance(by: .seconds(1))
        #expect(left.value == 0)
        #expect(work.isDisposed)
      }
    }

    @Test func A3_23_recursionStopsWhenItIsDisposed() {
      let both: [Scheduler] = [ImmediateScheduler.shared, TrampolineScheduler.shared]
      for scheduler in both {
        let serial = SerialDisposable()
        let witness = Box<Witness?>(Witness(trace, ""))
        let kept = Box<Recursion?>(nil)
        serial.set(
          scheduler.scheduleRecursive { [witness = witness.value] recursion in
            witness?.say("run")
            kept.value = recursion
          })
        witness.value = nil
        #expect(kept.value?.again() == .ok)
        #expect(trace.take() == "run | run")
        serial.dispose()
        #expect(trace.take() == "free")
        #expect(kept.value?.again() == .canceled)
        kept.value = nil
      }
    }

    @Test func recursionIsOverWhenNobodyCanAskForMore() {
      let kept = Box<Recursion?>(nil)
      let work = ImmediateScheduler.shared.scheduleRecursive { [trace] recursion in
        trace.add("run")
        if kept.value == nil { kept.value = recursion }
      }
      #expect(!work.isDisposed)
      kept.value?.again()
      kept.value = nil
      #expect(work.isDisposed)
      #expect(trace.take() == "run | run")
    }

    // MARK: Virtual time

    @Test func A3_59_stepRunsSoMuchWork() {
      let time = VirtualScheduler()
      time.schedule(after: .seconds(2)) { [trace] in trace.add("two") }
      time.schedule { [trace] in trace.add("now") }
      time.schedule(after: .seconds(5)) { [trace] in trace.add("five") }
      #expect(time.step() == 1)
      #expect(trace.take() == "now")
      #expect(time.step(9) == 2)
      #expect(trace.take() == "two | five")
      #expect(time.now == 5_000_000_000)
      #expect(time.step() == 0)
    }

    @Test func A3_59_itsEndDisposesOfWhatWaits() {
      let time = Box<VirtualScheduler?>(VirtualScheduler())
      let witness = Box<Witness?>(Witness(trace, "work"))
      let work = time.value?.schedule(after: .seconds(1)) { [witness = witness.value] in
        witness?.say("run")
      }
      witness.value = nil
      #expect(trace.take() == "")
      time.value = nil
      #expect(trace.take() == "work free")
      #expect(work?.isDisposed == true)
    }

    @Test func A3_57_repeatingWorkHasItsCurrentScheduler() {
      let time = VirtualScheduler()
      let calls = Counter()
      let work = time.schedule(after: .seconds(1), every: .seconds(1)) {
        #expect(Scheduler.current === time)
        calls.add()
      }
      time.advance(by: .seconds(3))
      work.dispose()
      #expect(calls.count == 3)
    }

    // MARK: The subscription's

    @Test func A3_21_atOnceWhereThereIsACurrentSchedulerElseOnTheBackground() {
      let background = VirtualScheduler()
      let subscriptions = SubscriptionScheduler(background: background)
      subscriptions.schedule { [trace] in trace.add("background") }
      ImmediateScheduler.shared.schedule { [trace] in
        subscriptions.schedule {
          #expect(Scheduler.current === ImmediateScheduler.shared)
          trace.add("at once")
        }
        trace.add("after")
      }
      #expect(trace.take() == "at once | after")
      background.flush()
      #expect(trace.take() == "background")
    }

    @Test func A3_21_subscribeOnTheSubscriptionsScheduler() {
      let background = VirtualScheduler()
      let signal = Signal<Int>.just(1).subscribe(on: SubscriptionScheduler(background: background))
      signal.watch(trace)
      #expect(trace.take() == "")
      background.flush()
      #expect(trace.take() == "next 1 | completed | disposed | free")
      ImmediateScheduler.shared.schedule { [trace] in signal.watch(trace) }
      #expect(trace.take() == "next 1 | completed | disposed | free")
    }
  }
}
