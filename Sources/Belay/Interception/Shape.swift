import CBelayClosure

/// The types of a function, parsed from its letters (include/belay/interface.h).
public final class Shape: @unchecked Sendable {
  /// The letters it was made of.
  public let text: StaticSite
  let pointer: OpaquePointer
  /// How many arguments there are, the one that carries the context too.
  let count: Int
  /// Which argument carries the context.
  let context: Int?
  let frameSize: Int
  let resultSize: Int

  /// Throws `.invalid`, with the place, for letters that are no shape; `.range` for too many of
  /// them. (What fails before the object is whole would leak it in Embedded Swift.)
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

  /// How many arguments there are but for the context.
  var argumentCount: Int { count - (context == nil ? 0 : 1) }
  var isVoid: Bool { result.code == UInt8(ascii: "v") }
  var result: CPart { CPart(belay_shape_at(pointer, -1)) }

  func argument(_ index: Int) -> CPart { CPart(belay_shape_at(pointer, Int32(index))) }

  /// The place of an argument that is counted without the context; nil past the end.
  func place(_ index: Int) -> Int? {
    guard index >= 0, index < argumentCount else { return nil }
    if let context, index >= context { return index + 1 }
    return index
  }

  func isSame(as other: Shape) -> Bool { belay_shape_is_same(pointer, other.pointer) }
}
