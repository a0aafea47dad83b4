@_spi(Engine) import Belay
import Dispatch

extension Loop {
  /// Runs the loop on the main actor, one turn whenever there is something to do, so that other
  /// jobs of the actor run in between. It returns when the loop is no longer alive, or by `stop`.
  /// Callbacks at the loop are isolated to the main actor. On Linux, the jobs of the main actor may come
  /// on one thread after the other, so call `bind()` before `close()` after this.
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
      Task { @MainActor in turns.end(CancellationError()) }
    }
  }
}

/// Runs a turn whenever the main queue finds the loop's descriptor readable.
@MainActor private final class MainTurns {
  private let loop: Loop
  private var reader: (any DispatchSourceRead)?
  private var continuation: CheckedContinuation<Void, any Error>?
  private var error: (any Error)?
  private var isOver = false

  init(_ loop: Loop) { self.loop = loop }

  func begin(_ continuation: CheckedContinuation<Void, any Error>, _ fd: Int32) {
    self.continuation = continuation
    if isOver { return leave() }
    if Task.isCancelled { return end(CancellationError()) }
    let reader = DispatchSource.makeReadSource(fileDescriptor: fd, queue: .main)
    reader.setEventHandler { MainActor.assumeIsolated { self.turn() } }
    reader.setCancelHandler { MainActor.assumeIsolated { self.leave() } }
    self.reader = reader
    reader.activate()
    turn()
  }

  private func turn() {
    if isOver { return }
    do throws(Failure) {
      let isAlive = try loop.run(.nowait)
      if !isAlive || loop.core.wasStopped { end(nil) }
    } catch {
      end(error)
    }
  }

  /// The task goes on when the cancellation of the reader has run. Until then the reader may use the
  /// descriptor, which the loop's close closes.
  func end(_ error: (any Error)?) {
    if isOver { return }
    isOver = true
    self.error = error
    if let reader { reader.cancel() } else { leave() }
  }

  private func leave() {
    reader = nil
    let continuation = continuation
    self.continuation = nil
    if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
  }
}
