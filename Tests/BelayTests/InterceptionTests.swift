import Belay
import Glibc
import Testing

extension CoreTests {
  /// Slots in C tables from Swift: before and after, answers, ends, and other writers of the table.
  @Suite struct Interception {
    let trace = Trace()
    let interface: OpsInterface

    init() throws { interface = try OpsInterface() }

    private func table() -> Table<Ops> { Table(Ops(), interface.ops) }

    @Test func A1_20_sentTheOriginalInvoked() throws {
      let table = table()
      let slot = try interface.read.slot(in: table.memory)
      let original = table.bits(\.read)
      let sent = slot.sent.subscribe(next: { [trace] in trace.add("sent \($0.1)") })
      #expect(table.bits(\.read) != original)
      let invoked = slot.invoked.subscribe(next: { [trace] in
        trace.add("invoked \($0.arguments.1) -> \($0.result)")
      })
      var buffer: [UInt8] = [0, 0, 0, 0]
      #expect(table.memory.pointee.read(trace.object, &buffer, 3) == 3)
      #expect(buffer == [120, 120, 120, 0])
      #expect(trace.take() == "sent 3 | read 3 | invoked 3 -> 3")
      sent.dispose()
      #expect(table.bits(\.read) != original)
      invoked.dispose()
      #expect(table.bits(\.read) == original)
    }

    @Test func A1_11_aPlaceIsInterceptedOnceForAllWhoAsk() throws {
      let (table, other) = (table(), table())
      let first = try interface.moved.slot(in: table.memory)
      let again = try OpsInterface().moved.slot(in: table.memory)
      let one = first.sent.watch(trace, "one")
      let ours = table.bits(\.moved)
      let two = again.sent.watch(trace, "two")
      #expect(table.bits(\.moved) == ours)
      table.memory.pointee.moved?(trace.object, 1, 2)
      #expect(trace.take() == "one next (1.0, 2.0) | two next (1.0, 2.0) | moved 1.0 2.0")
      // Another table has the same function, and is left alone.
      other.memory.pointee.moved?(trace.object, 3, 4)
      #expect(trace.take() == "moved 3.0 4.0")
      one.dispose()
      two.dispose()
    }

    @Test func A1_12_theOriginalIsAlwaysCalled() throws {
      let table = table()
      let slot = try interface.plain.slot(in: table.memory)
      let watched = slot.sent.watch(trace)
      #expect(table.memory.pointee.plain(6, 7) == 42)
      #expect(trace.take() == "next (6, 7)")
      watched.dispose()
      _ = trace.take()
      #expect(table.memory.pointee.plain(6, 7) == 42)
      #expect(trace.take() == "")
    }

    @Test func A1_13_whoElseWritesIsReportedAndStays() throws {
      let table = table()
      let slot = try interface.plain.slot(in: table.memory)
      let watched = slot.sent.watch(trace)
      let ours = table.memory.pointee.plain
      table.memory.pointee.plain = { $0 - $1 }
      #expect(slot.status == .mismatch)
      // Belay's function still leads to the function that it replaced.
      #expect(ours(6, 7) == 42)
      #expect(trace.take() == "next (6, 7)")
      watched.dispose()
      #expect(trace.take() == "disposed | free")
      #expect(table.memory.pointee.plain(6, 7) == -1)
      #expect(ours(6, 7) == 42)
    }

    @Test func A1_21_whoComesLateGetsNoOldCallsAndTheEnd() throws {
      let table = table()
      let slot = try interface.plain.slot(in: table.memory)
      let first = slot.sent.watch(trace, "first")
      _ = table.memory.pointee.plain(1, 2)
      slot.invoked.watch(trace, "late")
      #expect(trace.take() == "first next (1, 2)")
      #expect(interface.ops.isGone(table.memory) == .ok)
      #expect(
        trace.take() == "first completed | first disposed | first free"
          + " | late completed | late disposed | late free")
      slot.sent.watch(trace, "later")
      #expect(trace.take() == "later completed | later disposed | later free")
      #expect(slot.status == .dead)
      #expect(interface.ops.isGone(table.memory) == .notFound)
      first.dispose()
    }

    @Test func A3_60_anAbsentMethodIsMadeAndReturnsZero() throws {
      let table = table()
      let slot = try interface.absent.slot(in: table.memory)
      #expect(table.memory.pointee.absent == nil)
      let watched = slot.invoked.subscribe(next: { [trace] in
        trace.add("\($0.arguments) -> \($0.result)")
      })
      #expect(table.memory.pointee.absent?(nil, 5) == 0)
      #expect(trace.take() == "5 -> 0")
      // A listener is called on the thread that calls.
      let here = pthread_self()
      let thread = slot.sent.subscribe(next: { [trace] _ in
        trace.add(pthread_equal(pthread_self(), here) != 0 ? "here" : "there")
      })
      let memory = Box(table.memory)
      inThread { _ = memory.value.pointee.absent?(nil, 5) }
      #expect(trace.take() == "there | 5 -> 0")
      watched.dispose()
      thread.dispose()
      #expect(table.memory.pointee.absent == nil)
    }

    @Test func A1_23_A5_20_aNilArgumentIsNil() throws {
      let table = table()
      let slot = try interface.rename.slot(in: table.memory)
      let watched = slot.sent.subscribe(next: { [trace] name in
        trace.add(name.map { "sent " + String(cString: $0) } ?? "sent nothing")
      })
      #expect(table.memory.pointee.rename(trace.object, nil) == nil)
      #expect(trace.take() == "sent nothing | rename nil")
      "two".withCString {
        // A copy was sent. The original gets the caller's own pointer, and so answers with it.
        #expect(table.memory.pointee.rename(trace.object, $0) == $0)
      }
      #expect(trace.take() == "sent two | rename two")
      watched.dispose()
    }

    @Test func aTableInReadOnlyMemoryIsLeftAloneUnlessAskedFor() throws {
      let size = Int(sysconf(Int32(_SC_PAGESIZE)))
      let page = try #require(
        mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
      defer { munmap(page, size) }
      let memory = page.bindMemory(to: Ops.self, capacity: 1)
      memory.initialize(to: Ops())
      mprotect(page, size, PROT_READ)
      let slot = try interface.plain.slot(in: memory)
      slot.sent.watch(trace)
      #expect(trace.take() == "error EROFS | disposed | free")
      let failure = #expect(throws: Failure.self) { try slot.around { _ in 1 } }
      #expect(failure?.code == .readOnly)
      #expect(memory.pointee.plain(6, 7) == 42)
      interface.ops.isGone(memory)

      let unprotecting = try interface.plain.slot(in: memory, unprotects: true)
      let hook = try unprotecting.around { $0.proceed() + 1 }
      #expect(memory.pointee.plain(6, 7) == 43)
      hook.dispose()
      #expect(memory.pointee.plain(6, 7) == 42)
      interface.ops.isGone(memory)
    }
  }
}
