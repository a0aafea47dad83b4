import Belay
import Testing

extension CoreTests {
  /// Bindings to properties and to Swift's own variables, work that starts at once, and breakpoints
  /// that nothing stops at.
  @Suite struct Bindings {
    let trace = Trace()

    @Test func a_propertyTakesValuesAndNoEnd() {
      let property = Property(0)
      let subject = PublishSubject<Int>()
      property.signal.watch(trace)
      let binding = subject.bind(to: property)
      subject.next(1)
      subject.completed()
      #expect(binding.isDisposed)
      #expect(property.value == 1)
      property.set(2)
      #expect(trace.take() == "next 0 | next 1 | next 2")
    }

    @Test func a_bindingEndsWithThePropertyAndKeepsItNot() {
      let subject = PublishSubject<Int>()
      var property: Property<Int>? = Property(0)
      let binding = subject.bind(to: property.unsafelyUnwrapped)
      #expect(subject.subscriberCount == 1)
      property = nil
      #expect(binding.isDisposed)
      #expect(subject.subscriberCount == 0)
    }

    @Test func a_bindingEndsWithAnOwner() {
      let subject = PublishSubject<Int>()
      let property = Property(0)
      var owner: Owner? = Owner()
      subject.bind(to: property, owner: owner?.record)
      subject.next(1)
      owner = nil
      subject.next(2)
      #expect(property.value == 1)
      #expect(subject.subscriberCount == 0)
    }

    @Test func nothingIsBoundToItself() {
      let property = Property(0)
      property.signal.bind(to: property)
      property.set(1)
      let subject = PublishSubject<Int>()
      subject.bind(to: subject)
      #expect(subject.subscriberCount == 0)
      #expect(property.value == 1)
    }

    final class Window {
      var width = 0
      private let trace: Trace
      init(_ trace: Trace) { self.trace = trace }
      deinit { trace.add("gone") }
    }

    @Test func assign_setsWhatAKeyPathNames() {
      let subject = PublishSubject<Int>()
      var window: Window? = Window(trace)
      let binding = subject.assign(to: \.width, on: window.unsafelyUnwrapped)
      subject.next(640)
      #expect(window?.width == 640)
      window = nil
      #expect(trace.take() == "gone")
      #expect(!binding.isDisposed)
      subject.next(800)
      #expect(binding.isDisposed)
      #expect(subject.subscriberCount == 0)
    }

    @Test func startEagerly_runsOnceForAll() {
      let time = VirtualScheduler()
      let signal = Signal.startEagerly(on: time) { [trace] in
        trace.add("work")
        return 7
      }
      signal.watch(trace, "early")
      #expect(trace.take() == "")
      time.advance(by: .zero)
      signal.watch(trace, "late")
      let rest = "completed | %disposed | %free"
      func all(_ name: String) -> String {
        "\(name) next 7 | \(name) " + rest.replacing("%", with: name + " ")
      }
      #expect(trace.take() == "work | \(all("early")) | \(all("late"))")
    }

    @Test func startEagerly_fails() {
      let signal = Signal<Int>.startEagerly(on: ImmediateScheduler.shared) {
        () throws(Failure) -> Int in
        throw Failure(.busy)
      }
      signal.watch(trace)
      #expect(trace.take() == "error EBUSY | disposed | free")
    }

    @Test func breakpoint_asksBeforeItPassesOn() {
      Signal.from([1, 2]).breakpoint(
        next: { [trace] value in
          trace.add("asked \(value)")
          return false
        },
        completed: { [trace] in
          trace.add("asked at the end")
          return false
        }
      ).watch(trace)
      #expect(
        trace.take()
          == "asked 1 | next 1 | asked 2 | next 2 | asked at the end | completed | disposed | free"
      )
    }
  }
}
