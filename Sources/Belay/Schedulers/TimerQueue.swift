import CBelayShim

/// Work in the order of due times; with equal times, in the order of scheduling. One thread at a
/// time uses it.
///
/// A new timer is added to `later`, which has no order, but a known first. When that has gone, all
/// of them are sorted, and become `sorted`. A timer that comes after that for an earlier time than
/// the last of these is added to `early`. So nothing of `later` is due before the rest. When
/// `early` has become longer than `sorted`, all goes to `later` again. Each timer's index is
/// written a few times only, however many there are: it stands in the work, which is seldom in the
/// processor's cache. In `sorted` a timer is found by its time.
package final class TimerQueue {
  /// In the order of due times. Those that have gone have no work.
  private var sorted = TimerList()
  /// How many of `sorted` have gone, from the first on.
  private var gone = 0
  /// The time of the last of `sorted`. It counts while `sorted` or `early` has work.
  private var horizon: Instant = 0
  /// A heap with four children to a node.
  private var early = TimerList()
  private var later = TimerList()
  /// The index of the first to be due of `later`; negative: not known.
  private var firstLater = -1
  private var count = 0
  private var lastSequence: UInt64 = 0

  package init() {}

  deinit {
    while let work = first?.pointee.owner { remove(work) }
    sorted.setRoom(0)
    early.setRoom(0)
    later.setRoom(0)
  }

  package var isEmpty: Bool { count == 0 }
  package var all: ReferenceArray<Work> {
    var all: ReferenceArray<Work> = []
    sorted.add(to: &all)
    early.add(to: &all)
    later.add(to: &all)
    return all
  }

  /// Whether the queue will hold work after the first has run.
  package var outlastsFirst: Bool { count > 1 || first?.pointee.owner?.interval ?? 0 > 0 }

  /// The latest time by which the owner of the queue must run it again.
  package var wake: Instant? { first?.pointee.latest }

  private var first: UnsafeMutablePointer<belay_timer>? {
    if sorted.count == 0 && early.count == 0 {
      if later.count == 0 { return nil }
      if firstLater >= 0 { return later.at(firstLater) }
      sortLater()
    }
    if sorted.count == 0 { return early.at(0) }
    let next = sorted.at(gone)
    return early.count > 0 && early[0].isBefore(next.pointee) ? early.at(0) : next
  }

  private func sortLater() {
    swap(&sorted, &later)
    belay_shim_sort_timers(sorted.at(0), sorted.count)
    horizon = sorted[sorted.count - 1].latest
  }

  private func unsort() {
    let first = first?.pointee.owner
    early.moveAll(to: &later)
    sorted.moveAll(to: &later)
    gone = 0
    firstLater = Int(first?.timerIndex ?? -1)
  }

  package func insert(_ work: Work) {
    lastSequence += 1
    count += 1
    work.timerSequence = lastSequence
    let timer = timer(of: work)
    _ = Unmanaged.passRetained(work)
    if count > later.count + 1 && timer.latest < horizon {
      early.append(timer)
      siftUp(timer, from: early.count - 1)
      if early.count > max(64, sorted.count - gone) { unsort() }
      return
    }
    later.append(timer)
    if firstLater >= 0 ? timer.isBefore(later[firstLater]) : later.count == 1 {
      firstLater = later.count - 1
    }
  }

  package func remove(_ work: Work) {
    if work.timerIndex < 0 { return }
    takeOut(work)
    Unmanaged.passUnretained(work).release()
  }

  /// Leaves the queue's reference to the caller.
  private func takeOut(_ work: Work) {
    let index = Int(work.timerIndex)
    if later.has(work) {
      removeLater(index)
    } else if early.has(work) {
      removeEarly(index)
    } else {
      removeSorted(timer(of: work))
    }
    count -= 1
    work.timerIndex = -1
  }

  private func timer(of work: Work) -> belay_timer {
    belay_timer(
      latest: work.latest, sequence: work.timerSequence,
      work: Unmanaged.passUnretained(work).toOpaque())
  }

  @inline(never)
  private func removeSorted(_ timer: belay_timer) {
    belay_shim_find_timer(sorted.at(gone), sorted.count - gone, timer).pointee.work = nil
    while gone < sorted.count && sorted[gone].work == nil { gone += 1 }
    if gone == sorted.count {
      sorted.clear()
      gone = 0
    }
  }

  @inline(never)
  private func removeLater(_ index: Int) {
    let last = later.removeLast()
    if index < later.count { later.put(last, index) }
    if firstLater == index {
      firstLater = -1
    } else if firstLater == later.count {
      firstLater = index
    }
  }

  @inline(never)
  private func removeEarly(_ index: Int) {
    let last = early.removeLast()
    if index == early.count { return }
    if index > 0, last.isBefore(early[(index &- 1) / 4]) {
      siftUp(last, from: index)
    } else {
      siftDown(last, from: index)
    }
  }

  /// Takes out the first work, if it is due at `now`, and among the first `newest` to be scheduled.
  package func popFirst(dueBy now: Instant, newest: UInt64 = .max) -> Work? {
    guard let first = first?.pointee, first.sequence <= newest, let address = first.work
    else { return nil }
    let work = Unmanaged<Work>.fromOpaque(address)
    guard let due = work._withUnsafeGuaranteedRef({ $0.due }), due <= now else { return nil }
    work._withUnsafeGuaranteedRef { takeOut($0) }
    return work.takeRetainedValue()
  }

  /// Runs the work that is due at `now`. Work that is scheduled meanwhile waits for the next call.
  package func run(until now: Instant) {
    let newest = lastSequence
    while let work = popFirst(dueBy: now, newest: newest) {
      if work.interval > 0 {
        work.keepRhythm(after: now)
        insert(work)
      }
      work.scheduler?.fire(work)
    }
  }

  /// Disposes of all work in the queue.
  package func disposeAll() {
    while let work = first?.pointee.owner {
      remove(work)
      work.dispose()
    }
  }

  private func siftUp(_ timer: belay_timer, from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index &- 1) / 4
      guard timer.isBefore(early[parent]) else { break }
      early.put(early[parent], index)
      index = parent
    }
    early.put(timer, index)
  }

  private func siftDown(_ timer: belay_timer, from start: Int) {
    var index = start
    while true {
      var least = index &* 4 &+ 1
      if least >= early.count { break }
      var child = least &+ 1
      let end = min(least &+ 4, early.count)
      while child < end {
        if early[child].isBefore(early[least]) { least = child }
        child &+= 1
      }
      guard early[least].isBefore(timer) else { break }
      early.put(early[least], index)
      index = least
    }
    early.put(timer, index)
  }
}

