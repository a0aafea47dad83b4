/// Objects in order, like an array of them. The compiler copies what an array does (300 bytes and more) for each
/// type of its elements; for objects of whatever class, it is here once.
package struct ReferenceArray<Element: Swift.AnyObject>: ExpressibleByArrayLiteral {
  private var objects: [Swift.AnyObject] = []

  @inline(__always)
  package init() {}

  @inline(__always)
  package init(arrayLiteral elements: Element...) { for element in elements { append(element) } }

  /// Adds an object at the end.
  @inline(__always)
  package mutating func append(_ element: __owned Element) { objects.append(element) }

  @inline(__always)
  package mutating func insert(_ element: __owned Element, at index: Int) {
    objects.insert(element, at: index)
  }

  /// Removes `element`, if it is there.
  @inline(__always)
  package mutating func remove(_ element: Element) { objects.remove(element) }

  @discardableResult
  @inline(__always)
  package mutating func remove(at index: Int) -> Element { Self.cast(objects.take(at: index)) }

  /// Removes the first object. There is one.
  @inline(__always)
  package mutating func removeFirst() -> Element { remove(at: 0) }

  /// Removes the first `count` objects.
  @inline(__always)
  package mutating func removeFirst(_ count: Int) { objects.drop(count) }

  @inline(__always)
  package mutating func popLast() -> Element? { isEmpty ? nil : remove(at: count - 1) }

  /// Takes out all objects.
  @inline(__always)
  package mutating func takeAll() -> ReferenceArray {
    let all = self
    objects = []
    return all
  }

  /// The same objects in an array of their type: references are alike, whatever their class is.
  @inline(__always)
  package var array: [Element] { unsafeBitCast(objects, to: [Element].self) }

  /// Takes out the objects for which `isTaken` is true, in their order.
  @inline(__always)
  package mutating func take(where isTaken: (Element) -> Bool) -> ReferenceArray {
    var taken = ReferenceArray()
    var left = ReferenceArray()
    for element in self {
      if isTaken(element) { taken.append(element) } else { left.append(element) }
    }
    self = left
    return taken
  }

  @inline(__always)
  fileprivate static func cast(_ object: __owned Swift.AnyObject) -> Element {
    unsafeDowncast(object, to: Element.self)
  }
}

extension ReferenceArray: RandomAccessCollection {
  @inline(__always)
  package var startIndex: Int { 0 }
  @inline(__always)
  package var endIndex: Int { objects.count }

  @inline(__always)
  package subscript(index: Int) -> Element { Self.cast(objects[index]) }
}

extension [Swift.AnyObject] {
  @inline(never)
  fileprivate mutating func take(at index: Int) -> Swift.AnyObject { remove(at: index) }

  @inline(never)
  fileprivate mutating func drop(_ count: Int) { removeFirst(count) }
}
