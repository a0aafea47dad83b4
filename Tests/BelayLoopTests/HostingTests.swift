import Belay
import BelayIO
import BelayLoop
import Glibc
import Testing

extension LoopTests {
  /// Loops that a program polls itself, and the hook of one loop.
  @Suite struct Hosting {
    let trace = Trace()

    private func isReadable(_ fd: Int32, within milliseconds: Int32) -> Bool {
      var polled = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
      return poll(&polled, 1, milliseconds) == 1
    }

    @Test func aProgramPollsTheBackend() throws {
      let loop = try Loop()
      // A new loop has sources that libuv does not watch yet.
      #expect(try loop.backendTimeout == .zero)
      try loop.run(.nowait)
      #expect(try loop.backendTimeout == nil)
      let timer = loop.scheduler.schedule(after: .milliseconds(20)) { [trace] in trace.add("due") }
      let timeout = try #require(try loop.backendTimeout)
      #expect(timeout > .zero && timeout < .seconds(1))
      var runs = 0
      while trace.isEmpty && runs < 1000 {
        let wait = try #require(try loop.backendTimeout)
        _ = isReadable(try loop.backendFD, within: Int32(wait / .milliseconds(1)))
        try loop.run(.nowait)
        runs += 1
      }
      #expect(trace.take() == "due")
      #expect(try loop.turns >= 1)
      #expect(try loop.backendTimeout == nil)
      timer.dispose()
      closeEmpty(loop)
    }

    @Test func oneDescriptorTellsOfTimersAndOfOtherThreads() throws {
      let loop = try Loop()
      let fd = try loop.pollableFD()
      #expect(try loop.pollableFD() == fd)
      while isReadable(fd, within: 0) { try loop.run(.nowait) }
      loop.scheduler.schedule(after: .milliseconds(5)) { [trace] in trace.add("due") }
      while trace.isEmpty && isReadable(fd, within: 60_000) { try loop.run(.nowait) }
      #expect(trace.take() == "due")
      inThread { loop.post { [trace] in trace.add("posted") } }
      while trace.isEmpty && isReadable(fd, within: 60_000) { try loop.run(.nowait) }
      #expect(trace.take() == "posted")
      closeEmpty(loop)
    }

    @Test func aLoopsHookComesBeforeTheOneOfTheProcess() throws {
      let loop = try Loop()
      UnhandledErrorHook.install(
        UnhandledErrorHook { [trace] failure, _, _ in trace.add("process \(failure.name)") })
      try loop.onUnhandledError(
        UnhandledErrorHook { [trace] failure, _, _ in trace.add("loop \(failure.name)") })
      Signal<Int>.error(Failure(.range)).subscribe()
      try loop.onUnhandledError(nil)
      Signal<Int>.error(Failure(.range)).subscribe()
      try loop.onUnhandledError(
        UnhandledErrorHook { [trace] failure, _, _ in trace.add("loop \(failure.name)") })
      closeEmpty(loop)
      Signal<Int>.error(Failure(.range)).subscribe()
      UnhandledErrorHook.install(nil)
      #expect(trace.take() == "loop ERANGE | process ERANGE | process ERANGE")
    }

    @Test func anotherThreadAndAClosedLoopAreRefused() throws {
      let loop = try Loop()
      @Sendable func code<Answer>(_ ask: () throws(Failure) -> Answer) -> String {
        do throws(Failure) { _ = try ask() } catch { return error.name }
        return "answered"
      }
      @Sendable func all() -> [String] {
        [
          code { () throws(Failure) in try loop.turns },
          code { () throws(Failure) in try loop.backendFD },
          code { () throws(Failure) in try loop.backendTimeout },
          code { () throws(Failure) in try loop.pollableFD() },
          code { () throws(Failure) in try loop.onUnhandledError(nil) },
          code { () throws(Failure) in try loop.uv },
          code { () throws(Failure) in try loop.listenTCP(at: "127.0.0.1") },
          code { () throws(Failure) in try loop.listenUnix(at: path) },
          code { () throws(Failure) in
            let socket = lonelySocket()
            do throws(Failure) { _ = try loop.openStream(socket) } catch {
              Glibc.close(socket)
              throw error
            }
          },
          code { () throws(Failure) in try loop.openStream(at: "/dev/ptmx", writes: true) },
        ]
      }
      let directory = TemporaryDirectory()
      let path = directory.path + "/socket"
      #expect(all() == Array(repeating: "answered", count: 10))
      let elsewhere = Box<[String]>([])
      inThread { elsewhere.value = all() + [code { () throws(Failure) in try loop.isAlive }] }
      #expect(elsewhere.value == Array(repeating: "EWRONGTHREAD", count: 11))
      // Another user stays, so that the loop is open.
      let other = try Loop()
      #expect(loop.close() == .ok)
      #expect(all() == Array(repeating: "ECLOSED", count: 10))
      #expect(try !loop.isAlive)
      closeEmpty(other)
      #expect(all() == Array(repeating: "ECLOSED", count: 10))
      #expect(try !loop.isAlive)
    }

    /// Two sockets that are connected, and that no child of another test inherits.
    private func sockets() -> (near: Int32, far: Int32) {
      var ends: [Int32] = [0, 0]
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      #expect(socketpair(AF_UNIX, kind, 0, &ends) == 0)
      return (ends[0], ends[1])
    }

    /// One whose other end is closed.
    private func lonelySocket() -> Int32 {
      let (near, far) = sockets()
      Glibc.close(near)
      return far
    }

    /// Whether the other one has been closed. (Its number may name another test's descriptor.)
    private func isAtEnd(_ near: Int32) -> Bool {
      var byte: UInt8 = 0
      return recv(near, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }

    @Test func aDescriptorStaysTheCallersWhereTheLoopCannotBeAsked() throws {
      let loop = try Loop()
      let (near, far) = sockets()
      inThread {
        let failure = #expect(throws: Failure.self) { try loop.openStream(far) }
        #expect(failure?.code == .wrongThread)
      }
      #expect(!isAtEnd(near))
      closeEmpty(loop)
      let failure = #expect(throws: Failure.self) { try loop.openStream(far) }
      #expect(failure?.code == .closed)
      #expect(!isAtEnd(near))
      Glibc.close(far)
      #expect(isAtEnd(near))
      Glibc.close(near)
    }
  }
}
