/// Work in the order of due times: a heap with four children to a node. Work with equal times is in
/// the order of scheduling. The queue belongs to one thread.
package final class TimerQueue {
  private var heap: [Work] = []
  private var lastSequence: UInt64 = 0

  package init() {}

  package var isEmpty: Bool { heap.isEmpty }
  package var all: [Work] { heap }

  /// Whether the queue will hold work after the first has run.
  package var outlastsFirst: Bool { heap.count > 1 || heap.first?.interval ?? 0 > 0 }

  /// The latest time by which the owner of the queue must run it again.
  package var wake: Instant? { heap.first?.latest }

  package func insert(_ work: Work) {
    lastSequence += 1
    work.sequence = lastSequence
    work.heapIndex = heap.count
    heap.append(work)
    siftUp(heap.count - 1)
  }

  package func remove(_ work: Work) {
    let index = work.heapIndex
    guard index >= 0, index < heap.count, heap[index] === work else { return }
    work.heapIndex = -1
    let last = heap.removeLast()
    guard last !== work else { return }
    put(last, index)
    siftUp(index)
    siftDown(last.heapIndex)
  }

  /// Takes out the first work, if it is due at `now`.
  package func popFirst(dueBy now: Instant) -> Work? {
    guard let work = heap.first, let due = work.due, due <= now else { return nil }
    remove(work)
    return work
  }

  /// Runs the work that is due at `now`. Work that is scheduled meanwhile waits for the next call.
  package func run(until now: Instant) {
    let newest = lastSequence
    while let work = heap.first, let due = work.due, due <= now, work.sequence <= newest {
      remove(work)
      if work.interval > 0 {
        let missed = (now - due) / work.interval
        work.due = due.addingSaturated(work.interval * (missed + 1))
        insert(work)
      }
      work.scheduler?.fire(work)
    }
  }

  /// Disposes of all work in the queue.
  package func disposeAll() {
    while let work = heap.first {
      remove(work)
      work.dispose()
    }
  }

  private func isBefore(_ one: Work, _ other: Work) -> Bool {
    let (a, b) = (one.latest, other.latest)
    return a != b ? a < b : one.sequence < other.sequence
  }

  private func put(_ work: Work, _ index: Int) {
    heap[index] = work
    work.heapIndex = index
  }

  private func siftUp(_ start: Int) {
    var index = start
    let work = heap[index]
    while index > 0 {
      let parent = (index - 1) / 4
      guard isBefore(work, heap[parent]) else { break }
      put(heap[parent], index)
      index = parent
    }
    put(work, index)
  }

  private func siftDown(_ start: Int) {
    var index = start
    let work = heap[index]
    while true {
      let firstChild = index * 4 + 1
      if firstChild >= heap.count { break }
      var least = firstChild
      for child in firstChild..<min(firstChild + 4, heap.count)
      where isBefore(heap[child], heap[least]) {
        least = child
      }
      guard isBefore(heap[least], work) else { break }
      put(heap[least], index)
      index = least
    }
    put(work, index)
  }
}
