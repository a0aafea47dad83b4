/// Letters in the order of their coming. Those for one receiver that follow each other share one
/// reference to it, which goes with the last of them.
struct LetterRow: ~Copyable {
  private var base: UnsafeMutablePointer<Letter>
  private var room = 16
  private var end = 0
  private var taken = 0

  init() { base = .allocate(capacity: room) }

  deinit { base.deallocate() }

  var isEmpty: Bool { taken == end }

  /// Answers whether it was empty before.
  @inline(__always)
  @discardableResult
  mutating func append(_ letter: consuming Letter) -> Bool {
    if end == room { grow() }
    let isFirst = isEmpty
    if !letter.keepsReceiver {
      if !isFirst && base[end &- 1].receiver.toOpaque() == letter.receiver.toOpaque() {
        letter.takesReceiver(from: &base[end &- 1])
      } else {
        letter.keepReceiver()
      }
    }
    base[end] = letter
    end &+= 1
    return isFirst
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<Letter>.allocate(capacity: room * 2)
    larger.update(from: base, count: end)
    base.deallocate()
    base = larger
    room *= 2
  }

  /// The oldest letter, to be opened or refused. When none is left the room is there again.
  @inline(__always)
  mutating func takeFirst() -> Letter? {
    if taken == end {
      (taken, end) = (0, 0)
      return nil
    }
    taken &+= 1
    return base[taken &- 1]
  }

  /// Puts `letter`, which keeps its receiver, in the place of the last one, if that is a value of the same receiver's; answers
  /// with the old one.
  mutating func replaceLast(with letter: Letter) -> Letter? {
    guard end > taken, base[end - 1].kind == .value,
      base[end - 1].receiver.toOpaque() == letter.receiver.toOpaque()
    else { return nil }
    var old = base[end - 1]
    base[end - 1] = letter
    base[end - 1].isCounted = old.isCounted
    // Its policy drops it, which is no loss.
    old.isCounted = false
    return old
  }

  func holds(_ receiver: Entity) -> Bool {
    let address = Unmanaged.passUnretained(receiver).toOpaque()
    for place in taken..<end where base[place].receiver.toOpaque() == address { return true }
    return false
  }
}
