import Testing

@testable import Belay

extension CoreTests {
  /// Bindings of key paths that read, and set, several keys.
  @Suite struct KeyPathBindingSetters {
    @Test func aSetterOfTwoKeysInAChain() {
      let (a, t, n) = (Cell(), Cell(), Cell())
      a.list = [0, 0]; n.list = [0, 0]
      _ = a.bind(\.list, to: t, \.pair)
      _ = t.bind(\.pair, to: n, \.list)
      a.list = [1, 2]
      #expect(t.pair == [1, 2] && n.list == [1, 2])
    }

    @Test func aSetterOfTwoKeysAndAProperty() {
      let (a, t, p) = (Cell(), Cell(), Property([0, 0]))
      a.list = [0, 0]
      let b = [a.bind(\.list, to: t, \.pair, bothWays: true)]
      let c = t.bind(\.pair, to: p, bothWays: true)
      a.list = [1, 2]
      #expect(t.pair == [1, 2] && p.value == [1, 2] && a.list == [1, 2])
      c?.dispose(); for d in b { d.dispose() }
    }

    @Test func aSetterThatIsABatch() {
      let (a, t, n) = (Cell(), Cell(), Cell())
      a.list = [0, 0]; n.list = [0, 0]
      _ = a.bind(\.list, to: t, \.batchedPair, bothWays: true)
      _ = t.bind(\.batchedPair, to: n, \.list, bothWays: true)
      a.list = [1, 2]
      #expect(t.pair == [1, 2] && n.list == [1, 2] && t.calls == 2)
    }

    @Test func settersOfTwoKeysInARing() {
      let (a, t, n) = (Cell(), Cell(), Cell())
      _ = a.bind(\.pair, to: t, \.pair, bothWays: true)
      _ = t.bind(\.pair, to: n, \.pair, bothWays: true)
      _ = n.bind(\.pair, to: a, \.pair, bothWays: true)
      for m in [a, t, n] { m.forgetCalls() }
      a.pair = [1, 2]
      #expect(a.pair == [1, 2] && t.pair == [1, 2] && n.pair == [1, 2])
      #expect(a.calls < 10 && t.calls < 10 && n.calls < 10)
    }

    @Test func settersOfTwoKeysOnBothSides() {
      let (a, t) = (Cell(), Cell())
      _ = a.bind(\.pair, to: t, \.pair, bothWays: true)
      a.forgetCalls(); t.forgetCalls()
      a.pair = [1, 2]
      #expect(a.pair == [1, 2] && t.pair == [1, 2])
      t.pair = [3, 4]
      #expect(a.pair == [3, 4] && t.pair == [3, 4])
      #expect(a.calls < 10 && t.calls < 10)
    }

    @Test func aSetterThatSetsAKeyTwice() {
      let (a, t) = (Cell(), Cell())
      _ = a.bind(\.twice, to: t, \.twice, bothWays: true)
      a.forgetCalls(); t.forgetCalls()
      a.twice = 1
      #expect(a.x == 1 && t.x == 1)
      #expect(a.calls < 10 && t.calls < 10)
    }

    @Test func aSetterThatSetsAKeyManyTimes() {
      let (a, t) = (Cell(), Cell())
      _ = a.bind(\.items, to: t, \.items, bothWays: true)
      a.forgetCalls(); t.forgetCalls()
      a.items = [1, 2]
      #expect(a.list == [1, 2] && t.list == [1, 2])
      #expect(a.calls < 10 && t.calls < 10)
    }

    @Test func aSetterWhoseStepsAnnounceChanges() {
      let (a, b) = (Tray(), Tray())
      let binding = a.bind(\.items, to: b, \.items, bothWays: true)
      a.items = [1, 2]
      #expect(a.items == [1, 2] && b.items == [1, 2])
      b.add(3)
      #expect(a.items == [1, 2, 3] && b.items == [1, 2, 3])
      binding.dispose()
    }

    @Test func nothingGoesBackOfAKeyThatIsSetTwice() {
      let (a, t) = (Cell(), Cell())
      var backs = 0
      _ = a.bind(
        \.sum, to: t, \.twice, { $0 },
        back: {
          backs += 1; return $0
        })
      a.forgetCalls()
      a.sum = 5
      #expect(t.x == 5 && a.sum == 5)
      #expect(backs == 0 && a.calls == 1)
    }

    @Test func aSetterThatChoosesTheKey() {
      let (a, t) = (Cell(), Cell())
      _ = a.bind(\.buffered, to: t, \.buffered, bothWays: true)
      a.forgetCalls(); t.forgetCalls()
      a.buffered = 1
      #expect(a.buffered == 1 && t.buffered == 1)
      t.buffered = 2
      #expect(a.buffered == 2 && t.buffered == 2)
      #expect(a.calls < 10 && t.calls < 10)
    }

    @Test func aSetterThatChoosesTheKeyFirst() {
      let (a, t) = (Cell(), Cell())
      _ = a.bind(\.bufferedLate, to: t, \.bufferedLate, bothWays: true)
      a.forgetCalls(); t.forgetCalls()
      a.bufferedLate = 1
      #expect(a.bufferedLate == 1 && t.bufferedLate == 1)
      t.bufferedLate = 2
      #expect(a.bufferedLate == 2 && t.bufferedLate == 2)
      #expect(a.calls < 10 && t.calls < 10)
    }

    @Test func aValueOfTwoKeysOfWhichOneIsRead() {
      let (a, t) = (Cell(), Cell())
      a.opt = 7; t.opt = 8
      var backs = 0
      _ = a.bind(
        \.over, to: t, \.over, { $0 },
        back: {
          backs += 1; return $0
        })
      a.over = 1
      #expect(a.over == 1 && t.over == 1)
      t.opt = 9
      #expect(a.over == 9)
      a.over = 3
      #expect(a.over == 3 && t.over == 3)
      #expect(a.calls < 10 && t.calls < 10)
    }

