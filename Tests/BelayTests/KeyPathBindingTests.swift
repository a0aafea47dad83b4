import Testing

@testable import Belay

extension CoreTests {
  /// What bindings of key paths come to: both sides have the value that was set last, and each is
  /// set to it once, until the binding ends, or either side.
  @Suite struct KeyPathBindings {
    let trace = Trace()

    private final class Node: Object, @unchecked Sendable {
      @Observed var stored = 0
      @Observed var offset = 0
      @Observed var next: Node?
      @ObservedWeak var mate: Node?
      /// How often `value` has been set.
      private(set) var sets = 0

      var value: Int {
        get { stored + offset }
        set {
          sets += 1
          // A ring that does not come to rest fails, and does not hang.
          if sets < 500 { stored = newValue - offset }
        }
      }

      func takeSets() -> Int {
        defer { sets = 0 }
        return sets
      }
    }

    @Test func bindings() {
      let ann = Person()
      var bob: Person? = Person(30)
      ann.bind(\.age, to: bob!, \.age, bothWays: true)
      #expect(bob?.age == 20)
      let subscription = trace.watch(ann.observe(\.age))
      ann.age = 21
      bob?.age = 22
      #expect(ann.age == 22)
      #expect(trace.take() == "20 | 21 | 22")
      let converting = ann.bind(\.age, to: bob!, \.name, { "\($0)" }, back: { Int($0) ?? 0 })
      bob?.name = "7"
      #expect(ann.age == 7 && bob?.age == 7)
      converting.dispose()
      ann.age = 8
      #expect(bob?.name == "7")
      bob = nil
      ann.age = 9
      _ = trace.take()
      subscription.dispose()
    }

    @Test(arguments: [false, true])
    func aKeyPathAndAPropertyFollowEachOtherWithoutAnEcho(fromObject: Bool) {
      let (ann, property) = (Person(), Property(7))
      let binding =
        fromObject
        ? ann.bind(\.age, to: property, bothWays: true)
        : property.bind(to: ann, \.age, bothWays: true)
      #expect(ann.age == (fromObject ? 20 : 7) && property.value == ann.age)
      let one = trace.watch(ann.observe(\.age), as: "object ")
      let two = trace.watch(property.signal, as: "property ")
      _ = trace.take()
      ann.age = 21
      #expect(property.value == 21)
      #expect(trace.take() == "property 21 | object 21")
      property.set(22)
      #expect(ann.age == 22)
      #expect(trace.take() == "object 22 | property 22")
      binding?.dispose()
      ann.age = 23
      property.set(24)
      #expect(ann.age == 23 && property.value == 24)
      one.dispose()
      two.dispose()
    }

    @Test func aKeyPathAndAPropertyWithConversions() {
      let (ann, text) = (Person(), Property(""))
      let binding = ann.bind(\.age, to: text, { "\($0)" }, back: { Int($0) ?? 0 })
      #expect(text.value == "20")
      ann.age = 21
      #expect(text.value == "21")
      text.set("022")
      // The text is not corrected: a value that came through the binding does not come back.
      #expect(ann.age == 22 && text.value == "022")
      binding?.dispose()
      // One way only.
      let oneWay = text.bind(to: ann, \.age, { Int($0) ?? 0 })
      ann.age = 5
      #expect(text.value == "022")
      text.set("6")
      #expect(ann.age == 6)
      oneWay?.dispose()
    }

    @Test(arguments: [false, true], [false, true])
    func aBindingOfAPropertyEndsWithEither(bothWays: Bool, objectDies: Bool) {
      for fromObject in [false, true] { end(fromObject, bothWays, objectDies: objectDies) }
    }

    private func end(_ fromObject: Bool, _ bothWays: Bool, objectDies: Bool) {
      var ann: Person? = Person()
      var property: Property<Int>? = Property(7)
      weak let weakAnn = ann
      let binding =
        fromObject
        ? ann!.bind(\.age, to: property!, bothWays: bothWays)
        : property!.bind(to: ann!, \.age, bothWays: bothWays)
      if objectDies { ann = nil } else { property = nil }
      #expect(binding?.isDisposed == true)
      #expect(!objectDies || weakAnn == nil)
      ann?.age = 3
      property?.set(4)
    }

