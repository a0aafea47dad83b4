import Belay
import Testing

extension CoreTests {
  /// Destroy notifications: A4-01 to A4-08, A4-20 to A4-24; associated objects: A5-26.
  @Suite struct Notices {
    let trace = Trace()

    /// A notification that adds its name.
    private func set(_ owner: Owner?, _ name: String, info: String? = nil) {
      let witness = info.map { Witness(trace, $0) }
      let code = owner?.record.notify(name, userInfo: witness) { [trace] name, userInfo, _ in
        trace.add(userInfo == nil ? name : "\(name) with info")
      }
      #expect(code == .ok)
    }

    @Test func A4_01_A4_02_withAndWithoutUserInfo() {
      var owner: Owner? = trace.owner()
      set(owner, "plain")
      set(owner, "rich", info: "info")
      owner = nil
      #expect(trace.take() == "deinit | plain | rich with info | info free | dealloc")
    }

    @Test func A4_03_betweenTheStatementBeforeAndTheOneAfter() {
      var owner: Owner? = trace.owner()
      set(owner, "notice")
      trace.add("before")
      owner = nil
      trace.add("after")
      #expect(trace.take() == "before | deinit | notice | dealloc | after")
    }

    @Test func A4_04_A4_05_theMemoryIsStillThere() {
      let object = UnsafeMutablePointer<Int>.allocate(capacity: 1)
      object.pointee = 7
      var owner: Owner? = Owner(address: object, dealloc: { object.deallocate() })
      let record = owner?.record
      owner?.deallocated.watch(trace)
      record?.notify("look") { [trace] name, userInfo, address in
        let number = address?.load(as: Int.self)
        trace.add("\(name) \(number ?? 0) \(userInfo == nil) \(record?.isDying == true)")
      }
      owner = nil
      #expect(trace.take() == "look 7 true true | next () | completed | disposed | free")
    }

    @Test func A4_06_aNameThatIsSetAgainReplaces() {
      var owner: Owner? = trace.owner()
      set(owner, "a", info: "first")
      set(owner, "b")
      set(owner, "a", info: "second")
      #expect(trace.take() == "first free")
      owner = nil
      #expect(trace.take() == "deinit | b | a with info | second free | dealloc")
    }

    @Test func A4_07_removingCancels() {
      var owner: Owner? = trace.owner()
      set(owner, "a", info: "a")
      #expect(owner?.record.removeNotification("b") == .notFound)
      #expect(owner?.record.removeNotification("a") == .ok)
      #expect(trace.take() == "a free")
      #expect(owner?.record.removeNotification("a") == .notFound)
      owner = nil
      #expect(trace.take() == "deinit | dealloc")
    }

    @Test func A4_08_A4_23_onceAndNothingDelaysIt() {
      let parent = Box<Owner?>(Owner())
      let owner = trace.owner()
      set(owner, "a")
      #expect(parent.value?.add(child: owner) == .ok)
      parent.value = nil
      #expect(trace.take() == "deinit | a | dealloc")
      #expect(owner.record.notificationNames == [])
      let late = owner.record.notify("late") { _, _, _ in }
      #expect(late == .dead)
    }

    @Test func A4_09_aDialogIsDismissedWithItsPage() {
      var page: Owner? = Owner()
      let dialog = Box("open")
      page?.record.notify("page", userInfo: dialog) { _, userInfo, _ in
        (userInfo as? Box<String>)?.value = "dismissed"
      }
      let request = PublishSubject<Int>()
      request.watch(trace, "global")
      request.watch(trace, "bound", owner: page)
      page = nil
      #expect(dialog.value == "dismissed")
      request.next(1)
      #expect(trace.take() == "bound disposed | bound free | global next 1")
    }

    @Test func A4_20_A4_21_enumeratedAndToldInTheOrderOfSetting() {
      var owner: Owner? = trace.owner()
      let names = (0..<30).map { "\(29 - $0)" }
      for name in names { set(owner, name) }
      let info = Witness(trace, "info")
      owner?.record.notify("last", userInfo: info) { _, _, _ in }
      #expect(owner?.record.notificationNames == names + ["last"])
      #expect(owner?.record.userInfo(ofNotification: "last") === info)
      #expect(owner?.record.userInfo(ofNotification: "none") == nil)
      owner = nil
      #expect(trace.take() == (["deinit"] + names + ["dealloc"]).joined(separator: " | "))
    }

