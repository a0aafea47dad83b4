import Belay
import CLibuv

/// Runs work on a loop's thread, on its monotonic clock.
package final class LoopScheduler: Scheduler, @unchecked Sendable {
  // They hold each other until the loop is closed; whoever keeps a scheduler may go on asking it.
  private let core: LoopCore

  init(_ core: LoopCore) {
    self.core = core
    super.init()
  }

  package override var home: Home? { core }
  package override var now: Instant { core.timeForAll }
  package override func delayStart(isRough: Bool) -> Instant { core.delayStart(isRough: isRough) }

  package override func submit(_ work: Work) -> Code {
    // Known already to whoever disposes of it, when it comes from elsewhere.
    if work.scheduler !== self { work.scheduler = self }
    if work.due != nil { return core.arm(work) }
    return core.post(Message(to: work, .work), reserved: false)
  }

  package override func withdraw(_ work: Work) { core.disarm(work) }
}
