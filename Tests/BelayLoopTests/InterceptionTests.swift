import Belay
import BelayLoop
import Testing

extension LoopTests {
  /// Calls of C tables on other threads, told at a loop.
  @Suite struct Interception {
    struct Names {
      var rename: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Int32 = {
        _, name in name == nil ? -1 : 0
      }
    }

    let trace = Trace()

    @Test func A5_06_aStringIsThereStillWhenALoopTellsOfIt() throws {
      let interface = try CInterface<Names>("names")
      let method = try interface.method("rename", \.rename) { $0 }
      let table = UnsafeMutablePointer<Names>.allocate(capacity: 1)
      table.initialize(to: Names())
      let slot = try method.slot(in: table)
      let loop = try Loop()
      slot.invoked.subscribe(next: { [trace] call in
        let here = Loop.current === loop ? "" : "elsewhere "
        trace.add(here + (call.arguments.map { String(cString: $0) } ?? "nil") + " \(call.result)")
      })
      let memory = Box(table)
      inThread {
        var name = Array("first".utf8CString)
        #expect(memory.value.pointee.rename(nil, name) == 0)
        // The caller's string is another now.
        name = Array("later".utf8CString)
        #expect(memory.value.pointee.rename(nil, nil) == -1)
      }
      #expect(trace.take() == "")
      try loop.turn()
      #expect(trace.take() == "first 0 | nil -1")
      interface.isGone(table)
      table.deallocate()
      closeEmpty(loop)
    }
  }
}
