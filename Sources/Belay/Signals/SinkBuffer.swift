/// An emitter's sinks, in the order in which they came, each with a reference.
///
/// It must not move in memory, because `base` may point to `single`. So it is a field of a class.
struct SinkBuffer<Value> {
  typealias Element = Unmanaged<Sink<Value>>

  private var base: UnsafeMutablePointer<Element>
  /// Holds the only sink, so that one sink needs no memory. A buffer with memory of its own keeps here
  /// the closed sink by which `vacate` replaces others.
  private var single: Element?
  /// 0: no memory; 1: `single`; otherwise memory of its own.
  private var capacity: UInt32
  private var first: UInt32 = 0
  private var limit: UInt32 = 0

  /// The sinks are at the indexes `start..<end`.
  @inline(__always)
  var start: Int { Int(first) }
  @inline(__always)
  var end: Int { Int(limit) }

  init(room: Int) {
    (base, capacity) = Self.memory(room)
  }

  private static func memory(_ room: Int) -> (UnsafeMutablePointer<Element>, capacity: UInt32) {
    room <= 1 ? (noMemory, 0) : (.allocate(capacity: room), UInt32(truncatingIfNeeded: room))
  }

  private static var noMemory: UnsafeMutablePointer<Element> {
    UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
  }

  /// Releases everything. The buffer must not be used afterwards.
  func destroy() {
    for index in start..<end { base[index].drop() }
    if capacity > 1 {
      single?.drop()
      base.deallocate()
    }
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  var count: Int { end - start }
  @inline(__always)
  var isFull: Bool { limit == capacity }

  /// Adds a sink. The caller has made room.
  @inline(__always)
  mutating func append(_ sink: Element) {
    base[end] = sink
    limit &+= 1
  }

  @inline(__always)
  func holds(_ link: Link, at index: Int) -> Bool {
    index >= start && index < end
      && base[index].toOpaque() == Unmanaged.passUnretained(link).toOpaque()
  }

  /// Takes `link` out if it is the oldest or the newest sink, as it usually is.
  @inline(__always)
  mutating func takeFromAnEnd(_ link: Link) -> Bool {
    if first == limit { return false }
    let link = Unmanaged.passUnretained(link).toOpaque()
    if base[end &- 1].toOpaque() == link {
      limit &-= 1
    } else if base[start].toOpaque() == link {
      first &+= 1
    } else {
      return false
    }
    if first == limit {
      first = 0
      limit = 0
    }
    return true
  }

  /// Whether more than half of the room is before the first sink.
  var isHollow: Bool { first > capacity / 2 }

  /// Makes room for one more sink. The sinks keep their indices.
  @inline(never)
  mutating func grow() {
    if capacity == 0 {
      // The buffer does not move, so the pointer stays valid.
      base = withUnsafeMutableBytes(of: &single) {
        $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Element.self)
      }
      capacity = 1
      return
    }
    let (old, room) = (base, capacity)
    capacity = max(4, capacity * 2)
    base = .allocate(capacity: Int(capacity))
    (base + start).moveInitialize(from: old + start, count: count)
    if room > 1 { old.deallocate() } else { single = nil }
  }

  /// Replaces the sink at `index`, which is neither the oldest nor the newest one, by a closed one.
  /// Its reference is the caller's then.
  mutating func vacate(_ index: Int) {
    if single == nil {
      let standIn = Sink<Value>()
      _ = standIn.close()
      single = .passRetained(standIn)
    }
    base[index] = single.unsafelyUnwrapped.retain()
  }

  /// Empties the buffer, and returns its former content. The caller empties `single`, too, when it no
  /// longer needs that content.
  private mutating func replaced(room: Int) -> SinkBuffer {
    let old = self
    (base, capacity) = Self.memory(room)
    first = 0
    limit = 0
    return old
  }

  /// Sinks that were taken out, with their memory. The emitter releases them when its buffer is
  /// whole again, because a release may call back.
  struct Removed {
    /// The memory; nil if the sink was in `single`.
    fileprivate let base: UnsafeMutablePointer<Element>?
    fileprivate let indexes: Range<Int>
    /// The only sink, if it was stored in the buffer itself, or the one that replaced others.
    fileprivate let single: Element?

    fileprivate init(_ buffer: SinkBuffer, _ indexes: Range<Int>) {
      base = buffer.capacity > 1 ? buffer.base : nil
      single = buffer.capacity == 1 && indexes.isEmpty ? nil : buffer.single
      self.indexes = indexes
    }

    var count: Int { indexes.count }

    func forEach(_ body: (Sink<Value>) -> Void) {
      single?._withUnsafeGuaranteedRef(body)
      guard let base else { return }
      for index in indexes { base[index]._withUnsafeGuaranteedRef(body) }
    }

    @_optimize(speed)
    func release() {
      single?.drop()
      guard let base else { return }
      for index in indexes { base[index].drop() }
      base.deallocate()
    }
  }

  /// Takes all sinks out.
  mutating func takeAll() -> Removed? {
    if count == 0 { return nil }
    let indexes = start..<end
    let old = replaced(room: 0)
    single = nil
    return Removed(old, indexes)
  }

  /// Takes out the closed sinks, and closes the gaps. `expected` is a guess of their number.
  @_optimize(speed)
  mutating func takeClosed(expected: Int) -> Removed {
    let (from, to) = (start, end)
    let old = replaced(room: max(4, to - from - expected))
    let sinks = old.base
    var gone = from
    for index in from..<to {
      let sink = sinks[index]
      sink._withUnsafeGuaranteedRef {
        if $0.isClosed {
          sinks[gone] = sink
          gone += 1
          return
        }
        if isFull { grow() }
        if $0.life.has(.indexed) { $0.cell = UInt32(end) }
        append(sink)
      }
    }
    single = nil
    return Removed(old, from..<gone)
  }
}
