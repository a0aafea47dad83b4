// error: main actor-isolated property 'count' can not be mutated from a Sendable closure
import Belay

@MainActor final class Window { var count = 0 }

func show(_ numbers: Signal<Int>, in window: Window) {
  numbers.subscribeOnMain(disposed: { window.count = 0 })
}
