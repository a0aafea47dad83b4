@_spi(Engine) import Belay
import CBelay

/// A public struct that begins with its size, so that a later version can have more members.
protocol SizedStruct {
  init()
  var size: Int { get }
  /// Its size in the first version. It never changes, because programs are built with it.
  /// `Tests/Package/first_layout.txt` has it, too.
  static var firstSize: Int { get }
}

extension belay_association: SizedStruct { static var firstSize: Int { 56 } }
extension belay_bindable: SizedStruct { static var firstSize: Int { 40 } }
extension belay_binding: SizedStruct { static var firstSize: Int { 48 } }
extension belay_change: SizedStruct { static var firstSize: Int { 48 } }
extension belay_field: SizedStruct { static var firstSize: Int { 56 } }
extension belay_interface_description: SizedStruct { static var firstSize: Int { 72 } }
extension belay_loop_options: SizedStruct { static var firstSize: Int { 48 } }
extension belay_method: SizedStruct { static var firstSize: Int { 40 } }
extension belay_observe_options: SizedStruct { static var firstSize: Int { 24 } }
extension belay_observer: SizedStruct { static var firstSize: Int { 96 } }
extension belay_owner_options: SizedStruct { static var firstSize: Int { 32 } }
extension belay_process_options: SizedStruct { static var firstSize: Int { 72 } }
extension belay_queue_options: SizedStruct { static var firstSize: Int { 32 } }
extension belay_responder: SizedStruct { static var firstSize: Int { 64 } }
extension belay_scheduler_table: SizedStruct { static var firstSize: Int { 72 } }
extension belay_source_options: SizedStruct { static var firstSize: Int { 56 } }
extension belay_stream_options: SizedStruct { static var firstSize: Int { 72 } }
extension belay_udp_options: SizedStruct { static var firstSize: Int { 56 } }
extension belay_worker_options: SizedStruct { static var firstSize: Int { 40 } }

/// Calls `body` with the members that this version knows of a struct of C's. Answers `refused` for NULL, and
/// for a struct that `GrowingStruct` refuses. Does not copy a struct of this version's size.
@inline(__always)
func reading<Struct: SizedStruct, Result>(
  _ given: UnsafePointer<Struct>?, orElse refused: Result,
  _ body: (UnsafePointer<Struct>) -> Result
) -> Result {
  guard let given else { return refused }
  return withUnsafeTemporaryAllocation(of: Struct.self, capacity: 1) { room in
    var known = given
    if given.pointee.size != MemoryLayout<Struct>.size {
      let own = room.baseAddress.unsafelyUnwrapped
      if !GrowingStruct.read(
        given, first: Struct.firstSize, into: own, size: MemoryLayout<Struct>.size)
      {
        return refused
      }
      known = UnsafePointer(own)
    }
    return body(known)
  }
}

/// A copy of a struct of C's; nil where `reading` refuses.
@inline(__always)
func known<Struct: SizedStruct>(_ given: UnsafePointer<Struct>?) -> Struct? {
  reading(given, orElse: nil) { $0.pointee }
}

/// The same for an item of an array. Each item has the size that the first item states.
@inline(__always)
func known<Struct: SizedStruct>(_ items: UnsafePointer<Struct>, at index: Int) -> Struct? {
  let stride = items.pointee.size
  let item = (UnsafeRawPointer(items) + index * stride).assumingMemoryBound(to: Struct.self)
  return item.pointee.size == stride ? known(item) : nil
}

/// Fills a struct of C's, in which the caller has set the size. False where `GrowingStruct` refuses.
@inline(__always)
func fill<Struct: SizedStruct>(_ given: UnsafeMutablePointer<Struct>, with own: Struct) -> Bool {
  withUnsafePointer(to: own) {
    GrowingStruct.write(
      $0, size: MemoryLayout<Struct>.size, first: Struct.firstSize, to: given)
  }
}
