import Belay
import BelayIO
import BelayLoop
import Glibc
import Testing

extension LoopTests {
  /// Ticks, polls, work, hosts, files, directories and processes.
  @Suite struct SystemSources {
    let trace = Trace()
    private let ending = "completed | disposed | free"

    @Test func ticks_ofATurn() throws {
      let loop = try Loop()
      let places: [LoopTick] = [.check, .prepare, .idle]
      let watches = places.map { place in
        loop.ticks(place).subscribe(next: { [trace] in trace.add("\(place) \($0)") })
      }
      try loop.run(.once)
      #expect(trace.take() == "idle 0 | prepare 0 | check 0")
      watches.forEach { $0.dispose() }
      try loop.run()
      closeEmpty(loop)
    }

    @Test func wallTimer_atATime() throws {
      let loop = try Loop()
      func clock() -> Duration {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
      }
      let due = clock() + .milliseconds(20)
      loop.wallTimer(at: due).map { clock() >= due }.watch(trace)
      try loop.run()
      #expect(trace.take() == "next true | \(ending)")
      loop.wallTimer(at: .seconds(-1)).map { true }.watch(trace)
      try loop.run()
      #expect(trace.take() == "next true | \(ending)")
      let far = loop.wallTimer(at: clock() + .seconds(1000)).map { true }.watch(trace)
      try loop.run(.nowait)
      far.dispose()
      #expect(trace.take() == "disposed | free")
      try loop.run()
      closeEmpty(loop)
    }

    @Test func poll_aPipe() throws {
      let loop = try Loop()
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      _ = "x".withCString { Glibc.write(ends[1], $0, 1) }
      let reader = ends[0]
      loop.poll(reader, for: .readable).take(1).map { $0 == .readable }.watch(trace)
      try loop.run()
      #expect(trace.take() == "next true | \(ending)")
      loop.poll(reader, for: .readable).take(1).map { $0.rawValue }.watch(trace)
      loop.poll(reader, for: .writable).subscribe(error: { [trace] in
        trace.add($0.message)
      })
      #expect(
        trace.take()
          == "cannot poll descriptor \(reader), which this loop has already: file already exists"
      )
      try loop.run()
      #expect(trace.take() == "next 1 | \(ending)")
      ends.forEach { close($0) }
      closeEmpty(loop)
    }

    @Test func poll_forWhatThereIsNot() throws {
      let loop = try Loop()
      for events in [PollEvents(rawValue: 16), PollEvents(rawValue: -1), []] {
        loop.poll(0, for: events).map { $0.rawValue }.watch(trace)
        #expect(trace.take() == "error EINVAL | disposed | free")
      }
      closeEmpty(loop)
    }

    @Test func work_andItsError() throws {
      let loop = try Loop()
      let thread = pthread_self()
      loop.work { pthread_equal(pthread_self(), thread) == 0 }.watch(trace)
      try loop.run()
      #expect(trace.take() == "next true | \(ending)")
      loop.work { () throws -> Int in throw Failure(.range) }.watch(trace)
      try loop.run()
      #expect(trace.take() == "error ERANGE | disposed | free")
      closeEmpty(loop)
    }

    @Test func lookup_numericHosts() throws {
      let loop = try Loop()
      loop.lookup("127.0.0.1", service: "80").map { "\($0.host) \($0.port)" }.watch(trace)
      try loop.run()
      #expect(trace.take() == "next 127.0.0.1 80 | \(ending)")
      loop.lookup("belay-test.invalid").subscribe(error: { [trace] failure in
        trace.add("\(failure.domain) \(failure.message.hasPrefix("belay-test.invalid: "))")
      })
      try loop.run()
      #expect(trace.take() == "libuv true")
      loop.hostName(of: "nonsense").watch(trace)
      try loop.run()
      #expect(trace.take() == "error EINVAL | disposed | free")
      closeEmpty(loop)
    }