/// Timers, each of which has a reference to its work. The times are copies of the work's, so that a
/// comparison reads no work.
private struct TimerList {
  private var base: UnsafeMutablePointer<belay_timer>?
  private var room = 0
  private(set) var count = 0

  @inline(__always)
  func at(_ index: Int) -> UnsafeMutablePointer<belay_timer> { base.unsafelyUnwrapped + index }

  @inline(__always)
  subscript(index: Int) -> belay_timer { at(index).pointee }

  func add(to all: inout ReferenceArray<Work>) {
    for index in 0..<count { if let work = self[index].owner { all.append(work) } }
  }

  @inline(never)
  func has(_ work: Work) -> Bool {
    let index = Int(work.timerIndex)
    return index >= 0 && index < count
      && self[index].work == Unmanaged.passUnretained(work).toOpaque()
  }

  @inline(__always)
  func put(_ timer: belay_timer, _ index: Int) {
    at(index).pointee = timer
    timer.owner.unsafelyUnwrapped.timerIndex = Int32(truncatingIfNeeded: index)
  }

  @inline(never)
  mutating func append(_ timer: belay_timer) {
    if count == room { setRoom(max(8, room * 2)) }
    put(timer, count)
    count &+= 1
  }

  mutating func removeLast() -> belay_timer {
    count &-= 1
    return self[count]
  }

  mutating func moveAll(to other: inout TimerList) {
    for index in 0..<count where self[index].work != nil { other.append(self[index]) }
    clear()
  }

  /// Removes all. Frees the memory, too, if it is large.
  mutating func clear() {
    count = 0
    if room > 64 { setRoom(0) }
  }

  mutating func setRoom(_ room: Int) {
    self.room = room
    base = belay_shim_move_timers(base, count, room)
  }
}

extension belay_timer {
  @inline(__always)
  fileprivate func isBefore(_ other: belay_timer) -> Bool {
    latest != other.latest ? latest < other.latest : sequence < other.sequence
  }

  @inline(__always)
  fileprivate var owner: Work? {
    work.map { Unmanaged<Work>.fromOpaque($0).takeUnretainedValue() }
  }
}
