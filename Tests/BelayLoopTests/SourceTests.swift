import Belay
import BelayIO
import BelayLoop
import Glibc
import Synchronization
import Testing

/// A file of its own in a directory of its own.
private final class TemporaryFile {
  let path: String
  private let directory: String

  init(_ content: String) {
    var template = Array("/tmp/belay-XXXXXX".utf8CString)
    directory = template.withUnsafeMutableBufferPointer { buffer in
      String(cString: mkdtemp(buffer.baseAddress.unsafelyUnwrapped))
    }
    path = directory + "/lines"
    append(content)
  }

  deinit {
    unlink(path)
    rmdir(directory)
  }

  func append(_ content: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    _ = content.withCString { write(file, $0, strlen($0)) }
    close(file)
  }
}

/// Tasks wait until it is open, for ten seconds at most.
private final class TaskGate: Sendable {
  private let isOpen = Atomic<Bool>(false)

  func open() { isOpen.store(true, ordering: .relaxed) }

  func pass() async {
    for _ in 0..<1000 where !isOpen.load(ordering: .relaxed) {
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}

extension LoopTests {
  /// The lines of files, and POSIX signals.
  @Suite struct Sources {
    let trace = Trace()
    private let ending = "completed | disposed | free"

    @Test func fileLines_ofAFile() throws {
      let loop = try Loop()
      let file = TemporaryFile("one\n\ntwo\r\nthree")
      loop.fileLines(file.path).watch(trace)
      #expect(trace.take() == "")
      try loop.run()
      #expect(trace.take() == "next one | next  | next two | next three | \(ending)")
      closeEmpty(loop)
    }

    @Test func fileLines_throughAChain() throws {
      let loop = try Loop()
      let file = TemporaryFile((1...1000).map { "line \($0)\n" }.joined())
      loop.fileLines(file.path).map { $0.count }.scan(0) { $0 + $1 }.buffer(1000)
        .map { $0.last ?? 0 }.watch(trace)
      try loop.run()
      #expect(trace.take() == "next 7893 | \(ending)")
      loop.fileLines(file.path).take(2).watch(trace)
      try loop.run()
      #expect(trace.take() == "next line 1 | next line 2 | \(ending)")
      closeEmpty(loop)
    }

    /// More lines than a queue takes wait for a slow iteration, also what was made of them.
    @Test func fileLines_waitForAnIteration() async throws {
      let there = Worker()
      let file = TemporaryFile((1...4000).map { "line \($0)\n" }.joined())
      var count = 0
      for try await line in there.loop.fileLines(file.path).map({ $0 + "!" }).values {
        count += 1
        if count % 500 == 1 { try await Task.sleep(for: .milliseconds(20)) }
        if line != "line \(count)!" { break }
      }
      #expect(count == 4000)
      there.stop()
    }

    @Test func fileLines_waitForAnotherHome() throws {
      let loop = try Loop()
      let file = TemporaryFile((1...4000).map { "line \($0)\n" }.joined())
      let pool = PoolScheduler(on: loop)
      var lines = 0
      loop.fileLines(file.path).observe(on: pool).map { line -> Int in
        usleep(20)
        return line.isEmpty ? 0 : 1
      }
      .subscribe(next: { lines += $0 }, error: { _ in lines = -1 })
      try loop.run()
      #expect(lines == 4000)
      closeEmpty(loop)
    }

    /// Such a task has no line in hand.
    @Test func fileLines_doNotWaitForTasksOfCallbacks() throws {
      let loop = try Loop()
      let file = TemporaryFile(
        (1...4000).map { "\($0)" + String(repeating: ".", count: 200) + "\n" }.joined())
      var lines = 0
      let gate = TaskGate()
      loop.fileLines(file.path).subscribe(
        next: { _ in
          lines += 1
          if lines % 2 == 0 { Task { await gate.pass() } }
        }, disposed: { gate.open() })
      try loop.run()
      #expect(lines == 4000)
      closeEmpty(loop)
    }

    /// A chunk has more lines than a queue takes.
    @Test func lines_waitForAnIteration() async throws {
      let there = Worker()
      let file = TemporaryFile((1...10000).map { "\($0)\n" }.joined())
      var count = 0
      for try await line in there.loop.fileChunks(file.path).lines().values {
        count += 1
        if count % 500 == 1 { try await Task.sleep(for: .milliseconds(20)) }
        if line.text != "\(count)" { break }
      }
      #expect(count == 10000)
      there.stop()
    }

    @Test func fileLines_withoutAFile() throws {
      let loop = try Loop()
      loop.fileLines("/nonexistent/lines").subscribe(error: { [trace] failure in
        trace.add("\(failure.name) \(failure.message.contains("/nonexistent/lines"))")
      })
      try loop.run()
      #expect(trace.take() == "ENOENT true")
      closeEmpty(loop)
    }

    @Test func fileLines_follow() throws {
      let loop = try Loop()
      let file = TemporaryFile("one\n")
      let subscription = SerialDisposable()
      subscription.set(
        loop.fileLines(file.path, .follow).subscribe(
          next: { [trace] line in
            trace.add("next \(line)")
            if line == "one" { file.append("two\n") }
            if line == "two" { loop.stop() }
          }, disposed: { [trace] in trace.add("disposed") }))
      try loop.runUntilStopped()
      subscription.dispose()
      #expect(trace.take() == "next one | next two | disposed")
      closeEmpty(loop)
    }

    @Test func fileLines_fromTheEnd() throws {
      let loop = try Loop()
      let file = TemporaryFile("one\ntwo\n")
      loop.fileLines(file.path, .fromEnd).watch(trace)
      try loop.run()
      #expect(trace.take() == ending)
      closeEmpty(loop)
    }

    @Test func posixSignal_eachIsAValue() throws {
      let loop = try Loop()
      let received = Counter()
      loop.posixSignal(SIGUSR1).take(3).subscribe(
        next: { [trace] number in
          trace.add("\(number == SIGUSR1)")
          received.add()
          if received.count < 3 { kill(getpid(), SIGUSR1) }
        }, completed: { [trace] in trace.add("completed") })
      let other = loop.posixSignal(SIGUSR2).watch(trace, "other")
      #expect(try loop.isAlive)
      kill(getpid(), SIGUSR1)
      while received.count < 3 { try loop.run(.once) }
      #expect(trace.take() == "true | true | true | completed")
      other.dispose()
      #expect(trace.take() == "other disposed | other free")
      try loop.run()
      closeEmpty(loop)
    }

    @Test func posixSignal_ofNoSuchNumber() throws {
      let loop = try Loop()
      loop.posixSignal(-1).watch(trace)
      #expect(trace.take() == "error EINVAL | disposed | free")
      try loop.run()
      closeEmpty(loop)
    }
  }
}
