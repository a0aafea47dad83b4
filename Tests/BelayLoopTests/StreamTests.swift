import Belay
import BelayIO
import BelayLoop
import Glibc
import Testing

extension LoopTests {
  /// Streams, connections, listeners, and frames of what they send.
  @Suite struct Streams {
    let trace = Trace()

    /// A stream, and the other end as a plain descriptor.
    private func pair(
      _ loop: Loop, _ options: StreamOptions = StreamOptions()
    ) throws -> (stream: Stream, peer: Int32) {
      var ends: [Int32] = [0, 0]
      #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      return (try loop.openStream(ends[0], options), ends[1])
    }

    @Test func bytesAreACollection() {
      let bytes: Bytes = [104, 105]
      #expect(bytes == Bytes("hi") && bytes.text == "hi" && bytes.count == 2)
      #expect(Array(bytes.reversed()) == [105, 104])
      #expect(Set([bytes, Bytes("hi")]).count == 1)
      #expect(Bytes([255]).text == nil && Bytes([]).isEmpty)
    }

    @Test func linesOfAStream() throws {
      let loop = try Loop()
      let (stream, peer) = try pair(loop)
      stream.read().lines().map { $0.text ?? "" }.watch(trace)
      #expect(write(peer, "one\r\ntw", 7) == 7)
      try loop.run(.once)
      #expect(trace.take() == "next one")
      #expect(write(peer, "o\nthree", 7) == 7)
      Glibc.close(peer)
      try loop.run()
      #expect(trace.take() == "next two | next three | completed | disposed | free")
      stream.close()
      closeEmpty(loop)
    }

    @Test func marksBelowZeroAreZero() throws {
      let loop = try Loop()
      var options = StreamOptions()
      (options.readHigh, options.readLow) = (-1, -1)
      let (stream, peer) = try pair(loop, options)
      stream.read().map { $0.text ?? "" }.take(2).watch(trace)
      #expect(write(peer, "one", 3) == 3)
      try loop.run(.once)
      #expect(trace.take() == "next one")
      #expect(write(peer, "two", 3) == 3)
      try loop.run()
      #expect(trace.take() == "next two | completed | disposed | free")
      stream.drained(to: -1).watch(trace)
      #expect(trace.take() == "completed | disposed | free")
      stream.close()
      Glibc.close(peer)
      closeEmpty(loop)
    }

    /// A chunk has more lines than a queue takes.
    @Test func linesAsTextCountLikeTheirBytes() throws {
      let loop = try Loop()
      let (stream, peer) = try pair(loop)
      let text = (1...3000).map { "\($0)\n" }.joined()
      #expect(write(peer, text, text.utf8.count) == text.utf8.count)
      Glibc.close(peer)
      let scheduler = VirtualScheduler()
      var lines: [String] = []
      let subscription = stream.read().lines().utf8().map { "\($0)." }.observe(on: scheduler)
        .subscribe(
          next: { lines.append($0) }, error: { [trace] in trace.add("error \($0.name)") },
          completed: { [trace] in trace.add("completed") })
      while !subscription.isDisposed {
        try loop.turn()
        scheduler.advance(by: .zero)
      }
      #expect(trace.take() == "completed")
      #expect(lines == (1...3000).map { "\($0)." })
      stream.close()
      closeEmpty(loop)
    }

    /// The system tells of a reset once.
    @Test func aWriteHearsOfAResetBeforeTheReader() throws {
      let loop = try Loop()
      let listener = try loop.listenTCP(at: "127.0.0.1")
      var accepted: Stream?
      let accepting = listener.connections.subscribe(next: { accepted = $0 })
      let peer = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = try #require(listener.port).bigEndian
      address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(peer, $0, length) }
      }
      #expect(connected == 0)
      while accepted == nil { try loop.run(.once) }
      let stream = try #require(accepted)
      stream.read().map { $0.text ?? "" }.subscribe(
        error: { [trace] in trace.add("\($0.code.rawValue)") },
        completed: { [trace] in trace.add("completed") })
      var atOnce = linger(l_onoff: 1, l_linger: 0)
      setsockopt(peer, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
      Glibc.close(peer)
      var code = Code.ok
      while !code.isFailure { code = stream.write("x") }
      #expect(code.rawValue == -ECONNRESET)
      while trace.isEmpty { try loop.run(.once) }
      #expect(trace.take() == "\(-ECONNRESET)")
      accepting.dispose()
      listener.close()
      stream.close()
      closeEmpty(loop)
    }

    @Test func aCloseNamesWhatIsOpen() throws {
      let loop = try Loop()
      let (stream, peer) = try pair(loop)
      let listener = try loop.listenTCP(at: "127.0.0.1", StreamOptions(label: "door"))
      var left: [String]?
      #expect(loop.close { left = $0.map { $0.text } } == .ok)
      #expect(left == ["stream", "listener door"])
      withExtendedLifetime((stream, listener)) {}
      Glibc.close(peer)
    }

    @Test func anEchoOverTCP() throws {
      let loop = try Loop()
      let listener = try loop.listenTCP(at: "127.0.0.1")
      let port = try #require(listener.port)
      #expect(listener.address == "127.0.0.1:\(port)")
      let connection = loop.connectTCP(to: "localhost", port: port).do(next: { stream in
        #expect(stream.peerAddress == listener.address)
      })
      try loop.expectEcho(from: listener, over: connection)
      listener.close()
      closeEmpty(loop)
    }

    @Test func whatIsHeldHoldsThePeerBack() throws {
      let loop = try Loop()
      let (stream, peer) = try pair(loop)
      var kept: [Bytes] = []
      let reading = stream.read().subscribe(next: { kept.append($0) })
      let piece = [UInt8](repeating: 1, count: 1 << 16)
      for _ in 0..<50 {
        _ = send(peer, piece, piece.count, Int32(MSG_DONTWAIT))
        try loop.run(.nowait)
      }
      #expect(stream.heldBytes >= 1 << 16 && stream.heldBytes < 1 << 17)
      #expect(kept.reduce(0) { $0 + $1.count + 64 } == stream.heldBytes)
      kept = []
      #expect(stream.heldBytes == 0)
      reading.dispose()
      stream.close()
      Glibc.close(peer)
      closeEmpty(loop)
    }

    @Test func aSilenceIsAskedAboutAfterWholeSeconds() {
      var options = StreamOptions()
      #expect(options.keepAlive == nil)
      let rounded: [(Duration?, Duration?)] = [
        (.seconds(60), .seconds(60)), (.milliseconds(1500), .seconds(2)), (.zero, .seconds(1)),
        (.seconds(-3), .seconds(1)), (.seconds(Int64.max), .seconds(32767)), (nil, nil),
      ]
      for (given, known) in rounded {
        options.keepAlive = given
        #expect(options.keepAlive == known)
      }
    }

    @Test func failuresHaveCodesAndAddresses() throws {
      let loop = try Loop()
      let failure = #expect(throws: Failure.self) { try loop.listenTCP(at: "localhost") }
      #expect(failure?.code == .invalid)
      loop.connectUnix(to: "/nonexistent/socket").subscribe(error: { [trace] in
        trace.add($0.message)
      })
      try loop.run()
      #expect(trace.take() == "/nonexistent/socket: no such file or directory")
      closeEmpty(loop)
    }
  }
}
