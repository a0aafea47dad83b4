import CBelayShim
import Synchronization

/// Where the callbacks of a source or a subscription run: a thread; or a loop, a strand or an
/// actor, which is bound to one thread at a time.
open class Home: Entity, @unchecked Sendable {
  /// An id that no thread has.
  package static let noThread = UInt64.max

  /// The thread that the home is bound to; `noThread` if there is none.
  package final let threadID: Atomic<UInt64>

  /// Whether this is the home of a shared source. A stored flag, because comparing with a global
  /// object would cost an atomic exchange at each look.
  package final let isShared: Bool

  /// Whether the thread that is here delivers an event that another thread has brought. Only that thread
  /// may read this.
  final var isRelaying = false

  /// Whether the home has a close, and lists the residents that end then.
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

  #if !hasFeature(Embedded)
    /// Runs `body` here, if the home is an actor's that the calling thread runs. Answers whether it
    /// did.
    package func enter(_ body: () -> Void) -> Bool { false }
  #endif

  /// Answers the result of `body`, if the home is an actor's that the calling thread runs without
  /// being bound to the home. Asked when the home is not current.
  @inline(__always)
  package final func onActor<Answer, Thrown: Error>(
    _ body: () throws(Thrown) -> Answer
  ) throws(Thrown) -> Answer? {
    #if hasFeature(Embedded)
      return nil
    #else
      var result: Result<Answer, Thrown>?
      _ = enter { result = Result { () throws(Thrown) in try body() } }
      return try result?.get()
    #endif
  }

  /// Whether messages from other threads can be queued here.
  open var acceptsMessages: Bool { false }

  /// Whether what is sent from `other` can come here. One thread may have had two homes, for example
  /// before and after it had a loop.
  package final func isReached(from other: Home) -> Bool {
    other === self || acceptsMessages || isCurrent && other.isCurrent
  }

  /// Queues a message from any thread. The home may not refuse a *reserved* message for lack of
  /// room. It takes the message over in every case.
  @_spi(Engine) open func post(_ message: consuming Message, reserved: Bool) -> Code {
    message.cancel()
    return .noHome
  }

  /// Whether a message for `receiver` waits here. Called at home only.
  @_spi(Engine) open func holdsMessages(for receiver: Entity) -> Bool { false }

  /// The thread that must go on before the messages that wait here are opened.
  @_spi(Engine) open var runner: UInt64 { threadID.load(ordering: .relaxed) }

  /// Whether the calling thread may sleep until the messages that wait here have been opened.
  package var letsSleep: Bool { acceptsMessages && !isCurrent }

  /// Keeps a loop alive that would end, until it is called with false.
  @_spi(Engine) open func keepAlive(_ isNeeded: Bool) {}

  /// When the present turn began, if this is a loop. Asked at home only.
  @_spi(Engine) open var turnStart: Instant? { nil }

  /// Whether it is meant for work that takes long.
  @_spi(Engine) open var isForLongWork: Bool { false }

  /// The scheduler that is current here while no scheduled work runs.
  @_spi(Engine) open var ownScheduler: Scheduler? { nil }

  /// Whether work that waits here for a time is lost when this home closes.
  @_spi(Engine) open var keepsTimes: Bool { true }

  /// The hook for errors that no observer of this home handles.
  @_spi(Engine) open var unhandledErrorHook: UnhandledErrorHook? { nil }

  /// Called when the thread that the home is bound to ends, or has been bound to another home.
  @_spi(Engine) open func threadEnds() {}

  private final let hasBegunClosing = Atomic<Bool>(false)

  /// Whether the home has begun to close, so that nothing may begin here. On another thread the
  /// answer may be out of date.
  @inline(__always)
  package final var isClosing: Bool { hasBegunClosing.load(ordering: .relaxed) }
  /// Whether nothing can begin here any more. Unlike `isClosing` this is also true of a strand that was
  /// idle when its loop closed or its user left. Any thread may ask.
  @_spi(Engine) open var isOver: Bool { isClosing }
  package final func beginClosing() { hasBegunClosing.store(true, ordering: .relaxed) }

  /// Adds `resident` to the list of what ends when the home closes. Any thread may call this; on
  /// another thread the addition is made when the home is reached.
  package func list(_ resident: Resident) {}
  package func unlist(_ resident: Resident) {}

  /// Runs `work` here: at once if this is the home's thread, or if a shared home has no thread at
  /// the moment; otherwise when its message is opened.
  @discardableResult
  package final func perform(_ work: @escaping () -> Void) -> Code {
    if isCurrent {
      work()
      return .ok
    }
    return post(Message(to: PostedClosure(work), .work), reserved: true)
  }

  /// The same, with a `refusal` that runs when the home closes before it has reached `work`. If the
  /// answer is a failure, neither has run.
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

  /// The same, but never runs `work` at once, unless the home is shared and no thread is in it.
  package final func post(
    _ work: @escaping () -> Void, orElse refusal: @escaping () -> Void
  ) -> Code {
    PostedClosure(work, orElse: refusal).post { post($0, reserved: true) }
  }

  /// The calling thread's home: the one that is bound to it, or else a home for the thread itself.
  public static var current: Home {
    if let made = currentIfMade { return made }
    let home = ThreadHome()
    show(home)
    return home
  }

  package static var currentIfMade: Home? {
    guard let held = Thread.own.pointee.home else { return nil }
    let home = Unmanaged<Home>.fromOpaque(held).takeUnretainedValue()
    return home.isCurrent ? home : nil
  }

  /// Binds `home`, which no other thread has, to the calling thread.
  package static func bind(_ home: Home) {
    show(home)
    home.threadID.store(Thread.id, ordering: .relaxed)
  }

  /// Makes `home` the one that the calling thread finds, as long as it is bound to that.
  package static func show(_ home: Home?) {
    _ = Thread.releasesWhenEnding
    let own = Thread.own
    let old = own.pointee.home
    own.pointee.home = home.map { Unmanaged.passRetained($0 as Entity).toOpaque() }
    if let old { Unmanaged<Entity>.fromOpaque(old).drop() }
  }
}

/// The home of a thread without a loop. Messages from other threads cannot reach it.
package final class ThreadHome: Home, @unchecked Sendable {
  package init() { super.init(threadID: Thread.record.pointee.id) }
}
