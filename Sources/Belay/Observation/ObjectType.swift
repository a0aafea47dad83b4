/// The class of observed objects: its declared fields, and whether objects may have further
/// properties by name, which Belay stores.
package final class ObjectType: Entity, @unchecked Sendable {
  package static var mostFields: Int { 64 }

  private var fields = AttachmentList()
  /// Whether objects may have properties that are not declared.
  package let isDynamic: Bool

  package init(isDynamic: Bool) {
    self.isDynamic = isDynamic
    super.init()
  }

  package var hasFields: Bool { fields.first != nil }

  /// Adds a field, before other threads know this. Answers `.invalid` if there is one with its
  /// name.
  package func add(_ field: ObjectField) -> Code {
    if self.field(field.name.address) != nil { return .invalid }
    if fields.count == Self.mostFields { return .range }
    fields.insert(field, before: nil)
    return .ok
  }

  /// Calls `body` with each field, in their order.
  package func eachField(_ body: (ObjectField) -> Void) {
    var next = fields.first
    while let field = next {
      body(unsafeDowncast(field, to: ObjectField.self))
      next = field.next
    }
  }

  package func field(_ name: UInt) -> ObjectField? {
    fields.first(.other, name, 0).map { unsafeDowncast($0, to: ObjectField.self) }
  }
}

/// One field, with the ways to read and write it.
@_spi(Engine) open class ObjectField: Attachment, @unchecked Sendable {
  package final let name: CText
  /// The fields on which its value depends, directly or not, as bits by their numbers.
  private final var dependencies: UInt64 = 0

  /// Whether the host computes the value, and whether it sets it. No lock is held during these
  /// calls.
  final let hasGetter: Bool
  final let hasSetter: Bool

  package init(_ name: CText, hasGetter: Bool, hasSetter: Bool) {
    self.name = name
    self.hasGetter = hasGetter
    self.hasSetter = hasSetter
    super.init()
  }

  /// Makes the field depend on one that was added before.
  package final func depend(on other: ObjectField) {
    dependencies |= other.dependencies | other.bit
  }

  private final var bit: UInt64 { 1 << UInt64(truncatingIfNeeded: number - 1) }
  final func depends(on other: ObjectField) -> Bool { dependencies & other.bit != 0 }

  open override func isNamed(_ one: UInt, _ other: UInt) -> Bool { name.isSame(at: one) }

  final var isReadOnly: Bool { hasGetter && !hasSetter }

  /// Reads the value, and keeps it. A weak reference is not made strong.
  open func load(from object: UnsafeMutableRawPointer?) -> ForeignValue { .null }
  open func store(_ value: ForeignValue, in object: UnsafeMutableRawPointer?) -> Code { .invalid }
}

/// A key of a path, and the keys behind it.
package final class PathKey: @unchecked Sendable {
  package let name: CText
  package let next: PathKey?

  package init(_ name: CText, _ next: PathKey?) {
    self.name = name
    self.next = next
  }

  /// A longer path would need too much stack.
  private static let mostKeys = 1024

  /// The keys of a dotted path; nil if one is empty, or if there are too many.
  package static func path(_ text: UnsafePointer<CChar>) -> PathKey? {
    var first: PathKey?
    var end = CText.length(of: text)
    for _ in 0..<mostKeys {
      var start = end
      while start > 0 && text[start - 1] != CChar(UInt8(ascii: ".")) { start -= 1 }
      if start == end { return nil }
      first = PathKey(CText(text + start, count: end - start), first)
      if start == 0 { return first }
      end = start - 1
    }
    return nil
  }
}

extension ForeignVariable {
  /// The value of the variable, kept.
  package func load() -> ForeignValue {
    func number<Integer: FixedWidthInteger>(_ type: Integer.Type) -> UInt64 {
      UInt64(truncatingIfNeeded: address.loadUnaligned(as: type))
    }
    var bits: UInt64
    switch kind {
    case .bool: bits = number(Int32.self) == 0 ? 0 : 1
    case .int8: bits = number(Int8.self)
    case .int16: bits = number(Int16.self)
    case .int32: bits = number(Int32.self)
    case .uint8: bits = number(UInt8.self)
    case .uint16: bits = number(UInt16.self)
    case .uint32, .float: bits = number(UInt32.self)
    case .int64, .uint64, .double, .pointer: bits = number(UInt64.self)
    default:
      let value = address.loadUnaligned(as: ForeignValue.self)
      keep(value)
      return value
    }
    return ForeignValue(scalar: bits, kind)
  }
}
