import Testing

@testable import Belay

extension CoreTests {
  /// Watching key paths by level: A4-25, A4-26, A4-30.
  @Suite struct KeyPathEvents {
    let trace = Trace()

    private func watch<Value>(
      _ watcher: Owner, _ source: Person, _ keyPath: KeyPath<Person, Value>, level: Int = 1000,
      as name: String
    ) {
      let (watcher, record) = (watcher.record, source.owner.record)
      let code = watcher.watch(source, keyPath, level: level) { [trace] event in
        #expect(event.watcher === watcher && event.source === record)
        trace.add("\(name) \(event.value)")
      }
      #expect(code == .ok)
    }

    @Test func A4_25_aKeyPathIsWatchedAndUnwatched() {
      let (watcher, ann, bob) = (Owner(), Person(), Person(30))
      watch(watcher, ann, \.boss?.age, as: "boss")
      watch(watcher, ann, \.title, as: "title")
      watch(watcher, bob, \.age, as: "bob")
      ann.boss = bob
      bob.age = 31
      ann.age = 21
      #expect(trace.take() == "boss Optional(30) | boss Optional(31) | bob 31 | title Ann (21)")
      #expect(watcher.record.unwatch(ann, \.title) == .ok)
      ann.age = 22
      #expect(trace.take() == "")
      #expect(watcher.record.unwatch(ann.owner.record) == .ok)
      bob.age = 32
      #expect(trace.take() == "bob 32")
      #expect(watcher.record.unwatch() == .ok)
      bob.age = 33
      #expect(trace.take() == "")
      #expect(watcher.record.unwatch(bob, \.age) == .notFound)
      #expect(bob.owner.record.memberCount == 0)
      #expect(ann.owner.record.memberCount == 0)
      #expect(ann.owner.record.post(".age") == .invalid)
    }

    @Test func A4_26_higherLevelsOfAKeyPathFirstAndTheSameReplaces() {
      let (one, two, ann) = (Owner(), Owner(), Person())
      watch(one, ann, \.age, as: "usual")
      watch(one, ann, \.age, level: -1, as: "low")
      watch(two, ann, \.age, level: 2000, as: "high")
      ann.age = 21
      #expect(trace.take() == "high 21 | usual 21 | low 21")
      watch(one, ann, \.age, as: "new")
      ann.age = 22
      #expect(trace.take() == "high 22 | new 22 | low 22")
      #expect(one.record.unwatch(ann, \.age, level: -1) == .ok)
      ann.age = 23
      #expect(trace.take() == "high 23 | new 23")
    }

    @Test func A4_30_anObjectsDeathEndsTheWatchesOfItsKeyPathsOnly() {
      let watcher = Owner()
      var ann: Person? = Person()
      let bob = Person(30)
      ann.map { watch(watcher, $0, \.age, as: "ann") }
      watch(watcher, bob, \.age, as: "bob")
      weak let weakAnn = ann
      ann = nil
      #expect(weakAnn == nil)
      bob.age = 31
      #expect(trace.take() == "bob 31")
      #expect(watcher.record.memberCount == 1)
    }
  }
}
