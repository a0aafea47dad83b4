// error: 'isShared' is inaccessible due to 'package' protection level
import Belay

var options = SourceOptions()
options.isShared = true
let numbers = PublishSubject<Int>(options)
