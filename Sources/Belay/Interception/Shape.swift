import CBelayClosure

/// The types of a function, parsed from letters (include/belay/interface.h).
package final class Shape: @unchecked Sendable {
  /// The letters.
  public let text: StaticSite
  let pointer: OpaquePointer
  /// The number of arguments, with the context.
  let count: Int
  /// The index of the argument that carries the context.
  let context: Int?
  let frameSize: Int
  let resultSize: Int

  /// Throws `.invalid`, with the position, for wrong letters; `.range` for too many arguments. (It
  /// fails before the object is made, because a failing initializer of a class leaks in Embedded
  /// Swift.)
  package convenience init(_ text: StaticSite) throws(Failure) {
    var wrong: Int32 = 0
    guard let pointer = belay_shape_create(text.pointer, &wrong) else {
      if wrong < 0 { throw Failure(.range, message: "more than 64 arguments") }
      throw Failure(.invalid, message: "the shape \(text.text) is wrong at \(wrong)")
    }
    self.init(text, pointer)
  }

  private init(_ text: StaticSite, _ pointer: OpaquePointer) {
    self.text = text
    self.pointer = pointer
    count = Int(belay_shape_count(pointer))
    let context = Int(belay_shape_context(pointer))
    self.context = context < 0 ? nil : context
    frameSize = belay_shape_frame_size(pointer)
    resultSize = belay_shape_result_size(pointer)
  }

  deinit { belay_shape_free(pointer) }

  /// The number of arguments without the context.
  var argumentCount: Int { count - (context == nil ? 0 : 1) }
  var isVoid: Bool { result.code == UInt8(ascii: "v") }
  var result: CPart { CPart(belay_shape_at(pointer, -1)) }

  func argument(_ index: Int) -> CPart { CPart(belay_shape_at(pointer, Int32(index))) }

  /// The index of an argument that is counted without the context; nil if there is none.
  func position(_ index: Int) -> Int? {
    guard index >= 0, index < argumentCount else { return nil }
    if let context, index >= context { return index + 1 }
    return index
  }

  /// The argument that carries the context; nil if there is none.
  func object(
    _ arguments: UnsafePointer<UnsafeMutableRawPointer?>
  ) -> UnsafeMutableRawPointer? {
    context.flatMap { arguments[$0]?.load(as: UnsafeMutableRawPointer?.self) }
  }

  func isSame(as other: Shape) -> Bool { belay_shape_is_same(pointer, other.pointer) }
}
