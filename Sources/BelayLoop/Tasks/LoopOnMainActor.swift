@_spi(Engine) import Belay
import Dispatch
import Glibc

extension Loop {
  /// Runs the loop on the main actor, one turn whenever there is something to do, so that other
  /// jobs of the actor run in between. It returns when the loop is no longer alive, when this user
  /// has left it, or by `stop`. Callbacks at the loop are isolated to the main actor. On Linux, the
  /// jobs of the main actor may come on one thread after the other, so call `bind()` before
  /// `close()` in another job or after this.
  ///
  /// - Throws: like `run`; `.busy` also while another call of this runs the loop, for whichever of
  ///   its users; `.bound` if the main thread has another loop; `CancellationError` when the task is
  ///   cancelled, after which the loop may be run again.
  @MainActor public func runOnMainActor() async throws {
    let code = core.bind()
    if code.isFailure { throw Failure(code) }
    if core.isRunning || MainTurns.isRunning(core) { throw Failure(.busy) }
    // A descriptor of its own, which is open until the reader has gone: a close of the loop closes the
    // loop's descriptor.
    let pollable = core.pollableFD()
    let fd = pollable < 0 ? pollable : fcntl(pollable, F_DUPFD_CLOEXEC, 3)
    if fd < 0 {
      throw Failure.uv(pollable < 0 ? pollable : -errno, "cannot make a descriptor to wait for")
    }
    let turns = MainTurns(self, fd)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { turns.begin($0) }
    } onCancel: {
      Task { @MainActor in turns.end(CancellationError()) }
    }
  }
}

/// Runs a turn whenever the main queue finds the loop's descriptor readable.
@MainActor private final class MainTurns {
  /// The loops that are being run, also between their turns.
  private static var running: ReferenceArray<LoopCore> = []
  static func isRunning(_ core: LoopCore) -> Bool { running.contains { $0 === core } }

  private let loop: Loop
  private let fd: Int32
  /// Ends the turns when this user leaves the loop between two of them.
  private var leaving: Disposable?
  private var reader: (any DispatchSourceRead)?
  private var continuation: CheckedContinuation<Void, any Error>?
  private var error: (any Error)?
  private var isOver = false

  init(_ loop: Loop, _ fd: Int32) {
    self.loop = loop
    self.fd = fd
    Self.running.append(loop.core)
  }

  func begin(_ continuation: CheckedContinuation<Void, any Error>) {
    self.continuation = continuation
    if isOver { return leave() }
    if Task.isCancelled { return end(CancellationError()) }
    let reader = DispatchSource.makeReadSource(fileDescriptor: fd, queue: .main)
    reader.setEventHandler { MainActor.assumeIsolated { self.turn() } }
    reader.setCancelHandler { MainActor.assumeIsolated { self.leave() } }
    self.reader = reader
    // Another thread may have bound the loop between two turns.
    let leaving = AnonymousDisposable { Task { @MainActor in self.end(nil) } }
    self.leaving = leaving
    reader.activate()
    loop.user.members.add(leaving)
    turn()
  }

  private func turn() {
    if isOver { return }
    if loop.isClosed { return end(nil) }
    do throws(Failure) {
      let isAlive = try loop.run(.nowait)
      if !isAlive || loop.core.wasStopped { end(nil) }
    } catch {
      end(error)
    }
  }

  /// The task goes on when the cancellation of the reader has run. Until then the reader may use the
  /// descriptor.
  func end(_ error: (any Error)?) {
    if isOver { return }
    isOver = true
    self.error = error
    if let reader { reader.cancel() } else if continuation != nil { leave() }
  }

  private func leave() {
    reader = nil
    Self.running.remove(loop.core)
    Glibc.close(fd)
    leaving?.dispose()
    leaving = nil
    let continuation = continuation
    self.continuation = nil
    if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
  }
}
