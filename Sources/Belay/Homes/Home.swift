import CBelayShim
import Synchronization

/// Where the callbacks of a subject or a subscription run: a thread, or a loop bound to one.
open class Home: Entity, @unchecked Sendable {
  /// What no thread's id is.
  package static let nobody = UInt64.max

  /// The thread it is bound to; `nobody` for none.
  package final let threadID: Atomic<UInt64>

  /// Whether it is the home of what is shared. Asked instead of comparing with the one that is, for
  /// each look at a computed global is an atomic exchange.
  package final let isShared: Bool

  /// Whether it closes, and lists what ends then.
  package final let listsResidents: Bool

  package init(threadID: UInt64, isShared: Bool = false, listsResidents: Bool = false) {
    self.threadID = Atomic(threadID)
    self.isShared = isShared
    self.listsResidents = listsResidents
    super.init()
  }

  /// Whether the calling thread is this home's.
  @inline(__always)
  public final var isCurrent: Bool { threadID.load(ordering: .relaxed) == Thread.id }

  /// The calling thread's record, if it is this home's.
  @inline(__always)
  package final var recordIfCurrent: UnsafeMutablePointer<belay_thread>? {
    belay_shim_thread_if(threadID.load(ordering: .relaxed))
  }

  /// Whether events that are raised elsewhere can be queued here.
  open var acceptsMessages: Bool { false }

  /// Queues a message from any thread. A *reserved* one is never refused for lack of room. The
  /// message is taken over in every case.
  open func post(_ message: consuming Message, reserved: Bool) -> Code {
    message.cancel()
    return .noHome
  }

  /// At home: whether a message for `receiver` waits here.
  open func holdsMessages(for receiver: Entity) -> Bool { false }

  /// The thread that has to go on before what waits here is seen to.
  open var runner: UInt64 { threadID.load(ordering: .relaxed) }

  /// Whether the calling thread may sleep until what waits here is seen to.
  package var letsSleep: Bool { acceptsMessages && !isCurrent }

  /// The scheduler that is current here while none of its work runs.
  open var ownScheduler: Scheduler? { nil }

  /// Whether what waits here for a time is lost here, too, when this closes.
  open var keepsTimes: Bool { true }

  /// The hook for errors that nobody handles here, if there is one.
  open var unhandledErrorHook: UnhandledErrorHook? { nil }

  /// The thread it is bound to ends, or has another home by now.
  open func threadEnds() {}

  private final let hasBegunClosing = Atomic<Bool>(false)

  /// Whether its close has begun, so that nothing begins here any more. (Elsewhere the answer may be
  /// old.)
  @inline(__always)
  package final var isClosing: Bool { hasBegunClosing.load(ordering: .relaxed) }
  final func beginClosing() { hasBegunClosing.store(true, ordering: .relaxed) }

  /// Lists what ends when the home closes. Any thread; away from home as soon as that is reached.
  package func list(_ resident: Resident) {}
  package func unlist(_ resident: Resident) {}

  /// Runs `work` here: now if this is the thread, or if there is none, else when its turn comes.
  @discardableResult
  package final func perform(_ work: @escaping () -> Void) -> Code {
    if isCurrent {
      work()
      return .ok
    }
    return post(Message(to: PostedClosure(work), .work), reserved: true)
  }

  /// The same; `refusal` runs when the home closes before `work` has been reached. A failure that is
  /// answered has run neither.
  @discardableResult
  package final func perform(
    _ work: @escaping () -> Void, orElse refusal: @escaping () -> Void
  ) -> Code {
    if isCurrent {
      work()
      return .ok
    }
    return post(work, orElse: refusal)
  }

  /// The same, never now but where the home is shared and no thread is there.
  package final func post(
    _ work: @escaping () -> Void, orElse refusal: @escaping () -> Void
  ) -> Code {
    let posted = PostedClosure(work, orElse: refusal)
    let code = post(Message(to: posted, .work), reserved: true)
    posted.wasPosted(code)
    return code
  }

  /// The calling thread's home: the loop bound to it, else the thread itself.
  public static var current: Home {
    if let made = currentIfMade { return made }
    let home = ThreadHome()
    bind(home)
    return home
  }

  package static var currentIfMade: Home? {
    guard let held = Thread.own.pointee.home else { return nil }
    let home = Unmanaged<Home>.fromOpaque(held).takeUnretainedValue()
    return home.isCurrent ? home : nil
  }

  /// Makes `home` the calling thread's; nil for the thread itself.
  package static func bind(_ home: Home?) {
    _ = Thread.releasesWhenEnding
    let own = Thread.own
    let old = own.pointee.home
    own.pointee.home = home.map { Unmanaged.passRetained($0 as Entity).toOpaque() }
    home?.threadID.store(Thread.id, ordering: .relaxed)
    if let old { Unmanaged<Entity>.fromOpaque(old).drop() }
  }
}

/// A thread without a loop: what is raised elsewhere cannot reach it.
package final class ThreadHome: Home, @unchecked Sendable {
  package init() { super.init(threadID: Thread.record.pointee.id) }
}
