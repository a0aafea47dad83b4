/// What hangs on an owner until its death: a link of an `AttachmentList`.
open class Attachment: @unchecked Sendable {
  /// In the order of falling.
  package enum Kind: UInt8 {
    case notice = 1
    case association, object, channel, proxy, other
  }

  final var kind = Kind.other
  /// Rises with each that is appended to a list.
  final var number = 0
  final var next: Attachment?
  // It holds this.
  fileprivate final unowned(unsafe) var previous: Attachment?
  fileprivate final var isListed = false

  public init() {}

  /// Whether two words name it, of which each kind makes its own sense.
  open func isNamed(_ one: UInt, _ other: UInt) -> Bool { false }

  /// Its turn in the owner's death. It is let go of afterwards.
  open func fall(from address: UnsafeMutableRawPointer?) {}
}

/// Attachments in the order of adding: links, so that a list costs two words and no type of array.
struct AttachmentList {
  private(set) var first: Attachment?
  // Held by the one before it.
  private unowned(unsafe) var last: Attachment?

  /// How many have been put in.
  private(set) var count = 0

  /// Behind the last of its kind.
  mutating func append(_ new: Attachment) {
    var place = first
    while let other = place, other.kind.rawValue <= new.kind.rawValue { place = other.next }
    insert(new, before: place)
  }

  @inline(never)
  mutating func insert(_ new: Attachment, before place: Attachment?) {
    let previous = place == nil ? last : place?.previous
    count += 1
    new.number = count
    new.isListed = true
    new.previous = previous
    new.next = place
    if let place { place.previous = new } else { last = new }
    if let previous { previous.next = new } else { first = new }
  }

  /// Takes it out, if it is there still.
  @inline(never)
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

  @inline(never)
  func first(_ kind: Attachment.Kind, _ one: UInt, _ other: UInt) -> Attachment? {
    var place = first
    while let candidate = place {
      if candidate.kind == kind && candidate.isNamed(one, other) { return candidate }
      place = candidate.next
    }
    return nil
  }
}

/// What few owners have, made when first needed; under the owner's lock.
final class OwnerAttachments {
  /// The sources of the two signals.
  typealias Phases = (deallocating: PhaseEmitter<UnitValue>, deallocated: PhaseEmitter<UnitValue>)

  final var phases: Phases?
  /// The owner as a disposable, which holds it; given up at the death.
  final var compound: CompoundDisposable?
  /// What falls, in the order of its kinds; channels, the events that are watched here, by level.
  final var list = AttachmentList()
  /// What is falling, or has been the last to.
  private final var falling: UInt8 = 0
  /// What ties it to its parent.
  final var bond: ChildBond?
  /// What this owner watches.
  final var watches = AttachmentList()
  /// What waits for the event in progress.
  final var turns = AttachmentList()
  final var waitingPosts = 0
  final var isPosting = false

  /// Whether nothing of this kind is taken any more.
  func hasFallen(_ kind: Attachment.Kind) -> Bool { falling >= kind.rawValue }

  /// The next to fall, with the reference to it; nil: none is left.
  func takeFalling() -> Unmanaged<Attachment>? {
    guard let next = list.takeFirst() else {
      falling = .max
      return nil
    }
    falling = next.kind.rawValue
    return .passRetained(next)
  }
}
