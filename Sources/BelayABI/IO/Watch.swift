@_spi(Engine) import Belay
import BelayIO
@_spi(Engine) import BelayLoop
import CBelay

@_cdecl("belay_ticks")
@implementation
public func belay_ticks(_ l: OpaquePointer!, _ place: belay_tick) -> OpaquePointer! {
  guard let place = LoopTick(rawValue: Int32(bitPattern: place.rawValue)) else {
    return failed(invalid(l))
  }
  guard let loop = open(l) else { return nil }
  return give(loop.core.ticks(place) { ForeignValue(scalar: $0, .uint64) })
}

@_cdecl("belay_poll")
@implementation
public func belay_poll(_ l: OpaquePointer!, _ fd: Int32, _ events: UInt32) -> OpaquePointer! {
  let wanted = PollEvents(rawValue: Int32(bitPattern: events))
  guard fd >= 0, wanted.isPossible else {
    return failed(invalid(l))
  }
  guard let loop = open(l) else { return nil }
  return give(
    loop.core.poll(fd, wanted) { ForeignValue(scalar: UInt64($0.rawValue), .uint32) })
}

@_cdecl("belay_wall_timer")
@implementation
public func belay_wall_timer(_ l: OpaquePointer!, _ date: Double) -> OpaquePointer! {
  guard let date = nanoseconds(date) else { return failed(invalid(l)) }
  guard let loop = open(l) else { return nil }
  return give(loop.core.wallTimer(at: date) { ForeignValue.null })
}

/// The value of an event of a path.
private func fileEvent(_ name: UnsafePointer<CChar>, _ kind: FileEvent.Kind) -> ForeignValue {
  twoValues(textValue(name), ForeignValue(scalar: UInt64(kind.rawValue), .uint32))
}

/// A string, or bytes where the text is not UTF-8.
func textValue(_ cString: UnsafePointer<CChar>) -> ForeignValue {
  textValue(UnsafeRawBufferPointer(start: cString, count: CText.length(of: cString)))
}

/// The same for bytes.
func textValue(_ bytes: UnsafeRawBufferPointer) -> ForeignValue {
  ForeignValue(
    taking: UTF8Text.isValid(bytes) ? StringBox(copying: bytes) : BytesBox(copying: bytes))
}

/// An array of two values, which it takes over.
func twoValues(_ one: ForeignValue, _ other: ForeignValue) -> ForeignValue {
  ForeignValue(taking: ArrayBox(taking: [one, other]))
}

/// A signal of a loop and a path. Takes care of wrong arguments.
func atPath(
  _ l: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ make: (Loop, CText) -> Entity
) -> OpaquePointer? {
  guard let path else { return failed(invalid(l)) }
  return open(l).flatMap { give(make($0, CText(copying: path))) }
}

@_cdecl("belay_file_events")
@implementation
public func belay_file_events(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!
) -> OpaquePointer! {
  atPath(l, path) { $0.user.fileEvents($1, isDeep: false, convert: fileEvent) }
}

@_cdecl("belay_file_poll")
@implementation
public func belay_file_poll(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ seconds: Double
) -> OpaquePointer! {
  guard let interval = nanoseconds(seconds), interval > 0 else { return failed(invalid(l)) }
  return atPath(l, path) { $0.core.fileEvents($1, every: interval, convert: fileEvent) }
}

@_cdecl("belay_tree_events")
@implementation
public func belay_tree_events(
  _ l: OpaquePointer!, _ path: UnsafePointer<CChar>!
) -> OpaquePointer! {
  atPath(l, path) { $0.user.fileEvents($1, isDeep: true, convert: fileEvent) }
}
