import Belay
import Foundation
import Synchronization

/// What one of the senders sends, with its place in the order of that sender.
struct Sent: Sendable {
  let sender, number: Int
}

/// Two threads and two tasks that send into a subject until they are stopped, and a subscription that
/// hears whether each value comes, in the order of its sender.
final class Senders: Sendable {
  private struct Heard {
    var count = 0
    var last: [Int]
    var isInOrder = true
  }

  static let count = 4

  private let isOver = Atomic(false)
  private let accepted = Atomic(0)
  private let heard = Mutex(Heard(last: Array(repeating: 0, count: count)))
  private let lent = Mutex<[Subscriber<Sent>]>([])
  private let running = DispatchGroup()

  /// Begins to send into `subject`, and into each subscriber that is lent.
  func start(_ subject: SharedSubject<Sent>) -> Disposable {
    let listening = subject.subscribe(next: { [self] in hear($0) })
    for sender in 0..<Self.count {
      running.enter()
      if sender % 2 == 0 {
        Thread.detachNewThread { [self] in
          var number = 0
          while !isOver.load(ordering: .acquiring) {
            for _ in 0..<4 { send(&number, of: sender, into: subject) }
            usleep(pause)
          }
          running.leave()
        }
      } else {
        Task.detached { [self] in
          var number = 0
          while !isOver.load(ordering: .acquiring) {
            for _ in 0..<4 { send(&number, of: sender, into: subject) }
            try? await Task.sleep(nanoseconds: UInt64(pause) * 1000)
          }
          running.leave()
        }
      }
    }
    return listening
  }

  /// How many microseconds a sender waits after a few values. On a busy machine actors could else not end
  /// subscriptions as fast as values come for those that wait for their end.
  private var pause: UInt32 { Live.subscriptions.count > 100 ? 5000 : 50 }

  /// They send into it until it refuses.
  func lend(_ subscriber: Subscriber<Sent>) { lent.withLock { $0.append(subscriber) } }

  /// Stops them. Each value that was accepted has been delivered when this returns.
  func stop() async {
    isOver.store(true, ordering: .releasing)
    await withCheckedContinuation { all in running.notify(queue: .global()) { all.resume() } }
  }

  /// What is wrong with what was heard; nil: nothing.
  var complaint: String? {
    let accepted = accepted.load(ordering: .acquiring)
    return heard.withLock { heard in
      if !heard.isInOrder { return "a sender's values came out of order" }
      if accepted == 0 { return "nothing was sent" }
      return heard.count == accepted ? nil : "\(heard.count) of \(accepted) values came"
    }
  }

  var total: Int { accepted.load(ordering: .acquiring) }

  private func send(_ number: inout Int, of sender: Int, into subject: SharedSubject<Sent>) {
    let value = Sent(sender: sender, number: number + 1)
    for subscriber in lent.withLock({ $0 }) where subscriber.next(value) == .ended {
      lent.withLock { $0.removeAll { $0 === subscriber } }
    }
    // Too many wait, for the thread that delivers is behind: the same number goes out again.
    if subject.next(value).isFailure { return }
    number += 1
    accepted.add(1, ordering: .acquiringAndReleasing)
  }

  private func hear(_ value: Sent) {
    heard.withLock { heard in
      heard.count += 1
      if heard.last[value.sender] + 1 != value.number { heard.isInOrder = false }
      heard.last[value.sender] = value.number
    }
  }
}
