extension Scheduler {
  /// Runs work on the main actor, in the order of scheduling. (MainScheduler, DispatchQueue.main
  /// elsewhere.)
  ///
  /// Wants somebody to run the main actor, which on Linux is the main thread: an asynchronous
  /// `main`, `dispatchMain()`, `RunLoop.main` of Foundation's. A loop of Belay's that runs there
  /// blocks it; see `Loop.runOnMainActor()`.
  public static let main: Scheduler = ActorScheduler(MainActor.shared)

  /// Runs work on `actor`, in the order of scheduling; one scheduler an actor. It keeps the actor
  /// only while work is under way; once the actor dies it takes no work, `.canceled`.
  ///
  /// For an actor that lives on a loop (`LoopExecutor`) it is the loop's own.
  public static func actor(_ actor: any Actor) -> Scheduler {
    if actor === MainActor.shared { return main }
    if let home = actor.unownedExecutor.asSerialExecutor() as? any HomeExecutor {
      return home.scheduler
    }
    return ActorScheduler.of(actor)
  }
}

/// A serial executor that runs its jobs at a home of Belay's.
package protocol HomeExecutor: SerialExecutor {
  var scheduler: Scheduler { get }
}

/// Runs work at an actor's home.
final class ActorScheduler: Scheduler, @unchecked Sendable {
  private let ownHome: ExecutorHome

  init(_ actor: any Actor) {
    ownHome = ExecutorHome(of: actor)
    super.init()
    ownHome.scheduler = self
  }

  override var home: Home? { ownHome }

  override func submit(_ work: Work) -> Code {
    // Known already to whoever disposes of it, when it comes from elsewhere.
    if work.scheduler !== self { work.scheduler = self }
    if work.due != nil { return ownHome.arm(work) }
    return ownHome.post(Message(to: work, .work), reserved: false)
  }

  override func withdraw(_ work: Work) { ownHome.disarm(work) }

  // MARK: One an actor

  private static let making = Lock()
  private static let key = StaticKey()

  /// What hangs on the actor, or is hung there now; one of its own for an actor whose life cannot
  /// be observed.
  static func of(_ actor: any Actor) -> Scheduler {
    let life = Lifetime.of(actor)
    making.acquire()
    if let known = life.associated(with: key.address) as? ActorScheduler {
      making.release()
      return known
    }
    let made = ActorScheduler(actor)
    let code = life.associate(made, with: key.address)
    made.ownHome.endsWithActor = !code.isFailure
    making.release()
    if !code.isFailure { life.add(AnonymousDisposable { [home = made.ownHome] in home.end() }) }
    return made
  }

  /// An address that is nobody else's.
  private final class StaticKey: Sendable {
    var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
  }
}
