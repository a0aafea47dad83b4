// error: result of call to 'next' is unused
import Belay

let numbers = Signal<Int>.create { subscriber in
  subscriber.next(1)
  return nil
}
