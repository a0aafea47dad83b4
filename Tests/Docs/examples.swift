// What the examples in the comments of the Swift sources take for granted.
import Belay

let words = SharedSubject<String>()

// As a library's header would be imported.
struct file_ops {
  var read: (@convention(c) (UnsafeMutableRawPointer?, Int) -> Int)?
  var seek: (@convention(c) (Int) -> Int32)?
}
