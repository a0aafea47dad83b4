// error: result of call to 'next(contentsOf:)' is unused
import Belay

func send(_ numbers: SharedSubject<Int>) {
  numbers.next(contentsOf: [1, 2])
}