    @Test func files_wholeAndInChunks() throws {
      let loop = try Loop()
      let directory = TemporaryDirectory()
      let path = directory.path + "/file"
      loop.writeFile(path, Array("text".utf8)).map { 1 }.watch(trace)
      try loop.run()
      #expect(trace.take() == "next 1 | \(ending)")
      loop.fileBytes(path).map { String(decoding: $0, as: UTF8.self) }.watch(trace)
      try loop.run()
      #expect(trace.take() == "next text | \(ending)")
      loop.writeFile(path, [UInt8](repeating: 0, count: 70_000)).map { 1 }.watch(trace)
      try loop.run()
      loop.fileChunks(path).map { $0.count }.watch(trace)
      try loop.run()
      #expect(trace.take() == "next 1 | \(ending) | next 65536 | next 4464 | \(ending)")
      loop.directoryEntries(directory.path).map { $0.map { "\($0.name) \($0.kind)" } }
        .watch(trace)
      try loop.run()
      #expect(trace.take() == "next [\"file file\"] | \(ending)")
      loop.writeFile(directory.path, []).watch(trace)
      try loop.run()
      #expect(trace.take() == "error EINVAL | disposed | free")
      closeEmpty(loop)
    }

    /// More chunks than a queue takes wait for a slower home.
    @Test func fileChunks_waitForAnotherHome() throws {
      let loop = try Loop()
      let directory = TemporaryDirectory()
      let path = directory.path + "/file"
      let count = 1500
      let file = open(path, O_CREAT | O_WRONLY, 0o600)
      #expect(ftruncate(file, count << 16) == 0)
      close(file)
      let pool = PoolScheduler(on: loop)
      var bytes = 0
      loop.fileChunks(path).observe(on: pool).map { chunk -> Int in
        usleep(20)
        return chunk.count
      }
      .subscribe(next: { bytes += $0 }, error: { _ in bytes = -1 })
      try loop.run()
      #expect(bytes == count << 16)
      // What an operator gathers counts no longer.
      loop.fileChunks(path).take(100).collect().map { $0.count }.watch(trace)
      try loop.run()
      #expect(trace.take() == "next 100 | \(ending)")
      closeEmpty(loop)
    }

    @Test func fileEvents_andTheirPoll() throws {
      let loop = try Loop()
      let directory = TemporaryDirectory()
      let path = directory.path + "/file"
      let all = [
        loop.fileEvents(path), loop.fileEvents(path, every: .milliseconds(5)),
        loop.treeEvents(directory.path),
      ]
      for events in all {
        let created = events.filter { $0.name == "file" && $0.kind == .created }
        created.take(1).map { $0.name }.watch(trace)
        // The first look of a poll has found that there is none.
        try loop.run(.nowait)
        usleep(20_000)
        try loop.run(.nowait)
        directory.write("file", "text")
        try loop.run()
        #expect(trace.take() == "next file | \(ending)")
        unlink(path)
      }
      closeEmpty(loop)
    }

