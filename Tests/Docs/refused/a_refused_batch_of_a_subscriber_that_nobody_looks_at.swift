// error: result of call to 'next(contentsOf:)' is unused
import Belay

let numbers = Signal<Int>.create { subscriber in
  subscriber.next(contentsOf: [1, 2])
  return nil
}
