// error: actor-isolated property 'sum' can not be mutated from a nonisolated context
import Belay

actor Account {
  var sum = 0
  nonisolated func follow(_ amounts: Signal<Int>) {
    amounts.subscribe(next: { self.sum += $0 })
  }
}
