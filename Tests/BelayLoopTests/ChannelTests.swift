import Belay
import BelayIO
import BelayLoop
import Glibc
import Testing

extension LoopTests {
  /// What streams stand on besides TCP: Unix sockets, FIFOs, terminals, the pipes of a child; and
  /// datagrams to a group.
  @Suite struct Channels {
    let trace = Trace()

    @Test func anEchoOverAUnixSocket() throws {
      let loop = try Loop()
      let directory = TemporaryDirectory()
      let path = directory.path + "/file"
      let listener = try loop.listenUnix(at: path)
      #expect(listener.address.description == path && listener.port == nil)
      try loop.expectEcho(from: listener, over: loop.connectUnix(to: path))
      listener.close()
      #expect(access(path, F_OK) != 0)
      closeEmpty(loop)
    }

    @Test func linesOfAFIFO() throws {
      let loop = try Loop()
      let directory = TemporaryDirectory()
      let path = directory.path + "/file"
      #expect(mkfifo(path, 0o600) == 0)
      let reader = try loop.openStream(at: path)
      let writer = try loop.openStream(at: path, reads: false, writes: true)
      reader.read().lines().map { $0.text ?? "" }.watch(trace)
      #expect(writer.write("one\ntwo") == .ok)
      writer.shutDown()
      try loop.run()
      #expect(trace.take() == "next one | next two | completed | disposed | free")
      reader.close()
      writer.close()
      let failure = #expect(throws: Failure.self) {
        try loop.openStream(at: directory.path + "/other")
      }
      #expect(failure?.code.rawValue == -ENOENT)
      closeEmpty(loop)
    }

    @Test func aTerminalIsRawUntilItsClose() throws {
      let loop = try Loop()
      let peer = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      // As unlockpt() and ptsname(), which the module has not.
      var number: Int32 = 0
      #expect(ioctl(peer, 0x4004_5431, &number) == 0 && ioctl(peer, 0x8004_5430, &number) == 0)
      let path = "/dev/pts/\(number)"
      var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
      #expect(ioctl(peer, UInt(TIOCSWINSZ), &size) == 0)
      let terminal = try loop.openStream(at: path, reads: true, writes: true)
      #expect(try terminal.windowSize() == WindowSize(columns: 80, rows: 24))
      terminal.windowSizes().map { "\($0.columns)x\($0.rows)" }.take(2).watch(trace)
      size.ws_col = 81
      #expect(ioctl(peer, UInt(TIOCSWINSZ), &size) == 0 && kill(getpid(), SIGWINCH) == 0)
      try loop.run()
      #expect(trace.take() == "next 80x24 | next 81x24 | completed | disposed | free")

      func echoes() -> Bool {
        var attributes = termios()
        tcgetattr(peer, &attributes)
        return attributes.c_lflag & tcflag_t(ECHO) != 0
      }
      #expect(echoes())
      try terminal.setRaw(true)
      #expect(!echoes())
      // No line is awaited: one key comes at once.
      let reading = terminal.read().map { $0.text ?? "" }.take(1)
      reading.watch(trace)
      #expect(write(peer, "k", 1) == 1)
      try loop.run()
      #expect(trace.take() == "next k | completed | disposed | free")
      terminal.close()
      #expect(echoes())
      Glibc.close(peer)

      // Another stream is no terminal.
      var ends: [Int32] = [0, 0]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      let socket = try loop.openStream(ends[0])
      var failure = #expect(throws: Failure.self) { try socket.setRaw(true) }
      #expect(failure?.code.rawValue == -ENOTTY)
      failure = #expect(throws: Failure.self) { _ = try socket.windowSize() }
      #expect(failure?.code.rawValue == -ENOTTY)
      socket.close()
      Glibc.close(ends[1])
      closeEmpty(loop)
    }

    @Test func thePipesOfAChild() throws {
      let loop = try Loop()
      var options = ProcessOptions(["sh", "-c", "cat; echo over >&2; exit 3"])
      options.input = .pipe
      options.output = .pipe
      options.error = .pipe
      loop.process(options).subscribe(next: { [trace] event in
        switch event {
        case .started(let process):
          process.output?.read().lines().subscribe(next: { trace.add($0.text ?? "") })
          process.error?.read().lines().subscribe(next: { trace.add("error \($0.text ?? "")") })
          #expect(process.input?.write("one\ntwo\n") == .ok)
          process.input?.shutDown()
        case .exited(let status, _): trace.add("exited \(status)")
        }
      })
      try loop.run()
      #expect(
        Set(trace.take().split(separator: " | ").map { String($0) }) == [
          "one", "two", "error over", "exited 3",
        ])
      closeEmpty(loop)
    }

    @Test func datagramsToAGroup() throws {
      let loop = try Loop()
      var options = UDPOptions()
      options.groups = ["239.255.77.78"]
      options.interface = "127.0.0.1"
      var sending = UDPOptions()
      sending.local = SocketAddress(host: "127.0.0.1", port: 0)
      sending.interface = "127.0.0.1"
      sending.multicastHops = 1
      let outgoing = PublishSubject<Datagram>()
      let sender = loop.udp(sending, sending: outgoing).subscribe()
      let member = loop.udp(options).subscribe(next: { [trace] event in
        switch event {
        case .bound(let address):
          let group = SocketAddress(host: "239.255.77.78", port: address.port)
          outgoing.next(Datagram(Array("all".utf8), to: group))
        case .received(let bytes, _):
          trace.add(String(decoding: bytes, as: UTF8.self))
          loop.stop()
        case .refused(let failure, _):
          trace.add(failure.name)
          loop.stop()
        }
      })
      try loop.runUntilStopped()
      #expect(trace.take() == "all")
      member.dispose()
      sender.dispose()
      try loop.run()
      options.groups = ["127.0.0.1"]
      loop.udp(options).map { _ in 1 }.watch(trace)
      try loop.run()
      #expect(trace.take() == "error EINVAL | disposed | free")
      closeEmpty(loop)
    }
  }
}
