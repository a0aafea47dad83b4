// error: result of call to 'next(_:waitingAtMost:)' is unused
import Belay

func send(_ numbers: PublishSubject<Int>) {
  numbers.next(1, waitingAtMost: .seconds(1))
}