    @Test func aPropertyIsBoundAtItsHome() {
      let (ann, property) = (Person(), Property(7))
      inThread { #expect(ann.bind(\.age, to: property) == nil) }
    }

    /// Binds each node to the next one, and the last to the first.
    private func ring(_ count: Int, bothWays: Bool) -> ([Node], [Disposable]) {
      let nodes = (0..<count).map { _ in Node() }
      let bindings = nodes.indices.map { index in
        nodes[index].bind(
          \.value, to: nodes[(index + 1) % count], \.value, bothWays: bothWays)
      }
      return (nodes, bindings)
    }

    @Test(arguments: [2, 3, 5], [false, true])
    func aRingComesToRest(count: Int, bothWays: Bool) {
      let (nodes, bindings) = ring(count, bothWays: bothWays)
      for round in 1...10 {
        for node in nodes { _ = node.takeSets() }
        nodes[round % count].value = round
        #expect(nodes.map(\.value) == Array(repeating: round, count: count))
        // By the test, and by one binding for each other node.
        #expect(nodes.map { $0.takeSets() } == Array(repeating: 1, count: count))
      }
      for binding in bindings { binding.dispose() }
    }

    @Test func aRingWithAPropertyComesToRest() {
      let (one, other, property) = (Node(), Node(), Property(0))
      let bindings = [
        one.bind(\.value, to: other, \.value, bothWays: true),
        other.bind(\.value, to: property, bothWays: true),
        property.bind(to: one, \.value, bothWays: true),
      ]
      var sent: [Int] = []
      let subscription = property.signal.subscribe(next: { sent.append($0) })
      let ways: [(Int) -> Void] = [
        { one.value = $0 }, { other.value = $0 }, { property.set($0) },
      ]
      for round in 1...9 {
        _ = (one.takeSets(), other.takeSets())
        ways[round % 3](round)
        #expect(one.value == round && other.value == round && property.value == round)
        #expect(one.takeSets() == 1 && other.takeSets() == 1)
      }
      #expect(sent == Array(0...9))
      subscription.dispose()
      for binding in bindings { binding?.dispose() }
    }

    @Test(arguments: [false, true])
    func whatAnObserverSetsStays(onTheOtherSide: Bool) {
      let (nodes, bindings) = ring(3, bothWays: true)
      let (watched, set) = (nodes[1], nodes[onTheOtherSide ? 0 : 1])
      let subscription = watched.observe(\.value).subscribe(next: { value in
        if value % 10 != 0 { set.value = value + 1 }
      })
      nodes[0].value = 7
      #expect(nodes.map(\.value) == [10, 10, 10])
      nodes[2].value = 15
      #expect(nodes.map(\.value) == [20, 20, 20])
      subscription.dispose()
      for binding in bindings { binding.dispose() }
    }

    /// What it sets is no part of what a binding sets.
    @Test func anObserverSetsWhatIsBoundToOthers() {
      let (nodes, bindings) = ring(2, bothWays: true)
      let (others, otherBindings) = ring(2, bothWays: true)
      let subscription = nodes[1].observe(\.value).subscribe(next: { value in
        others[0].value = value
        others[1].value = -value
      })
      nodes[0].value = 1
      #expect(others.map(\.value) == [-1, -1])
      others[0].value = 2
      #expect(others.map(\.value) == [2, 2] && nodes.map(\.value) == [1, 1])
      subscription.dispose()
      for binding in bindings + otherBindings { binding.dispose() }
    }

    @Test func changesOfABatch() {
      let (nodes, bindings) = ring(2, bothWays: true)
      nodes[0].batch {
        nodes[0].value = 1
        nodes[1].value = 2
      }
      #expect(nodes[0].value == nodes[1].value)
      nodes[0].batch {
        nodes[0].value = 3
        nodes[0].value = 4
      }
      #expect(nodes.map(\.value) == [4, 4])
      for binding in bindings { binding.dispose() }
    }

    /// The value is set at once, and what comes of the batch afterwards.
    @Test(arguments: [false, true])
    func aBindingThatBeginsInABatch(atAProperty: Bool) {
      let (one, other, property) = (Node(), Node(), Property(0))
      var binding: Disposable?
      one.batch {
        one.value = 1
        binding =
          atAProperty
          ? one.bind(\.value, to: property, bothWays: true)
          : one.bind(\.value, to: other, \.value, bothWays: true)
        #expect((atAProperty ? property.value : other.value) == 1)
        one.value = 2
      }
      #expect((atAProperty ? property.value : other.value) == 2 && one.value == 2)
      binding?.dispose()
    }

    /// A value has several keys: what one is set to by another binding is new for all of them.
    @Test func aValueOfSeveralKeys() {
      let (sum, offset, copy) = (Node(), Node(), Node())
      let bindings = [
        sum.bind(\.value, to: copy, \.stored, bothWays: true),
        offset.bind(\.stored, to: sum, \.offset, bothWays: true),
      ]
      sum.value = 5
      #expect(copy.stored == 5)
      offset.stored = 2
      #expect(sum.value == 7 && copy.stored == 7)
      copy.stored = 10
      #expect(sum.stored == 8 && sum.offset == 2 && sum.value == 10)
      // An older version comes after a newer one, because the binding begins only now.
      let late = Node()
      let early = late.bind(\.stored, to: Node(), \.stored)
      late.stored = 4
      sum.stored = 1
      let last = late.bind(\.stored, to: sum, \.offset)
      #expect(sum.value == 5 && copy.stored == 5)
      for binding in bindings + [early, last] { binding.dispose() }
    }

    @Test func aPathThatLeadsElsewhere() {
      let (root, first, second, end) = (Node(), Node(), Node(), Node())
      (first.stored, second.stored) = (1, 2)
      root.next = first
      let firstCopy = Node()
      let other = second.bind(\.stored, to: firstCopy, \.stored, bothWays: true)
      let binding = root.bind(\.next!.stored, to: end, \.stored, bothWays: true)
      #expect(end.stored == 1)
      end.stored = 3
      #expect(first.stored == 3)
      root.next = second
      #expect(end.stored == 2)
      end.stored = 4
      #expect(second.stored == 4 && firstCopy.stored == 4 && first.stored == 3)
      first.stored = 5
      #expect(end.stored == 4)
      root.next = first
      #expect(end.stored == 5)
      binding.dispose()
      other.dispose()
    }

    @Test func theDeathOfWhatAWeakReferenceNames() {
      let (one, other) = (Node(), Node())
      var target: Node? = Node()
      let binding = one.bind(\.mate, to: other, \.mate, bothWays: true)
      other.mate = target
      #expect(one.mate === target && target != nil)
      target = nil
      #expect(one.mate == nil && other.mate == nil)
      let next = Node()
      one.mate = next
      #expect(other.mate === next)
      binding.dispose()
    }

    /// The text is not what comes of its number. It is not corrected, and nothing goes round.
    @Test func conversionsThatAreNoInverses() {
      let (nodes, text) = ([Node(), Node()], Property(""))
      let bindings = [
        nodes[0].bind(\.value, to: nodes[1], \.value, { $0 * 2 }, back: { $0 + 1 }),
        nodes[1].bind(\.value, to: text, { "\($0)" }, back: { Int($0) ?? 0 }),
      ]
      nodes[0].value = 4
      #expect(nodes.map(\.value) == [4, 8] && text.value == "8")
      text.set("007")
      #expect(nodes.map(\.value) == [8, 7] && text.value == "007")
      for binding in bindings { binding?.dispose() }
    }

    @Test func nothingIsLeft() {
      weak var gone: Node?
      do {
        let (nodes, bindings) = ring(3, bothWays: true)
        let property = Property(0)
        nodes[0].bind(\.value, to: property, bothWays: true)
        property.bind(to: nodes[1], \.value, bothWays: true)
        gone = nodes[0]
        #expect(bindings.allSatisfy { !$0.isDisposed })
      }
      #expect(gone == nil)
    }

    @Test(arguments: [2, 3])
    func threadsSetTheSides(count: Int) async {
      for round in 1...200 {
        let nodes = (0..<count).map { _ in SharedCell() }
        let bindings = nodes.indices.map { index in
          nodes[index].bind(\.value, to: nodes[(index + 1) % count], \.value, bothWays: true)
        }
        await withTaskGroup(of: Void.self) { group in
          for node in nodes {
            group.addTask {
              for value in 0..<3 { node.value = round * 10 + value }
            }
          }
        }
        let values = Set(nodes.map(\.value))
        #expect(values.count == 1, "\(nodes.map(\.value))")
        for binding in bindings { binding.dispose() }
      }
    }
  }
}
