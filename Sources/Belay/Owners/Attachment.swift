/// What hangs on an owner until its death: a link of an `AttachmentList`.
open class Attachment: @unchecked Sendable {
  final var next: Attachment?
  // It holds this.
  fileprivate final unowned(unsafe) var previous: Attachment?
  fileprivate final var isListed = false

  public init() {}

  /// Its turn in the owner's death. It is let go of afterwards.
  open func fall(from address: UnsafeMutableRawPointer?) {}
}

/// Attachments in the order of adding: links, so that a list costs two words and no type of array.
struct AttachmentList {
  private(set) var first: Attachment?
  // Held by the one before it.
  private unowned(unsafe) var last: Attachment?

  mutating func append(_ new: Attachment) { insert(new, before: nil) }

  mutating func insert(_ new: Attachment, before place: Attachment?) {
    let previous = place == nil ? last : place?.previous
    new.isListed = true
    new.previous = previous
    new.next = place
    if let place { place.previous = new } else { last = new }
    if let previous { previous.next = new } else { first = new }
  }

  /// Takes it out, if it is there still.
  mutating func remove(_ old: Attachment) {
    guard old.isListed else { return }
    old.isListed = false
    let (previous, next) = (old.previous, old.next)
    if let next { next.previous = previous } else { last = previous }
    if let previous { previous.next = next } else { first = next }
    old.next = nil
    old.previous = nil
  }

  mutating func takeFirst() -> Attachment? {
    guard let taken = first else { return nil }
    remove(taken)
    return taken
  }

  func first(where matches: (Attachment) -> Bool) -> Attachment? {
    var place = first
    while let candidate = place {
      if matches(candidate) { return candidate }
      place = candidate.next
    }
    return nil
  }
}

/// What few owners have, made when first needed; under the owner's lock.
final class OwnerAttachments {
  /// The sources of the two signals.
  typealias Phases = (deallocating: PhaseEmitter<Void>, deallocated: PhaseEmitter<Void>)

  /// What falls at the death, in this order.
  enum Kind: UInt8 {
    case notice, association, channel
  }

  final var phases: Phases?
  private final var notices = AttachmentList()
  private final var associations = AttachmentList()
  /// The events of this owner that are watched, by level.
  private final var channels = AttachmentList()
  /// What is falling, or has been the last to.
  private final var falling: Kind?
  /// What ties it to its parent.
  final var bond: ChildBond?
  /// What this owner watches.
  final var watches = AttachmentList()
  /// What waits for the event in progress.
  final var turns = AttachmentList()
  final var waitingPosts = 0
  final var isPosting = false

  subscript(kind: Kind) -> AttachmentList {
    get {
      switch kind {
      case .notice: notices
      case .association: associations
      case .channel: channels
      }
    }
    set {
      switch kind {
      case .notice: notices = newValue
      case .association: associations = newValue
      case .channel: channels = newValue
      }
    }
  }

  /// Whether nothing of this kind is taken any more.
  func hasFallen(_ kind: Kind) -> Bool { falling.map { $0.rawValue >= kind.rawValue } ?? false }

  /// The next to fall, with the reference to it; nil: none is left.
  func takeFalling() -> Unmanaged<Attachment>? {
    var kind = falling ?? .notice
    while true {
      falling = kind
      if let next = self[kind].takeFirst() { return .passRetained(next) }
      guard let following = Kind(rawValue: kind.rawValue + 1) else { return nil }
      kind = following
    }
  }
}

extension CText {
  /// Whether it is the same text, byte for byte.
  package func isSame(as other: UnsafePointer<CChar>) -> Bool {
    var index = 0
    while pointer[index] == other[index] {
      if pointer[index] == 0 { return true }
      index += 1
    }
    return false
  }
}
