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
      closeEmpty(loop)
    }

    @Test func anEchoOverTCP() throws {
      let loop = try Loop()
      let listener = try loop.listenTCP(at: "127.0.0.1")
      let port = try #require(listener.port)
      #expect(listener.address == "127.0.0.1:\(port)")
      let serving = listener.connections.flatMap { stream in
        stream.write(all: stream.read()).finally { stream.shutDown() }
      }.subscribe()
      loop.connectTCP(to: "localhost", port: port).flatMap { stream -> Signal<Bytes> in
        #expect(stream.peerAddress == listener.address)
        #expect(stream.write("hello") == .ok)
        stream.shutDown()
        return stream.read()
      }.map { $0.text ?? "" }.subscribe(
        next: { [trace] in trace.add($0) },
        completed: { [trace] in
          trace.add("completed")
          serving.dispose()
        })
      try loop.run()
      #expect(trace.take() == "hello | completed")
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
