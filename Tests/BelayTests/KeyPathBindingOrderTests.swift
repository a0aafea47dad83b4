import Testing

@testable import Belay

extension CoreTests {
  /// Bindings of key paths, and what happens meanwhile: in deliveries, in conversions and on other
  /// threads.
  @Suite struct KeyPathBindingOrder {
    @Test(arguments: [false, true]) func aBindingBeginsInADelivery(bothWays: Bool) {
      let (a, b, c) = (Cell(), Cell(), Cell())
      var late: Disposable?
      let s = a.changes(of: \.x).subscribe(next: { _ in
        if late == nil { late = b.bind(\.x, to: c, \.x, bothWays: bothWays) }
      })
      _ = a.bind(\.x, to: b, \.x, bothWays: true)
      a.x = 5
      #expect(a.x == 5 && b.x == 5 && c.x == 5)
      s.dispose(); late?.dispose()
    }

    @Test func aBindingOfAPropertyBeginsInADelivery() {
      let (a, p, c) = (Cell(), Property(0), Cell())
      var late: Disposable?
      let s = a.changes(of: \.x).subscribe(next: { _ in
        if late == nil { late = p.bind(to: c, \.x) }
      })
      let b = a.bind(\.x, to: p, bothWays: true)
      a.x = 5
      #expect(a.x == 5 && p.value == 5 && c.x == 5)
      s.dispose(); late?.dispose(); b?.dispose()
    }

    @Test func aBindingOfTheOtherSideBeginsInADelivery() {
      let (a, p, c) = (Cell(), Property(0), Cell())
      var late: Disposable?
      let s = p.signal.subscribe(next: { v in
        if late == nil && v == 5 { late = a.bind(\.x, to: c, \.x) }
      })
      let b = p.bind(to: a, \.x, bothWays: true)
      p.set(5)
      #expect(a.x == 5 && p.value == 5 && c.x == 5)
      s.dispose(); late?.dispose(); b?.dispose()
    }

    @Test(arguments: [false, true]) func aConversionSetsTheTarget(bothWays: Bool) {
      let (a, b) = (Cell(), Cell())
      let convert: (Int) -> Int = { v in
        if v == 5 { b.x = 99 }; return v
      }
      let d = a.bind(\.x, to: b, \.x, convert, back: bothWays ? { $0 } : nil)
      a.x = 5
      #expect(!bothWays || a.x == b.x)
      #expect(b.x == (bothWays ? 99 : 5))
      d.dispose()
    }

    @Test func aConversionSetsTheTargetOfAProperty() {
      let (p, b) = (Property(0), Cell())
      let d = p.bind(
        to: b, \.x,
        { v in
          if v == 5 { b.x = 99 }; return v
        }, back: { $0 })
      p.set(5)
      #expect(p.value == b.x && b.x == 99)
      d?.dispose()
    }

    @Test func aConversionSetsTheSource() {
      let (a, b) = (Cell(), Cell())
      let d = a.bind(
        \.x, to: b, \.x,
        { v in
          if v == 5 { a.x = 99 }; return v
        }, back: { $0 })
      a.x = 5
      #expect(a.x == b.x && b.x == 99)
      d.dispose()
    }

    @Test func anObserverOfWhatIsAboutToChangeSetsIt() {
      let (a, b) = (Cell(), Cell())
      let s = b.changes(of: \.x, .prior).subscribe(next: { c in
        if c.isPrior, a.x == 5, b.x == 0 { b.x = 99 }
      })
      let d = a.bind(\.x, to: b, \.x, bothWays: true)
      a.x = 5
      #expect(a.x == b.x)
      s.dispose(); d.dispose()
    }

    @Test func anObserverSetsTheTargetAtTheBeginning() {
      let (a, b) = (Cell(), Cell())
      a.x = 20
      let s = b.changes(of: \.x).subscribe(next: { c in if c.value > 10 { b.x = 10 } })
      let d = a.bind(\.x, to: b, \.x, bothWays: true)
      #expect(a.x == b.x)
      a.x = 30
      #expect(a.x == b.x)
      d.dispose()
      s.dispose()
    }

    @Test(arguments: [false, true]) func oneWaySetsWhatWasChangedByHand(watched: Bool) {
      let (a, t, u) = (Cell(), Cell(), Cell())
      let s = a.changes(of: \.x).subscribe(next: { _ in t.x = 50 })
      let d = a.bind(\.x, to: t, \.x)
      let e = watched ? t.bind(\.x, to: u, \.x) : NopDisposable.shared
      a.x = 1
      #expect(t.x == 1)
      t.x = 7
      a.batch {
        a.x = 2; t.x = 9
      }
      #expect(t.x == 2)
      s.dispose(); d.dispose(); e.dispose()
    }

    @Test func aHopIsReplacedInADelivery() {
      for order in 0..<2 {
        let (root, one, two, e) = (Cell(), Cell(), Cell(), Cell())
        (one.x, two.x, root.next) = (1, 2, one)
        var ds: [Disposable] = []
        func obs() {
          ds.append(
            e.changes(of: \.x).subscribe(next: { ch in
              if ch.value == 9, root.next !== two { root.next = two }
            }))
        }
        if order == 0 { obs() }
        ds.append(root.bind(\.next!.x, to: e, \.x, bothWays: true))
        if order == 1 { obs() }
        one.x = 9
        #expect(e.x == root.next!.x)
        root.next = one
        e.x = 9
        #expect(e.x == root.next!.x)
        for d in ds { d.dispose() }
      }
    }

