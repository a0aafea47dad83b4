@_spi(Engine) import Belay
import BelayTesting
import CBelay

// The exported functions repeat the header's declarations, which `@implementation` compares.

private func drawing(_ handle: OpaquePointer?) -> MarbleDrawing? {
  object(handle, MarbleDrawing.self)
}

/// The bytes of a C string. Records the failure, and answers nil, if it is not UTF-8.
private func text(_ label: UnsafePointer<CChar>?) -> [UInt8]? {
  var bytes: [UInt8] = []
  guard var next = label else { return bytes }
  while next.pointee != 0 {
    bytes.append(UInt8(bitPattern: next.pointee))
    next += 1
  }
  if bytes.withUnsafeBytes({ UTF8Text.isValid($0) }) { return bytes }
  fail(.notUTF8)
  return nil
}

/// Calls `body` with a drawing and a text.
private func draw(
  _ handle: OpaquePointer?, _ label: UnsafePointer<CChar>?,
  _ body: (MarbleDrawing, [UInt8]) throws(Failure) -> Code
) -> Int32 {
  guard let drawing = drawing(handle) else { return fail(invalid(handle)) }
  guard let label = text(label) else { return Code.notUTF8.rawValue }
  do throws(Failure) {
    return answer(try body(drawing, label))
  } catch {
    return fail(error)
  }
}

/// The same for a body that always succeeds.
private func draw(
  _ handle: OpaquePointer?, _ label: UnsafePointer<CChar>?, _ body: (MarbleDrawing, [UInt8]) -> Void
) -> Int32 {
  draw(handle, label) { (drawing, label) in
    body(drawing, label)
    return .ok
  }
}

@_cdecl("belay_drawing_create")
@implementation
public func belay_drawing_create(_ frame: Double) -> OpaquePointer! {
  guard frame >= 1e-9, let nanoseconds = nanoseconds(frame) else { return failed(.invalid) }
  return give(MarbleDrawing(nanoseconds))
}

@_cdecl("belay_drawing_retain")
@implementation
public func belay_drawing_retain(_ d: OpaquePointer!) -> OpaquePointer! { retain(d) }

@_cdecl("belay_drawing_release")
@implementation
public func belay_drawing_release(_ d: OpaquePointer!) { release(d) }

@_cdecl("belay_drawing_row")
@implementation
public func belay_drawing_row(_ d: OpaquePointer!, _ name: UnsafePointer<CChar>!) -> Int32 {
  draw(d, name) { $0.row($1) }
}

@_cdecl("belay_drawing_box")
@implementation
public func belay_drawing_box(_ d: OpaquePointer!, _ text: UnsafePointer<CChar>!) -> Int32 {
  draw(d, text) { $0.box($1) }
}

@_cdecl("belay_drawing_mark")
@implementation
public func belay_drawing_mark(
  _ d: OpaquePointer!, _ mark: belay_mark, _ seconds: Double, _ label: UnsafePointer<CChar>!
) -> Int32 {
  draw(d, label) { drawing, label in
    guard mark.rawValue <= 4, let time = nanoseconds(seconds), time >= 0,
      let mark = MarbleDrawing.Mark(rawValue: UInt8(mark.rawValue))
    else { return .invalid }
    return drawing.add(mark, at: time, label)
  }
}

@_cdecl("belay_drawing_diagram")
@implementation
public func belay_drawing_diagram(
  _ d: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ diagram: UnsafePointer<CChar>!
) -> Int32 {
  guard let diagram else { return fail(.invalid) }
  guard let marbles = text(diagram) else { return Code.notUTF8.rawValue }
  return draw(d, name) { (drawing, name) throws(Failure) in
    try drawing.diagram(name, marbles)
    return .ok
  }
}

@_cdecl("belay_drawing_define")
@implementation
public func belay_drawing_define(
  _ d: OpaquePointer!, _ mark: CChar, _ label: UnsafePointer<CChar>!
) -> Int32 {
  draw(d, label) { drawing, label in
    guard isalnum(UInt8(bitPattern: mark)) else { return .invalid }
    drawing.define(UInt8(bitPattern: mark), label)
    return .ok
  }
}

@_cdecl("belay_drawing_record")
@implementation
public func belay_drawing_record(
  _ d: OpaquePointer!, _ scheduler: OpaquePointer!, _ signal: OpaquePointer!,
  _ name: UnsafePointer<CChar>!
) -> OpaquePointer! {
  guard let signal = take(signal, CSignal.self) else { return failed(.missing) }
  guard let drawing = drawing(d), let scheduler = object(scheduler, Scheduler.self) else {
    return failed(invalid(d, scheduler))
  }
  guard let name = text(name) else { return nil }
  return give(signal.drawn(in: drawing, name, on: scheduler) { Array($0.text.utf8) })
}

private func write(
  _ d: OpaquePointer?, asText isText: Bool, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
  let bytes = drawing(d)?.drawn(asText: isText) ?? []
  return bytes.withUnsafeBufferPointer { write($0, buffer, size) }
}

@_cdecl("belay_drawing_text")
@implementation
public func belay_drawing_text(
  _ d: OpaquePointer!, _ buffer: UnsafeMutablePointer<CChar>!, _ size: Int
) -> Int {
  write(d, asText: true, buffer, size)
}

@_cdecl("belay_drawing_svg")
@implementation
public func belay_drawing_svg(
  _ d: OpaquePointer!, _ buffer: UnsafeMutablePointer<CChar>!, _ size: Int
) -> Int {
  write(d, asText: false, buffer, size)
}
