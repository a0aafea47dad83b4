// error: result of call to 'next(_:waitingAtMost:)' is unused
import Belay

func send(_ subscriber: Subscriber<Int>) {
  subscriber.next(1, waitingAtMost: .seconds(1))
}
