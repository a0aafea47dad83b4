import Belay
import Foundation
import Testing

extension SourceOptions {
  /// Those of a `SharedSubject`, for tests of what it stands on: any operator can be applied to a
  /// plain subject.
  static var shared: SourceOptions {
    var options = SourceOptions()
    options.isShared = true
    return options
  }
}

extension CoreTests {
  /// Subjects that threads send into. What the compiler refuses is in Tests/Docs/refused.
  @Suite struct SharedSubjects {
    let trace = Trace()

    private func watch(_ signal: SharedSignal<Int>, _ name: String) -> Disposable {
      signal.subscribe(
        next: { [trace] in trace.add("\(name) \($0)") },
        error: { [trace] in trace.add("\(name) error \($0.name)") },
        completed: { [trace] in trace.add("\(name) completed") },
        disposed: { [trace] in trace.add("\(name) disposed") })
    }

    @Test func everyMemory() {
      let memories: [SharedSubject<Int>.Memory] = [
        .nothing, .current(0), .replay(count: 1), .replay(count: nil), .last,
      ]
      var seen: [String] = []
      for memory in memories {
        let subject = SharedSubject(memory)
        #expect(subject.next(contentsOf: [1, 2]) == .ok)
        let subscription = watch(subject, "a")
        #expect(subject.subscriberCount == 1)
        #expect(subject.next(3) == .ok)
        subject.completed()
        #expect(subscription.isDisposed)
        seen.append(trace.take())
      }
      let end = "a completed | a disposed"
      #expect(
        seen == [
          "a 3 | \(end)", "a 2 | a 3 | \(end)", "a 2 | a 3 | \(end)", "a 1 | a 2 | a 3 | \(end)",
          "a 3 | \(end)",
        ])
      #expect(SharedSubject(.current(7)).value == 7)
      #expect(SharedSubject<Int>().value == nil)
    }

    @Test func aSendFromAnotherThreadIsDeliveredThere() {
      let subject = SharedSubject<Int>()
      let here = pthread_self()
      subject.chain { $0.filter { $0 > 1 }.map { $0 * 10 } }.subscribe(
        next: { [trace] in trace.add("\($0) \(pthread_equal(here, pthread_self()) != 0)") })
      inThread {
        for value in 1...2 { #expect(subject.next(value) == .ok) }
      }
      #expect(subject.next(3) == .ok)
      #expect(trace.take() == "20 false | 30 true")
    }

    @Test func sendEndsTheSubjectRatherThanDrop() {
      var options = SourceOptions()
      options.capacity = 1
      let subject = SharedSubject<Int>(.nothing, options)
      subject.subscribe(
        next: { value in
          guard value == 1 else { return }
          #expect(subject.next(2) == .queued)
          #expect(subject.next(3) == .again)
          subject.send(4)
        })
      _ = watch(subject, "a")
      subject.send(1)
      #expect(trace.take() == "a 1 | a 2 | a error EAGAIN | a disposed")
      #expect(subject.next(5) == .ended)
      #expect(subject.error(Failure(.range)) == .ended)
      subject.send(6)
    }

    @Test func itsEventsComeToAHome() {
      let subject = SharedSubject<Int>()
      let scheduler = VirtualScheduler()
      var sum = 0
      let subscription = subject.observe(on: scheduler).subscribe(next: { sum += $0 })
      #expect(subject.next(1) == .ok)
      scheduler.advance(by: .seconds(1))
      #expect(sum == 1)
      subscription.dispose()
    }

    @Test func theOneShots() async throws {
      let subject = SharedSubject(.current(1))
      #expect(try await subject.firstValue() == 1)
      subject.completed()
      #expect(try await subject.lastValue() == nil)
      try await subject.completion()
      let replay = SharedSubject<Int>(.replay(count: nil))
      #expect(replay.next(2) == .ok)
      replay.completed()
      #expect(try await replay.singleValue() == 2)
      var values: [Int] = []
      for try await value in replay.values { values.append(value) }
      for try await value in replay.values(QueueOptions(.latest)) { values.append(value) }
      #expect(values == [2, 2])
    }

    @Test func theLastReferenceInterrupts() {
      var subject: SharedSubject<Int>? = SharedSubject()
      let chained = subject?.chain { $0.map { $0 + 1 } }
      if let chained { _ = watch(chained, "a") }
      #expect(subject?.next(1) == .ok)
      subject = nil
      #expect(trace.take() == "a 2")
    }
  }
}
