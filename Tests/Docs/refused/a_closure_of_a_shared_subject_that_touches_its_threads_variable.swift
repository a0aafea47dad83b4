// error: mutation of captured var 'sum' in concurrently-executing code
import Belay

func add(_ numbers: SharedSubject<Int>) -> Int {
  var sum = 0
  numbers.subscribe(next: { sum += $0 })
  return sum
}
