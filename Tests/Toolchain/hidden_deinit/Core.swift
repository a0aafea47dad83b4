struct Box<Element>: ~Copyable {
  private let room: UnsafeMutablePointer<Element>

  init(_ element: Element) {
    room = .allocate(capacity: 1)
    room.initialize(to: element)
  }

  var element: Element { room.pointee }

  #if WORKAROUND
    func empty() {
      room.deinitialize(count: 1)
      room.deallocate()
    }
  #else
    deinit {
      room.deinitialize(count: 1)
      room.deallocate()
    }
  #endif
}

public final class Holder<Element> {
  private let box: Box<Element>
  public init(_ element: Element) { box = Box(element) }
  public var element: Element { box.element }
  #if WORKAROUND
    deinit { box.empty() }
  #endif
}
