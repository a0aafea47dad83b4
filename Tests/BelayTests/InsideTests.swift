import Belay
import Glibc
import Synchronization
import Testing

extension CoreTests {
  /// What begins inside of what Belay calls: tasks, which inherit its task-locals, and ends.
  @Suite struct Inside {
    final class Model: Object, @unchecked Sendable {
      @Observed var first = 0
      @Observed var second = 0
      let begun = Atomic<Int>(0)
      let ended = Atomic<Int>(0)

      var firstAndATask: Int {
        begun.add(1, ordering: .relaxed)
        Task {
          for _ in 0..<20 { _ = self.second }
          self.ended.add(1, ordering: .relaxed)
        }
        return first
      }
    }

    @Test func aGetterThatStartsATask() {
      let model = Model()
      var seen: [Int] = []
      let subscription = model.observe(\.firstAndATask).subscribe(next: { seen.append($0) })
      for value in 1...500 {
        model.first = value
        model.second = value
      }
      while model.ended.load(ordering: .relaxed) < model.begun.load(ordering: .relaxed) {
        sched_yield()
      }
      model.second = -1
      #expect(seen == Array(0...500))
      subscription.dispose()
    }

    final class Parent: Object, @unchecked Sendable {
      @ObservedWeak var friend: Model?
      @Observed var child: Model?
      var best: Int? { (friend ?? child)?.first }
    }

    @Test func anOldValueWhoseDeathIsWatched() {
      let parent = Parent()
      parent.child = Model()
      parent.friend = parent.child
      var seen: [Int?] = []
      let subscription = parent.observe(\.best).subscribe(next: { seen.append($0) })
      parent.child?.first = 3
      parent.child = nil
      #expect(seen.first == 0 && seen.contains(3) && seen.last == .some(nil))
      #expect(parent.friend == nil)
      subscription.dispose()
    }

    @Test func anOldValueWhoseDeathReadsTheProperty() {
      let parent = Parent()
      let child = Model()
      var read: [Bool] = []
      child.owner.record.deallocating.subscribe(next: { _ in read.append(parent.child == nil) })
      parent.child = consume child
      parent.child = nil
      #expect(read == [true])
    }

    actor Counter {
      var count = 0

      func next(fromATask: Bool) async throws {
        let signal: Signal<Int> =
          fromATask
          ? .from {
            await Task.yield()
            return 2
          } : .from([1, 1])
        _ = try await signal.map { value in
          self.count += value
          return value
        }.lastValue()
      }
    }

    /// Operators that are made on an actor run there, wherever the values come from.
    @Test func operatorsOfAOneShotOnItsActor() async throws {
      let counter = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<1000 {
              try await counter.next(fromATask: true)
              try await counter.next(fromATask: false)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(await counter.count == 16000)
    }
  }
}