    @Test func aDeathIsAnsweredInADelivery() {
      for order in 0..<2 {
        let (a, b, c) = (Cell(), Cell(), Cell())
        var target: Cell? = Cell()
        let fresh = Cell()
        var ds: [Disposable] = []
        func obs() {
          ds.append(
            b.changes(of: \.mate).subscribe(next: { ch in if ch.value == nil { b.mate = fresh } }))
        }
        if order == 0 { obs() }
        ds += [
          a.bind(\.mate, to: b, \.mate, bothWays: true),
          b.bind(\.mate, to: c, \.mate, bothWays: true),
          c.bind(\.mate, to: a, \.mate, bothWays: true),
        ]
        if order == 1 { obs() }
        a.mate = target
        #expect(c.mate === target)
        target = nil
        #expect(a.mate === fresh && b.mate === fresh && c.mate === fresh)
        for d in ds { d.dispose() }
      }
    }

    @Test func aBindingEndsInside() {
      let (a, b) = (Cell(), Cell())
      var d: Disposable?
      d = a.bind(
        \.x, to: b, \.x,
        {
          if $0 == 1 { d?.dispose() }; return $0
        }, back: { $0 })
      a.x = 1
      b.x = 2
      #expect(a.x == 1)
      let e = b.changes(of: \.x).subscribe(next: { if $0.value == 5 { d?.dispose() } })
      d = a.bind(\.x, to: b, \.x, bothWays: true)
      a.x = 5
      a.x = 6
      #expect(b.x == 5)
      e.dispose()
    }

    @Test func aSetterSetsAPropertyWhoseObserverSetsTheKey() {
      final class M: Object, @unchecked Sendable {
        @Observed var s = 0
        let p = Property(0)
        var value: Int {
          get { s }
          set { p.set(newValue); s = newValue }
        }
      }
      let (a, m) = (Cell(), M())
      let d = a.bind(\.x, to: m, \.value, bothWays: true)
      let s = m.p.signal.subscribe(next: { if $0 == 5 { m.s = 77 } })
      a.x = 5
      #expect(a.x == m.s)
      d.dispose(); s.dispose()
    }

    @Test func twoKeysOfOneObject() {
      let a = Cell()
      a.x = 1
      let d = a.bind(\.x, to: a, \.y, bothWays: true)
      #expect(a.y == 1)
      a.y = 2
      #expect(a.x == 2)
      a.batch {
        a.x = 3; a.y = 4
      }
      #expect(a.x == 4 && a.y == 4)
      a.batch {
        a.y = 5; a.x = 6
      }
      #expect(a.x == a.y)
      d.dispose()
    }

    @Test func oneWayFromOnePropertyAfterAnother() {
      let (one, other, cell) = (Property(1), Property(2), Cell())
      let binding = one.bind(to: cell, \.x)
      #expect(cell.x == 1)
      binding?.dispose()
      let next = other.bind(to: cell, \.x)
      #expect(cell.x == 2)
      next?.dispose()
    }

    final class Held: @unchecked Sendable { var it: Disposable? }

    @Test func aBindingBeginsWhileAnotherThreadSets() {
      var bad = 0
      for _ in 0..<1000 {
        let (a, b) = (SharedCell(), SharedCell())
        let d = Held()
        race({
          a.value = 1; a.value = 2; a.value = 3
        }) { d.it = a.bind(\.value, to: b, \.value, bothWays: true) }
        if a.value != b.value { bad += 1 }
        d.it?.dispose()
      }
      #expect(bad == 0)
    }

    /// Of the first side of a binding, or of its second.
    @Test(arguments: [false, true])
    func aSecondBindingBeginsWhileAnotherThreadSets(ofTarget: Bool) {
      var bad = 0
      for _ in 0..<1000 {
        let (a, b, c) = (SharedCell(), SharedCell(), SharedCell())
        let e = a.bind(\.value, to: b, \.value, bothWays: true)
        let d = Held()
        race({ for value in 1...3 { a.value = value } }) {
          d.it = (ofTarget ? b : a).bind(\.value, to: c, \.value, bothWays: true)
        }
        if a.value != b.value || a.value != c.value { bad += 1 }
        d.it?.dispose()
        e.dispose()
      }
      #expect(bad == 0)
    }

    @Test func aRowThatTwoThreadsSet() {
      var bad = 0
      for i in 0..<1500 {
        let n = (0..<4).map { _ in SharedCell() }
        let ds = [
          n[0].bind(\.value, to: n[1], \.value, bothWays: true),
          n[1].bind(\.value, to: n[2], \.value, bothWays: true),
          n[0].bind(\.value, to: n[1], \.value, bothWays: true),
          n[2].bind(\.value, to: n[3], \.value),
        ]
        race({ for k in 1...3 { n[0].value = i * 10 + k } }) {
          for k in 4...6 { n[2].value = i * 10 + k }
        }
        let s = Set(n.map(\.value))
        if s.count != 1 { bad += 1 }
        for d in ds { d.dispose() }
      }
      #expect(bad == 0)
    }

    @Test func sumsThatTwoThreadsSet() {
      var bad = 0
      for i in 0..<1500 {
        let (a, b, c) = (SharedCell(), SharedCell(), SharedCell())
        let ds = [
          a.bind(\.sum, to: b, \.value, bothWays: true),
          c.bind(\.value, to: a, \.other, bothWays: true),
        ]
        race({ for k in 1...3 { b.value = i * 10 + k } }) {
          for k in 4...6 { c.value = i * 10 + k }
        }
        if a.sum != b.value || a.other != c.value { bad += 1 }
        for d in ds { d.dispose() }
      }
      #expect(bad == 0)
    }
  }
}
