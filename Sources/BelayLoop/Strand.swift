import Belay
import CBelayShim
import CLibuv
import Synchronization

/// A home that is bound, each time that messages have come, to a thread of libuv's pool, until it
/// has opened them all.
///
/// Only the loop's thread may ask the pool for a thread: others post it a message. Whoever opens
/// messages goes on until nothing is left, so that somebody on the loop's thread may wait for them.
package final class Strand: QueuedHome, @unchecked Sendable {
  private enum State {
    /// Nobody has been asked for a thread.
    static let resting: UInt8 = 0
    /// The first message has come.
    static let woken: UInt8 = 1
    /// And the loop's thread was asked to see to it.
    static let asked: UInt8 = 2
    /// The pool has it.
    static let started: UInt8 = 3
  }

  private let core: LoopCore
  private let state = Atomic<UInt8>(State.resting)
  // The loop's thread: the latest request to the pool, and how many have not come back.
  private var request: UnsafeMutablePointer<uv_work_t>?
  private var requests = 0
  /// In the loop's list while not 0: its sources, requests, and messages to the loop's thread.
  var uses = 0
  var nextInUse: Strand?
  unowned(unsafe) var previousInUse: Strand?

  /// With whom it is shut down.
  let user: LoopUser

  init(_ core: LoopCore, of user: LoopUser) {
    self.core = core
    self.user = user
    super.init(threadID: Home.nobody)
    mailbox = Mailbox(capacity: core.mailbox.capacity, staysAwake: true) {
      [unowned(unsafe) self] in state.store(State.woken, ordering: .relaxed)
    }
  }

  /// They are the loop's, which closes its strands after it has let go of them.
  package override var keepsTimes: Bool { false }

  package override func residentsCame() { core.usesChange(of: self, by: 1) }
  package override func residentsLeft() { core.usesChange(of: self, by: -1) }

  /// While no thread has it, what waits here waits for the loop's.
  package override var runner: UInt64 {
    let thread = threadID.load(ordering: .relaxed)
    if thread != Home.nobody || state.load(ordering: .relaxed) == State.started { return thread }
    return core.runner
  }

  /// Neither its loop is closed or being closed, nor has its user left. Any thread.
  private var isOpen: Bool { user.takesWork }

  /// Something waits here, or runs.
  var isBusy: Bool { requests > 0 || state.load(ordering: .relaxed) == State.asked }

  // MARK: In

  package override func post(_ message: consuming Message, reserved: Bool) -> Code {
    // While the loop closes, what is reserved is still taken: what is at home here ends at home.
    if core.isClosed || !reserved && !isOpen {
      message.cancel()
      return .canceled
    }
    let code = super.post(message, reserved: reserved)
    let isAsked = core.isCurrent ? start() : ask()
    return isAsked || !mailbox.isClosed ? code : .canceled
  }

  /// Elsewhere: asks the loop's thread to see to the messages. False when its loop refuses that.
  private func ask() -> Bool {
    guard change(State.woken, to: State.asked) else { return true }
    core.usesChange(of: self, by: 1)
    return !core.post(Message(to: self, .work), reserved: true).isFailure
  }

  private func change(_ old: UInt8, to new: UInt8) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }

  package override func receive(_ message: inout Message, isCanceled: Bool) {
    if !isCanceled { _ = start() }
    core.usesChange(of: self, by: -1)
    // Who has left, or closes the loop, does not end what was not in use then.
    if isCanceled || !isOpen { endIfUnused() }
  }

  /// The loop is closing, or closed, or the user has left. What is in use is ended by the loop's thread,
  /// which refuses the messages then. So it does with the rest when it comes to it; elsewhere nobody
  /// will open them any more.
  private func endIfUnused() {
    if core.uses(self) { return }
    if !core.isCurrent { return mailbox.close() }
    // It may be about to.
    if !isCurrent { end() }
  }

  /// At the loop's thread: asks for a thread if there are messages. False when the loop is closed.
  private func start() -> Bool {
    guard isOpen else {
      endIfUnused()
      return false
    }
    guard change(State.woken, to: State.started) || change(State.asked, to: State.started) else {
      return true
    }
    let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
    request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    self.request = request
    requests += 1
    user.requests += 1
    core.requestBegan()
    core.usesChange(of: self, by: 1)
    uv_queue_work(
      core.uv, request,
      { request in
        let data = request.unsafelyUnwrapped.pointee.data.unsafelyUnwrapped
        Unmanaged<Strand>.fromOpaque(data).takeUnretainedValue().open()
      },
      { request, _ in
        let request = request.unsafelyUnwrapped
        let data = request.pointee.data.unsafelyUnwrapped
        Unmanaged<Strand>.fromOpaque(data).takeRetainedValue().cameBack(request)
      })
    return true
  }

  // MARK: Out

  /// On a thread of the pool: opens messages until none is left.
  private func open() {
    let outer = Home.currentIfMade
    repeat {
      Home.bind(self)
      mailbox.deliver()
      // Whoever finds it resting may have it bound elsewhere.
      threadID.store(Home.nobody, ordering: .relaxed)
      Home.bind(outer)
    } while !mailbox.rests { state.store(State.resting, ordering: .relaxed) }
  }

  private func cameBack(_ request: UnsafeMutablePointer<uv_work_t>) {
    if self.request == request { self.request = nil }
    request.deallocate()
    requests -= 1
    core.dispatch { _ in if !isOpen { end() } }
    core.usesChange(of: self, by: -1)
    user.requestEnded()
    core.requestEnded()
  }

  // MARK: The end

  /// The loop is about to close: the thread that has this runs no further piece of work.
  func beginNothingMore() { mailbox.loseFromNowOn() }

  /// The loop closes, after `beginNothingMore`: what runs is run to its end, what waits is refused.
  func shutDown() {
    if let request {
      // From now on the messages wait for the loop's thread (`runner`).
      if LoopCore.cancel(request) { _ = change(State.started, to: State.woken) }
    }
    end()
  }

  /// Ends what is at home here, on the loop's thread, when no other one has it.
  private func end() {
    if requests > 0 { return }
    let outer = Home.currentIfMade
    Home.bind(self)
    mailbox.refuseWaiting()
    // While they end, other threads reach them here, and finish nothing in their place.
    interruptResidents()
    mailbox.close()
    threadID.store(Home.nobody, ordering: .relaxed)
    Home.bind(outer)
  }
}
