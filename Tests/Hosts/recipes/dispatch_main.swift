// Swift's main queue, which dispatchMain() serves. A callback cannot run the queue. On Linux any thread may
// serve it: a turn takes the loop to its thread, and before a close belay_loop_bind() does.
import Dispatch
import Glibc

var host = host_loop(ctx: nil, enter: nil, leave: { _ in source.cancel() })
let guest = guest_begin(&host)
let source: any DispatchSourceRead = DispatchSource.makeReadSource(
  fileDescriptor: guest_fd(guest), queue: .main)
source.setEventHandler { guest_turn(guest) }
source.setCancelHandler {
  belay_loop_bind(guest_loop(guest))
  exit(guest_end(guest))
}
source.resume()
dispatchMain()
