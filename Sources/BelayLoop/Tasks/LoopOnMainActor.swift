import Belay
import Dispatch

extension Loop {
  /// Runs the loop on the main actor, one turn whenever there is something to do, so that other
  /// jobs of the actor run in between. It returns when the loop is no longer alive, or by `stop`.
  /// Callbacks at the loop are isolated to the main actor.
  ///
  /// - Throws: like `run`; `.bound` if the main thread has another loop; `CancellationError` when
  ///   the task is cancelled, after which the loop may be run again.
  @MainActor public func runOnMainActor() async throws {
    let code = core.bind()
    if code.isFailure { throw Failure(code) }
    if core.isRunning { throw Failure(.busy) }
    let fd = core.pollableFD()
    if fd < 0 { throw Failure.uv(fd, "cannot make a descriptor to wait for") }
    let turns = MainTurns(self)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { turns.begin($0, fd) }
    } onCancel: {
      Task { @MainActor in turns.finish(CancellationError()) }
    }
  }
}

/// Runs a turn whenever the main queue finds the loop's descriptor readable.
@MainActor private final class MainTurns {
  private let loop: Loop
  private var source: (any DispatchSourceRead)?
  private var continuation: CheckedContinuation<Void, any Error>?
  private var isOver = false

  init(_ loop: Loop) { self.loop = loop }

  func begin(_ continuation: CheckedContinuation<Void, any Error>, _ fd: Int32) {
    self.continuation = continuation
    if isOver || Task.isCancelled { return finish(CancellationError()) }
    let source = DispatchSource.makeReadSource(fileDescriptor: fd, queue: .main)
    source.setEventHandler { MainActor.assumeIsolated { self.turn() } }
    self.source = source
    source.activate()
    turn()
  }

  private func turn() {
    if isOver { return }
    do throws(Failure) {
      let isAlive = try loop.run(.nowait)
      if !isAlive || loop.core.wasStopped { finish(nil) }
    } catch {
      finish(error)
    }
  }

  func finish(_ error: (any Error)?) {
    isOver = true
    source?.cancel()
    source = nil
    let continuation = continuation
    self.continuation = nil
    if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
  }
}
