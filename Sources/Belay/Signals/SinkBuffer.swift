/// An emitter's sinks, in the order of their coming. Holds a reference to each.
struct SinkBuffer<Value> {
  typealias Element = Unmanaged<Sink<Value>>

  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  /// The sinks are at the places from `start` up to, and without, `end`.
  private(set) var start = 0
  private(set) var end = 0

  init(room: Int) {
    base = Self.memory(room)
    capacity = room
  }

  private static func memory(_ room: Int) -> UnsafeMutablePointer<Element> {
    room == 0 ? noMemory : .allocate(capacity: room)
  }

  private static var noMemory: UnsafeMutablePointer<Element> {
    UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
  }

  private static func free(_ base: UnsafeMutablePointer<Element>) {
    if base != noMemory { base.deallocate() }
  }

  /// Lets go of everything; the buffer is not used any more.
  func destroy() {
    for place in start..<end { base[place].drop() }
    Self.free(base)
  }

  @inline(__always)
  subscript(place: Int) -> Element {
    get { base[place] }
    nonmutating set { base[place] = newValue }
  }

  var count: Int { end - start }
  @inline(__always)
  var isFull: Bool { end == capacity }

  /// Room has been made before.
  @inline(__always)
  mutating func append(_ sink: Element) {
    base[end] = sink
    end &+= 1
  }

  @inline(__always)
  func holds(_ link: Link, at place: Int) -> Bool {
    place >= start && place < end
      && base[place].toOpaque() == Unmanaged.passUnretained(link).toOpaque()
  }

  /// Takes `link` out, if it is the oldest or the newest, as it is more often than not.
  @inline(__always)
  mutating func takeFromAnEnd(_ link: Link) -> Bool {
    if start == end { return false }
    let link = Unmanaged.passUnretained(link).toOpaque()
    if base[end &- 1].toOpaque() == link {
      end &-= 1
    } else if base[start].toOpaque() == link {
      start &+= 1
    } else {
      return false
    }
    if start == end {
      start = 0
      end = 0
    }
    return true
  }

  /// Whether half of the room is before the first sink.
  var isHollow: Bool { start > capacity / 2 }

  /// Makes room for one more; the sinks keep their places.
  mutating func grow() {
    let old = base
    capacity = max(4, capacity * 2)
    base = .allocate(capacity: capacity)
    (base + start).moveInitialize(from: old + start, count: count)
    Self.free(old)
  }

  private mutating func makeEmpty(room: Int) {
    base = Self.memory(room)
    capacity = room
    start = 0
    end = 0
  }

  /// Sinks that were taken out, and the memory that they are in. What their release lets go may
  /// call back, so the emitter is in order before.
  struct Removed {
    fileprivate let base: UnsafeMutablePointer<Element>
    fileprivate let places: Range<Int>

    var count: Int { places.count }

    func forEach(_ body: (Sink<Value>) -> Void) {
      for place in places { base[place]._withUnsafeGuaranteedRef(body) }
    }

    @_optimize(speed)
    func release() {
      for place in places { base[place].drop() }
      SinkBuffer.free(base)
    }
  }

  /// Takes all sinks out.
  mutating func takeAll() -> Removed? {
    if count == 0 { return nil }
    let removed = Removed(base: base, places: start..<end)
    makeEmpty(room: 0)
    return removed
  }

  /// Takes out the sinks that have closed, which are about `expected` in number, and moves the
  /// others together.
  @_optimize(speed)
  mutating func takeClosed(expected: Int) -> Removed {
    let old = base
    let (from, to) = (start, end)
    makeEmpty(room: max(4, to - from - expected))
    var gone = from
    for place in from..<to {
      let sink = old[place]
      sink._withUnsafeGuaranteedRef {
        if $0.isClosed {
          old[gone] = sink
          gone += 1
          return
        }
        if isFull { grow() }
        if $0.life.has(.placed) { $0.slot = UInt32(end) }
        append(sink)
      }
    }
    return Removed(base: old, places: from..<gone)
  }
}
