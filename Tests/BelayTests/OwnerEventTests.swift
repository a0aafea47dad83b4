import Belay
import Testing

extension CoreTests {
  /// Events by name, with owners on both sides: A4-25 to A4-31.
  @Suite struct OwnerEvents {
    let trace = Trace()

    private func watch(
      _ watcher: Owner, _ source: OwnerRecord, _ name: String = "e", level: Int = 1000,
      as label: String = "watch"
    ) {
      let code = watcher.record.watch(source, event: name, level: level) { [trace] event in
        let info = (event.userInfo as? Box<Int>).map { " \($0.value)" } ?? ""
        trace.add("\(label): \(event.name)\(info)")
      }
      #expect(code == .ok)
    }

    @Test func A4_25_watchPostAndUnwatch() {
      let (watcher, a, b) = (Owner(), Owner(), Owner())
      watch(watcher, a.record, "x", as: "a")
      watch(watcher, a.record, "y", as: "a")
      watch(watcher, b.record, "x", as: "b")
      #expect(a.record.post("x", userInfo: Box(1)) == .ok)
      #expect(b.record.post("x") == .ok)
      #expect(b.record.post("y") == .ok)
      #expect(trace.take() == "a: x 1 | b: x")
      #expect(watcher.record.unwatch(a.record, event: "x") == .ok)
      a.record.post("x")
      a.record.post("y")
      #expect(trace.take() == "a: y")
      #expect(watcher.record.unwatch(a.record) == .ok)
      a.record.post("y")
      b.record.post("x")
      #expect(trace.take() == "b: x")
      #expect(watcher.record.unwatch() == .ok)
      b.record.post("x")
      #expect(trace.take() == "")
      #expect(watcher.record.unwatch() == .notFound)
    }

    @Test func A4_26_higherLevelsFirstAndTheSameReplaces() {
      let (one, two, source) = (Owner(), Owner(), Owner())
      #expect(OwnerRecord.defaultEventLevel == 1000)
      watch(one, source.record, as: "usual")
      watch(one, source.record, level: -1, as: "low")
      watch(two, source.record, level: 2000, as: "high")
      watch(two, source.record, as: "second")
      source.record.post("e")
      #expect(trace.take() == "high: e | usual: e | second: e | low: e")
      watch(one, source.record, as: "new")
      source.record.post("e")
      #expect(trace.take() == "high: e | second: e | new: e | low: e")
    }

    @Test func A4_27_onThePostersThreadWithoutALoop() {
      let (watcher, source) = (Owner(), Owner())
      watch(watcher, source.record)
      inThread {
        source.record.post("e")
        trace.add("thread ends")
      }
      #expect(trace.take() == "watch: e | thread ends")
    }

    @Test func A4_28_theHandlerGetsTheWatcherAndHoldsItNot() {
      var watcher: Owner? = Owner(deinit: { [trace] in trace.add("deinit") })
      let record = watcher?.record
      let source = Owner()
      record?.watch(source.record, event: "e") { [trace] event in
        trace.add("\(event.watcher === record) \(event.source === source.record)")
      }
      source.record.post("e")
      #expect(trace.take() == "true true")
      watcher = nil
      #expect(trace.take() == "deinit")
      source.record.post("e")
      #expect(trace.take() == "")
    }

    @Test func A4_29_unwatchingALevelLeavesTheOthers() {
      let (watcher, source) = (Owner(), Owner())
      for level in 1...3 { watch(watcher, source.record, level: level, as: "\(level)") }
      #expect(watcher.record.unwatch(source.record, event: "e", level: 2) == .ok)
      source.record.post("e")
      #expect(trace.take() == "3: e | 1: e")
      #expect(watcher.record.unwatch(source.record, event: "e", level: 2) == .notFound)
    }

    @Test func A4_30_aSourcesDeathEndsItsOwnWatchesOnly() {
      let (watcher, second) = (Owner(), Owner())
      var first: Owner? = Owner()
      first.map { watch(watcher, $0.record, as: "first") }
      watch(watcher, second.record, as: "second")
      first = nil
      second.record.post("e")
      #expect(trace.take() == "second: e")
      #expect(watcher.record.memberCount == 1)
    }

    @Test func A4_31_aReusedAddressInheritsNoWatch() {
      let watcher = Owner()
      for _ in 0..<5000 {
        let source = Owner()
        #expect(source.record.post("e") == .ok)
        watch(watcher, source.record)
      }
      #expect(trace.take() == "")
      #expect(watcher.record.unwatch() == .notFound)
    }

    @Test func rule_1_2_whatIsPostedInsideFollows() {
      let (watcher, source) = (Owner(), Owner())
      watcher.record.watch(source.record, event: "e", level: 2) { [trace] event in
        trace.add("first")
        if event.userInfo != nil { #expect(source.record.post("e") == .queued) }
      }
      watch(watcher, source.record, level: 1, as: "second")
      source.record.post("e", userInfo: Box(1))
      #expect(trace.take() == "first | second: e 1 | first | second: e")
    }

    @Test func theDeadNeitherWatchNorPost() {
      let owner = Owner()
      var other: Owner? = Owner()
      let dead = other?.record
      other = nil
      let watching = dead?.watch(owner.record, event: "e") { _ in }
      let watched = dead.map { owner.record.watch($0, event: "e") { _ in } }
      #expect(watching == .dead)
      #expect(watched == .dead)
      #expect(dead?.post("e") == .dead)
    }
  }
}
