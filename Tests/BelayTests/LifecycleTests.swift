import Testing

@testable import Belay

extension CoreTests {
  /// The word in which the end of a disposable is agreed on: A2-05, F6-11.
  @Suite struct Lifecycles {
    /// RxSwift's fetchOr: the first of two bits that is present, and one to set, give the former
    /// value and both bits.
    @Test(arguments: [(0, 1, 1), (1, 1, 1), (0, 2, 2), (1, 2, 3)])
    func A2_05_F6_11_setAnswersTheFormerStateAndAddsTheMark(_ before: Int, _ set: Int, _ after: Int)
    {
      func marks(_ bits: Int) -> Lifecycle.Marks {
        var marks: Lifecycle.Marks = []
        if bits & 1 != 0 { marks.insert(.awaited) }
        if bits & 2 != 0 { marks.insert(.enrolled) }
        return marks
      }
      let life = Lifecycle()
      life.begin(with: marks(before))
      #expect(life.set(marks(set)).bits == marks(before).rawValue)
      #expect(life.state.bits == marks(after).rawValue)
    }

    @Test func F6_11_aPhaseIsClaimedOnceAndALoserSetsNothing() {
      let life = Lifecycle()
      _ = life.set(.starting)
      let former = life.claim(.closed, with: .tearingDown, .awaited)
      #expect(former?.bits == Lifecycle.Marks.starting.rawValue)
      #expect(life.state.has(Lifecycle.Phases.tearingDown) && life.state.has(.awaited))
      let bits = life.state.bits
      #expect(life.claim(.closed, with: .finalised, .deferred) == nil)
      #expect(life.state.bits == bits)
      #expect(life.claim(.freeing, unless: .awaited) == nil)
      #expect(life.state.bits == bits)
      _ = life.clear(.awaited)
      #expect(life.claim(.freeing, unless: .awaited) != nil)
    }
  }
}
