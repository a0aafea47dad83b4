// hello: a window listens to numbers, and a timer closes the window. The same program, with the
// same output, stands beside this one in every language that Belay is bound to.
import Belay
import BelayLoop

let loop = try Loop()
let numbers = PublishSubject<Int>()
var window: Owner? = Owner(deinit: { print("window is closed") })
numbers.filter { $0 % 2 == 0 }.map { $0 * $0 }
  .subscribe(owner: window?.record, next: { print("window sees \($0)") })

for n in 1...4 { numbers.next(n) }
loop.scheduler.schedule(after: .milliseconds(100)) { window = nil }
try loop.run()  // the window goes, and its subscription with it
print("\(numbers.subscriberCount) are listening")
