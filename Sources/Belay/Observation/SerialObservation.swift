/// A subscription to changes of objects, which happen on any thread. It processes its changes one
/// at a time, without a lock.
class SerialObservation: Disposable, @unchecked Sendable {
  private static var mostWaiting: Int { 1024 }

  final let lock = Lock()
  /// Whether a thread is processing a change, or the observation is being armed. The lock protects
  /// it, and the fields below.
  private final var isBusy = true
  private final var waiting = AttachmentList()
  private final var waitingCount = 0

  /// Processes a change. Not called after the disposal.
  func process(_ change: Attachment) {}
  func fail(_ code: Code) {}

  final func hear(_ change: Attachment) {
    lock.acquire()
    let isMine = !isBusy
    isBusy = true
    let isNext = isMine && waiting.first == nil
    if !isNext {
      // Beyond the bound, the observation ends with an error, because a gap would go unseen.
      waitingCount += 1
      if waitingCount <= Self.mostWaiting { waiting.insert(change, before: nil) }
    }
    lock.release()
    if isNext { process(change) }
    if isMine { workOff() }
  }

  /// Processes the changes that wait, in stints (`Stint`). The caller has set `isBusy`, which this
  /// clears at the end.
  final func workOff() {
    var stint = Stint()
    repeat {
      while let next = next(&stint) { process(next) }
    } while stint.offers() && begins()
  }

  private final func next(_ stint: inout Stint) -> Attachment? {
    lock.acquire()
    let hasOverflowed = waitingCount > Self.mostWaiting
    let next = stint.takesOne() ? waiting.takeFirst() : nil
    if next != nil { waitingCount -= 1 } else { isBusy = false }
    lock.release()
    if hasOverflowed { fail(.again) }
    return next
  }

  private final func begins() -> Bool {
    lock.withLock {
      if isBusy || waiting.first == nil { return false }
      isBusy = true
      return true
    }
  }
}
