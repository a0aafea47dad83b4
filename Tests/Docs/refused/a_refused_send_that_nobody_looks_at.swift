// error: result of call to 'next' is unused
import Belay

func send(_ numbers: SharedSubject<Int>) {
  numbers.next(1)
}
