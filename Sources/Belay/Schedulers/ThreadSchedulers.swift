import CBelayShim

/// Runs work at once, within `submit`. It has no clock, so a delay is an error.
public final class ImmediateScheduler: Scheduler, @unchecked Sendable {
  /// The only one, for all threads.
  public static let shared = ImmediateScheduler()

  @_spi(Engine) public override func submit(_ work: Work) -> Code {
    if work.due != nil {
      work.dispose()
      return .invalid
    }
    run(work)
    return .ok
  }
}

/// Runs work on the calling thread, at once. Work that is submitted inside of its own work runs
/// after that. A delay is an error.
public final class TrampolineScheduler: Scheduler, @unchecked Sendable {
  /// The only one, for all threads.
  public static let shared = TrampolineScheduler()

  @_spi(Engine) public override func submit(_ work: Work) -> Code {
    if work.due != nil {
      work.dispose()
      return .invalid
    }
    _ = Thread.releasesWhenEnding
    let own = Thread.own
    if let held = own.pointee.trampoline {
      Unmanaged<WorkQueue>.fromOpaque(held).takeUnretainedValue().waiting.append(work)
      return .ok
    }
    let queue = WorkQueue()
    own.pointee.trampoline = Unmanaged.passUnretained(queue).toOpaque()
    run(work)
    var index = 0
    while index < queue.waiting.count {
      let next = queue.waiting[index]
      index += 1
      run(next)
      if index >= 64 && index * 2 >= queue.waiting.count {
        queue.waiting.removeFirst(index)
        index = 0
      }
    }
    own.pointee.trampoline = nil
    return .ok
  }

  /// The work that waits on this thread.
  private final class WorkQueue {
    var waiting: ReferenceArray<Work> = []
  }
}
