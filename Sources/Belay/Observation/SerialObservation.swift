/// A subscription to what objects change, on whatever thread: it works the changes that it hears of
/// off one at a time, without a lock.
class SerialObservation: Disposable, @unchecked Sendable {
  private static var mostWaiting: Int { 1024 }

  final let lock = Lock()
  /// Under the lock, like what follows. While it is being armed, too.
  private final var isBusy = true
  private final var waiting = AttachmentList()
  private final var waitingCount = 0

  /// Works a change off, if this has not been disposed of.
  func process(_ change: Attachment) {}
  func fail(_ code: Code) {}

  final func hear(_ change: Attachment) {
    lock.acquire()
    let isMine = !isBusy
    isBusy = true
    if !isMine {
      // Beyond that, a gap would go unseen: an end does not.
      waitingCount += 1
      if waitingCount <= Self.mostWaiting { waiting.insert(change, before: nil) }
    }
    lock.release()
    if !isMine { return }
    process(change)
    workOff()
  }

  /// Works off what waits; this has been busy, and is not any more.
  final func workOff() {
    while true {
      lock.acquire()
      let hasOverflowed = waitingCount > Self.mostWaiting
      let next = waiting.takeFirst()
      if next != nil { waitingCount -= 1 } else { isBusy = false }
      lock.release()
      if hasOverflowed { fail(.again) }
      guard let next else { return }
      process(next)
    }
  }
}
