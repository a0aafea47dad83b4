@_spi(Engine) import Belay
import CBelayShim
import CLibuv
import Synchronization

/// A home that is bound to a thread of libuv's pool while it has messages.
///
/// Only the loop's thread may ask the pool for a thread, so other threads post the strand to the
/// loop. The thread of the pool goes on until no message is left, so that code on the loop's thread
/// may wait for them.
package final class Strand: QueuedHome, @unchecked Sendable {
  /// How far the request for a thread has come.
  private enum State {
    /// No message waits.
    static let resting: UInt8 = 0
    /// The first message has come.
    static let woken: UInt8 = 1
    /// The loop's thread has been asked to request a thread.
    static let asked: UInt8 = 2
    /// A thread of the pool has been requested.
    static let started: UInt8 = 3
  }

  private let core: LoopCore
  private let state = Atomic<UInt8>(State.resting)
  // Used on the loop's thread: the latest request to the pool, and how many have not come back.
  private var request: UnsafeMutablePointer<uv_work_t>?
  private var requests = 0
  /// The number of reasons to be in the loop's list: its residents, its requests, and its messages
  /// to the loop's thread.
  var uses = 0
  /// The work that the loop's thread has brought last, until the pool has come back. A close's
  /// report has its name.
  private(set) var latest: Work?
  var nextInUse: Strand?
  unowned(unsafe) var previousInUse: Strand?

  /// The user that it belongs to, whose leaving shuts it down.
  let user: LoopUser

  init(_ core: LoopCore, of user: LoopUser) {
    self.core = core
    self.user = user
    super.init(threadID: Home.noThread)
    mailbox = Mailbox(capacity: core.mailbox.capacity, staysAwake: true) {
      [unowned(unsafe) self] in state.store(State.woken, ordering: .relaxed)
    }
  }

  /// The loop keeps the times, and closes its strands after it has ended them.
  package override var keepsTimes: Bool { false }

  package override var isForLongWork: Bool { true }

  package override func residentsCame() { core.usesChange(of: self, by: 1) }
  package override func residentsLeft() { core.usesChange(of: self, by: -1) }

  /// The thread that opens the messages; while there is none, the loop's thread.
  package override var runner: UInt64 {
    let thread = threadID.load(ordering: .relaxed)
    if thread != Home.noThread || state.load(ordering: .relaxed) == State.started { return thread }
    return core.runner
  }

  /// Whether the loop is open and the user has not left. Any thread may ask.
  private var isOpen: Bool { user.takesWork }

  /// A close, and a user that leaves, set `isClosing` only of the strands that are in use.
  package override var isOver: Bool { isClosing || !isOpen }

  /// Whether messages wait here or are being opened.
  var isBusy: Bool { requests > 0 || state.load(ordering: .relaxed) == State.asked }

  // MARK: In

  package override func post(_ message: consuming Message, reserved: Bool) -> Code {
    // Without threads nothing has come to live here. While the loop closes, reserved messages are
    // still accepted, so that what is at home here ends here.
    let threads = belay_shim_find_threads()
    if threads != 0 || core.isClosed || !reserved && !isOpen {
      message.cancel()
      return threads != 0 ? Code(rawValue: threads) : .canceled
    }
    let work = core.isCurrent && isOpen ? message.receiver.takeUnretainedValue() as? Work : nil
    // A message that it has accepted counts as lost if the loop closes before it is opened.
    let code = super.post(message, reserved: reserved)
    if let work, !code.isFailure { latest = work }
    if core.isCurrent { start() } else { ask() }
    return code
  }

  /// Asks the loop's thread, from another one, to request a thread.
  private func ask() {
    guard change(State.woken, to: State.asked) else { return }
    core.usesChange(of: self, by: 1)
    // A loop that has closed cancels the message.
    _ = core.post(Message(to: self, .work), reserved: true)
  }

  private func change(_ old: UInt8, to new: UInt8) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }

  package override func receive(_ message: inout Message, isCanceled: Bool) {
    if !isCanceled { start() }
    core.usesChange(of: self, by: -1)
    // A user that leaves ends only the strands that are in use then.
    if isCanceled || !isOpen { endIfUnused() }
  }

  /// The loop is closing or closed, or the user has left. The loop's thread ends a strand that is in
  /// use, and refuses its messages; here it ends the others, too. On another thread the mailbox of an
  /// unused strand is closed, because nobody will open its messages any more.
  private func endIfUnused() {
    if core.uses(self) { return }
    if !core.isCurrent { return mailbox.close() }
    // Else an `end` of this strand is in progress on this thread.
    if !isCurrent { end() }
  }

  /// Requests a thread if messages wait. Called on the loop's thread.
  private func start() {
    guard isOpen else { return endIfUnused() }
    guard change(State.woken, to: State.started) || change(State.asked, to: State.started) else {
      return
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
  }

  // MARK: Out

  /// Opens messages until none is left. Called on a thread of the pool.
  private func open() {
    let outer = Home.currentIfMade
    repeat {
      Home.bind(self)
      mailbox.deliver()
      // From now on another thread may bind itself to this.
      threadID.store(Home.noThread, ordering: .relaxed)
      Home.show(outer)
    } while !mailbox.rests { state.store(State.resting, ordering: .relaxed) }
  }

  private func cameBack(_ request: UnsafeMutablePointer<uv_work_t>) {
    if self.request == request { self.request = nil }
    request.deallocate()
    requests -= 1
    if requests == 0 { latest = nil }
    core.dispatch { _ in if !isOpen { end() } }
    core.usesChange(of: self, by: -1)
    user.requestEnded()
    core.requestEnded()
  }

  // MARK: The end

  /// Called when the loop is about to close: a thread that is here begins no further work. Other
  /// threads bring nothing that begins or ends a signal here, so that it comes to an end.
  func beginNothingMore() {
    beginClosing()
    mailbox.loseFromNowOn()
  }

  /// Called when the loop closes, after `beginNothingMore`: running work goes on to its end, and
  /// messages that wait are refused.
  func shutDown() {
    if let request {
      // From now on `runner` is the loop's thread.
      if LoopCore.cancel(request) { _ = change(State.started, to: State.woken) }
    }
    end()
  }

  /// Ends what is at home here, on the loop's thread, unless a request is on its way.
  private func end() {
    if requests > 0 { return }
    let outer = Home.currentIfMade
    let isNested = isCurrent
    Home.bind(self)
    mailbox.refuseWaiting()
    // While they end, this home can be reached, so that no other thread finishes them.
    interruptResidents()
    mailbox.close()
    if !isNested { threadID.store(Home.noThread, ordering: .relaxed) }
    Home.show(outer)
  }
}