    @Test func process_itsExit() throws {
      let loop = try Loop()
      var options = ProcessOptions(["sh", "-c", "exit $CODE"])
      options.environment = ["CODE=4", "PATH=/bin:/usr/bin"]
      options.directory = "/"
      options.output = .ignore
      loop.process(options).subscribe(
        next: { [trace] event in
          if case .exited(let status, let signal) = event { trace.add("\(status) \(signal)") }
        }, completed: { [trace] in trace.add("completed") })
      try loop.run()
      #expect(trace.take() == "4 0 | completed")
      loop.process(ProcessOptions(["/no/such/program"])).subscribe(error: { [trace] in
        trace.add($0.message)
      })
      loop.process(ProcessOptions([])).watch(trace)
      #expect(
        trace.take()
          == "/no/such/program: no such file or directory | error EINVAL | disposed | free")
      try loop.run()
      closeEmpty(loop)
    }

    @Test func process_thatIsDisposedOf() throws {
      let loop = try Loop()
      let disposals: [ChildDisposal] = [.kill, .terminate(killAfter: .seconds(1))]
      for disposal in disposals {
        var options = ProcessOptions(["sleep", "1000"])
        options.disposal = disposal
        var pid: Int32 = 0
        let process = loop.process(options).subscribe(next: {
          if case .started(let process) = $0 { pid = process.pid }
        })
        #expect(kill(pid, 0) == 0)
        process.dispose()
        for _ in 0..<10_000 where kill(pid, 0) == 0 { usleep(1000) }
        #expect(kill(pid, 0) != 0)
      }
      try loop.run()
      closeEmpty(loop)
    }

    @Test func udp_thereAndBack() throws {
      let loop = try Loop()
      var options = UDPOptions()
      options.local = SocketAddress(host: "127.0.0.1", port: 0)
      let outgoing = PublishSubject<Datagram>()
      let socket = loop.udp(options, sending: outgoing).subscribe(next: { [trace] event in
        switch event {
        case .bound(let address):
          trace.add("bound")
          outgoing.next(Datagram(Array("text".utf8), to: address))
        case .received(let bytes, let sender):
          trace.add("\(String(decoding: bytes, as: UTF8.self)) \(sender.host)")
          outgoing.next(Datagram([1], to: SocketAddress(host: "nowhere", port: 1)))
        case .refused(let failure, let address):
          trace.add("\(failure.name) \(address?.host ?? "")")
          loop.stop()
        }
      })
      try loop.runUntilStopped()
      #expect(trace.take() == "bound | text 127.0.0.1 | EINVAL nowhere")
      socket.dispose()
      try loop.run()
      closeEmpty(loop)
    }

    /// For C a name ends at a NUL, and what is before it names something else.
    @Test func names_withANULAreRefused() throws {
      let loop = try Loop()
      func refused<Value>(_ signal: Signal<Value>, _ place: Int = #line) {
        signal.subscribe(
          next: { [trace] _ in trace.add("\(place) has a value") },
          error: { [trace] in if $0.code != .invalid { trace.add("\(place) \($0.message)") } },
          completed: { [trace] in trace.add("\(place) has completed") })
      }
      func refused(_ make: () throws(Failure) -> some Any, _ place: Int = #line) {
        do throws(Failure) {
          _ = try make()
          trace.add("\(place) is made")
        } catch {
          if error.code != .invalid { trace.add("\(place) \(error.message)") }
        }
      }
      let path = "/etc/passwd\0.txt"
      refused(loop.fileBytes(path))
      refused(loop.writeFile("/tmp/belay-nul-\(getpid())\0.txt", [1]))
      refused(loop.directoryEntries("/etc\0"))
      refused(loop.fileLines(path))
      refused(loop.fileChunks(path))
      refused(loop.fileEvents(path))
      refused(loop.fileEvents(path, every: .milliseconds(1)))
      refused(loop.treeEvents("/etc\0"))
      refused(loop.connectTCP(to: "127.0.0.1\0.example.org", port: 1))
      refused(loop.connectUnix(to: "/tmp/belay-nul\0"))
      refused(loop.lookup("127.0.0.1\0"))
      refused(loop.lookup("127.0.0.1", service: "80\0"))
      refused(loop.hostName(of: "127.0.0.1\0"))
      refused { () throws(Failure) in try loop.openStream(at: "/dev/null\0") }
      refused { () throws(Failure) in try loop.listenTCP(at: "127.0.0.1\0") }
      refused { () throws(Failure) in try loop.listenUnix(at: "/tmp/belay-nul-\(getpid())\0") }
      refused(loop.process(ProcessOptions(["true\0"])))
      refused(loop.process(ProcessOptions(["true", "\0"])))
      var child = ProcessOptions(["true"])
      child.environment = ["NAME=a\0b"]
      refused(loop.process(child))
      child.environment = nil
      child.directory = "/\0"
      refused(loop.process(child))
      for change: (inout UDPOptions) -> Void in [
        { $0.local = SocketAddress(host: "127.0.0.1\0", port: 0) },
        { $0.remote = SocketAddress(host: "127.0.0.1\0", port: 1) },
        { $0.groups = ["224.0.0.251\0"] }, { $0.interface = "127.0.0.1\0" },
      ] {
        var options = UDPOptions()
        change(&options)
        refused(loop.udp(options))
      }
      let outgoing = PublishSubject<Datagram>()
      let socket = loop.udp(sending: outgoing).subscribe(next: { [trace] event in
        switch event {
        case .bound(let address):
          outgoing.next(Datagram([1], to: SocketAddress(host: "127.0.0.1\0", port: address.port)))
        case .refused(let failure, _):
          trace.add(failure.name)
          loop.stop()
        case .received: trace.add("received")
        }
      })
      try loop.runUntilStopped()
      #expect(trace.take() == "EINVAL")
      socket.dispose()
      try loop.run()
      #expect(access("/tmp/belay-nul-\(getpid())", F_OK) == -1)
      closeEmpty(loop)
    }
  }
}
