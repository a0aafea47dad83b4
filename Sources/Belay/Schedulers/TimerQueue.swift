/// Work in the order of due times: a heap with four children to a node. Work with equal times is in
/// the order of scheduling. The queue belongs to one thread.
package final class TimerQueue {
  /// Work in the heap, which has a reference to it. The keys are copies of the work's, so that a
  /// comparison reads no work.
  private struct Node {
    let latest: Instant
    let sequence: UInt64
    let work: Unmanaged<Work>

    @inline(__always)
    func isBefore(_ other: Node) -> Bool {
      latest != other.latest ? latest < other.latest : sequence < other.sequence
    }
  }

  private var heap: UnsafeMutablePointer<Node>
  private var room = 8
  private var count = 0
  private var lastSequence: UInt64 = 0

  package init() { heap = .allocate(capacity: room) }

  deinit {
    for index in 0..<count { heap[index].work.release() }
    heap.deallocate()
  }

  package var isEmpty: Bool { count == 0 }
  package var all: [Work] {
    var all: [Work] = []
    for index in 0..<count { all.append(heap[index].work.takeUnretainedValue()) }
    return all
  }

  private var first: Work? { count == 0 ? nil : heap[0].work.takeUnretainedValue() }

  /// Whether the queue will hold work after the first has run.
  package var outlastsFirst: Bool { count > 1 || first?.interval ?? 0 > 0 }

  /// The latest time by which the owner of the queue must run it again.
  package var wake: Instant? { count == 0 ? nil : heap[0].latest }

  package func insert(_ work: Work) {
    lastSequence += 1
    let node = Node(latest: work.latest, sequence: lastSequence, work: .passRetained(work))
    if count == room { grow() }
    count += 1
    siftUp(node, from: count - 1)
  }

  package func remove(_ work: Work) {
    let index = work.heapIndex
    guard index >= 0, index < count, heap[index].work.toOpaque() == address(work) else { return }
    work.heapIndex = -1
    count -= 1
    if index < count {
      let last = heap[count]
      if index > 0, last.isBefore(heap[(index - 1) / 4]) {
        siftUp(last, from: index)
      } else {
        siftDown(last, from: index)
      }
    }
    Unmanaged.passUnretained(work).release()
  }

  /// Takes out the first work, if it is due at `now`.
  package func popFirst(dueBy now: Instant) -> Work? {
    guard let work = first, let due = work.due, due <= now else { return nil }
    remove(work)
    return work
  }

  /// Runs the work that is due at `now`. Work that is scheduled meanwhile waits for the next call.
  package func run(until now: Instant) {
    let newest = lastSequence
    while count > 0, heap[0].sequence <= newest, let work = popFirst(dueBy: now) {
      if work.interval > 0, let due = work.due {
        let missed = (now - due) / work.interval
        work.due = due.addingSaturated(work.interval * (missed + 1))
        insert(work)
      }
      work.scheduler?.fire(work)
    }
  }

  /// Disposes of all work in the queue.
  package func disposeAll() {
    while let work = first {
      remove(work)
      work.dispose()
    }
  }

  private func grow() {
    let old = heap
    room *= 2
    heap = .allocate(capacity: room)
    heap.moveInitialize(from: old, count: count)
    old.deallocate()
  }

  private func address(_ work: Work) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(work).toOpaque()
  }

  @inline(__always)
  private func put(_ node: Node, _ index: Int) {
    heap[index] = node
    node.work._withUnsafeGuaranteedRef { $0.heapIndex = index }
  }

  private func siftUp(_ node: Node, from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 4
      guard node.isBefore(heap[parent]) else { break }
      put(heap[parent], index)
      index = parent
    }
    put(node, index)
  }

  private func siftDown(_ node: Node, from start: Int) {
    var index = start
    while true {
      let firstChild = index * 4 + 1
      if firstChild >= count { break }
      var least = firstChild
      for child in firstChild..<min(firstChild + 4, count)
      where heap[child].isBefore(heap[least]) {
        least = child
      }
      guard heap[least].isBefore(node) else { break }
      put(heap[least], index)
      index = least
    }
    put(node, index)
  }
}
