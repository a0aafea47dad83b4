extension Scheduler {
  /// Runs work on the main actor, in the order of scheduling. (RxSwift's MainScheduler,
  /// DispatchQueue.main.)
  ///
  /// Some code must run the main actor, which on Linux is the main thread: an asynchronous `main`,
  /// `dispatchMain()`, or Foundation's `RunLoop.main`. A loop of Belay's that runs on that thread
  /// blocks the actor; see `Loop.runOnMainActor()`.
  public static let main: Scheduler = ActorScheduler(MainActor.shared)

  /// Runs work on `actor`, in the order of scheduling. There is one scheduler for each actor. It
  /// retains the actor only while work is in progress. Once the actor dies, it refuses work with
  /// `.canceled`.
  ///
  /// For an actor that runs on a loop (`LoopExecutor`), this is the loop's scheduler.
  public static func actor(_ actor: any Actor) -> Scheduler {
    if actor === MainActor.shared { return main }
    if let home = actor.unownedExecutor.asSerialExecutor() as? any HomeExecutor {
      return home.scheduler
    }
    return ActorScheduler.of(actor)
  }
}

/// A serial executor that runs its jobs at a home of Belay.
package protocol HomeExecutor: SerialExecutor {
  var scheduler: Scheduler { get }
}

/// Runs work at an actor's home.
final class ActorScheduler: HomeScheduler, @unchecked Sendable {
  private let executorHome: ExecutorHome

  init(_ actor: any Actor) {
    executorHome = ExecutorHome(of: actor)
    super.init(executorHome)
    executorHome.actorScheduler = self
  }

  // MARK: One scheduler for each actor

  private static let making = Lock()
  private static let key = StaticKey()

  /// The scheduler that is associated with the actor, made when first asked for. An actor whose
  /// death cannot be observed gets a new one at each call.
  static func of(_ actor: any Actor) -> Scheduler {
    let life = Lifetime.of(actor)
    making.acquire()
    if let known = life.associated(with: key.address) as? ActorScheduler {
      making.release()
      return known
    }
    let made = ActorScheduler(actor)
    let code = life.associate(made, with: key.address)
    made.executorHome.endsWithActor = !code.isFailure
    making.release()
    if !code.isFailure {
      life.add(AnonymousDisposable { [home = made.executorHome] in home.end() })
    }
    return made
  }

  /// A unique address.
  private final class StaticKey: Sendable {
    var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
  }
}