    @Test func twoWaysToOneValue() {
      let (a, t, n) = (Cell(), Cell(), Cell())
      _ = a.bind(\.x, to: t, \.x)
      _ = a.bind(\.x, to: t, \.y)
      _ = t.bind(\.sum, to: n, \.x)
      a.x = 1
      #expect(t.sum == 2 && n.x == 2)
    }

    @Test func twoWaysToAProperty() {
      let (a, t, n) = (Cell(), Cell(), Property(0))
      let ds: [Disposable?] = [
        a.bind(\.x, to: t, \.x), a.bind(\.x, to: t, \.y), t.bind(\.sum, to: n),
      ]
      a.x = 1
      #expect(t.sum == 2 && n.value == 2)
      for d in ds { d?.dispose() }
    }

    @Test func twoWaysFromAProperty() {
      let (a, t, n) = (Property(0), Cell(), Cell())
      let ds: [Disposable?] = [a.bind(to: t, \.x), a.bind(to: t, \.y), t.bind(\.sum, to: n, \.x)]
      a.set(1)
      #expect(t.sum == 2 && n.x == 2)
      for d in ds { d?.dispose() }
    }

    @Test func bothSidesBehindOneHop() {
      let (root, one, two) = (Cell(), Cell(), Cell())
      (one.x, two.x, root.next) = (1, 2, one)
      _ = root.bind(\.next!.x, to: root, \.next!.y)
      #expect(one.y == 1)
      root.next = two
      #expect(two.y == 2)
      two.x = 3
      #expect(two.y == 3)
    }

    @Test func whatAChangedHopLeadsToIsNewer() {
      let (root, one, two, other) = (Cell(), Cell(), Cell(), Cell())
      (one.x, two.x, root.next) = (1, 2, one)
      _ = root.bind(\.next!.x, to: other, \.x)
      _ = other.bind(\.x, to: root, \.next!.y)
      root.next = two
      #expect(other.x == 2 && two.y == 2)
    }

    @Test(arguments: [false, true]) func aBindingOfAKeyToWhatItIsReadBy(r: Bool) {
      let a = Cell()
      (a.x, a.y) = (1, 2)
      let b = a.bind(r ? \.mirroredSum : \.sum, to: a, \.x)
      #expect(a.x == 3)
      b.dispose()
    }

    @Test func sumsAndAProperty() {
      // The property's home is this thread; the object changes here only, ring of three.
      let (a, b, p) = (Cell(), Cell(), Property(0))
      let ds: [Disposable?] = [
        a.bind(\.sum, to: p, bothWays: true), p.bind(to: b, \.sum, bothWays: true),
        b.bind(\.y, to: a, \.y, bothWays: true),
      ]
      a.y = 3
      #expect(a.sum == p.value && b.sum == p.value && a.y == b.y)
      p.set(10)
      #expect(a.sum == 10 && b.sum == 10)
      b.y = 4
      #expect(a.sum == p.value && b.sum == p.value && a.y == b.y)
      for d in ds { d?.dispose() }
    }

    @Test func hopsThatAreBoundThemselves() {
      // Two roots, whose hops are bound, and whose ends are bound.
      let (r, s, one, two) = (Cell(), Cell(), Cell(), Cell())
      (one.x, two.x) = (1, 2)
      r.next = one; s.next = two
      let ds = [
        r.bind(\.next, to: s, \.next, bothWays: true),
        r.bind(\.next!.x, to: s, \.y, bothWays: true),
      ]
      #expect(s.next === one && s.y == 1)
      s.next = two
      #expect(r.next === two && s.y == 2)
      s.y = 5
      #expect(two.x == 5)
      s.next = one
      #expect(s.y == 1 && one.x == 1)
      for d in ds { d.dispose() }
    }

    @Test func oneWayFromAValueThatReadsDifferentKeys() {
      let (a, b) = (Cell(), Cell())
      (a.x, a.y) = (1, 2)
      let d = a.bind(\.buffered, to: b, \.x, { $0 })
      #expect(b.x == 2)
      b.x = 50
      a.flag = true
      #expect(b.x == 1)
      a.y = 7
      a.x = 3
      #expect(b.x == 3)
      a.flag = false
      #expect(b.x == 7)
      d.dispose()
    }

    @Test func aSetterThatSetsAnotherBoundObject() {
      final class M: Object, @unchecked Sendable {
        @Observed var s = 0
        var peer: Cell?
        var value: Int {
          get { s }
          set { peer?.x = newValue * 2; s = newValue }
        }
      }
      let (a, m, q, r) = (Cell(), M(), Cell(), Cell())
      m.peer = q
      let ds = [
        a.bind(\.x, to: m, \.value, bothWays: true), q.bind(\.x, to: r, \.x, bothWays: true),
      ]
      a.x = 4
      #expect(m.s == 4 && q.x == 8 && r.x == 8)
      r.x = 3
      #expect(q.x == 3 && a.x == 4)
      for d in ds { d.dispose() }
    }

    @Test func whatIsNotObserved() {
      let (a, t) = (Cell(), Cell())
      let d = a.bind(\.x, to: t, \.plain, bothWays: true)
      a.x = 3
      #expect(t.plain == 3)
      t.plain = 4
      a.x = 3
      #expect(t.plain == 3)
      let e = t.bind(\.plain, to: a, \.y, bothWays: true)
      #expect(a.y == 3)
      a.y = 8
      #expect(t.plain == 8)
      e.dispose(); d.dispose()
    }
  }
}