    @Test func A4_22_onTheThreadOfTheLastRelease() {
      let owner = Box<Owner?>(trace.owner())
      set(owner.value, "notice")
      inThread {
        owner.value = nil
        trace.add("thread ends")
      }
      #expect(trace.take() == "deinit | notice | dealloc | thread ends")
    }

    @Test func A4_24_theEmptyNameIsAName() {
      var owner: Owner? = Owner()
      set(owner, "")
      owner?.record.notify("empty") { [trace] name, _, _ in trace.add(name) }
      #expect(owner?.record.removeNotification("") == .ok)
      owner = nil
      #expect(trace.take() == "empty")
    }

    @Test func A4_24_aNameWithANULIsNone() {
      let owner = trace.owner()
      set(owner, "name")
      let name = "name\0of another"
      let notified = owner.record.notify(name) { [trace] _, _, _ in trace.add("told") }
      let watched = owner.record.watch(owner.record, event: name) { [trace] _ in trace.add("told") }
      #expect(notified == .invalid && watched == .invalid)
      #expect(owner.record.removeNotification(name) == .notFound)
      #expect(owner.record.userInfo(ofNotification: name) == nil)
      #expect(owner.record.post(name) == .invalid)
      #expect(owner.record.unwatch(owner.record, event: name) == .notFound)
      #expect(owner.record.notificationNames == ["name"])
    }

    @Test func rule_1_4_takenUpToTheDeinit() {
      let record = Box<OwnerRecord?>(nil)
      var owner: Owner? = Owner(deinit: {
        record.value?.notify("from the deinit") { [trace] name, _, _ in trace.add(name) }
      })
      record.value = owner?.record
      record.value?.notify("first") { [trace] name, _, _ in
        let late = record.value?.notify("late") { _, _, _ in }
        trace.add("\(name) \(late == .dead)")
      }
      owner = nil
      #expect(trace.take() == "first true | from the deinit")
    }

    // MARK: Associated objects

    @Test func rule_1_4_associatedObjectsAreReleasedInOrderAtStep6() {
      let keys = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 1)
      defer { keys.deallocate() }
      var owner: Owner? = trace.owner()
      let record = owner?.record
      for index in 0..<8 {
        #expect(record?.associate(Witness(trace, "\(index)"), with: keys + index) == .ok)
      }
      record?.notify("notice") { [trace] name, _, _ in
        trace.add("\(name) \(record?.associated(with: keys) != nil)")
      }
      owner = nil
      let freed = (0..<8).map { "\($0) free" }.joined(separator: " | ")
      #expect(trace.take() == "deinit | notice true | \(freed) | dealloc")
      #expect(record?.associated(with: keys) == nil)
      #expect(record?.associate(Witness(trace, "late"), with: keys) == .dead)
    }

    @Test func associatedByEachPolicy() {
      let key = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
      defer { key.deallocate() }
      var owner: Owner? = Owner()
      let record = owner?.record
      do {
        let kept = Witness(trace, "assigned")
        #expect(record?.associate(kept, with: key, policy: .assign) == .ok)
        #expect(record?.associated(with: key) === kept)
        record?.associate(nil, with: key)
      }
      #expect(trace.take() == "assigned free")
      #expect(record?.associate(nil, with: key) == .notFound)
      record?.associate(Witness(trace, "retained"), with: key, policy: .retain)
      #expect(trace.take() == "")
      let original = Witness(trace, "original")
      record?.associate(original, with: key, policy: .copy { _ in Witness(trace, "copy") })
      #expect(trace.take() == "retained free")
      #expect(record?.associated(with: key) !== original)
      owner = nil
      #expect(trace.take() == "copy free")
    }

    @Test func A5_26_oneKeyKeepsKindsApart() {
      let keys = UnsafeMutableRawPointer.allocate(byteCount: 3, alignment: 1)
      defer { keys.deallocate() }
      var owner: Owner? = Owner()
      let record = owner?.record
      record?.associate(Witness(trace, "proxy"), with: keys, kind: keys + 1)
      record?.associate(Witness(trace, "other"), with: keys, kind: keys + 2)
      #expect(trace.take() == "")
      #expect(record?.associated(with: keys, kind: keys + 1) != nil)
      #expect(record?.associated(with: keys) == nil)
      record?.associate(Witness(trace, "new"), with: keys, kind: keys + 1)
      #expect(trace.take() == "proxy free")
      owner = nil
      #expect(trace.take() == "other free | new free")
    }
  }
}
