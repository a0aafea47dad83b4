/// An object that hangs on an owner until the owner's death. It is an element of an
/// `AttachmentList`.
@_spi(Engine) open class Attachment: @unchecked Sendable {
  /// The kind of an attachment. Attachments end in the order of their kinds.
  package enum Kind: UInt8 {
    case notice = 1
    case association, object, channel, proxy, other
  }

  final var kind = Kind.other
  /// A number that rises with each element added to a list.
  final var number = 0
  final var next: Attachment?
  // That element retains this one.
  fileprivate final unowned(unsafe) var previous: Attachment?
  fileprivate final var isListed = false

  public init() {}

  /// Whether two words name it. Each kind of attachment gives them a meaning.
  open func isNamed(_ one: UInt, _ other: UInt) -> Bool { false }

  /// Called at its turn in the owner's death. It is released afterwards.
  open func fall(from address: UnsafeMutableRawPointer?) {}
}

/// Attachments in the order of adding. The list is linked, so it costs two words and no
/// instantiation of an array.
struct AttachmentList {
  private(set) var first: Attachment?
  // The element before retains it.
  private unowned(unsafe) var last: Attachment?

  /// How many have ever been added.
  private(set) var count = 0

  /// Adds an element behind the last one of its kind.
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

  /// Takes an element out, if it is in the list.
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

/// State that few owners have, made when it is first needed. The owner's lock protects it.
final class OwnerAttachments {
  /// The sources of the owner's two signals.
  typealias Phases = (deallocating: PhaseEmitter<UnitValue>, deallocated: PhaseEmitter<UnitValue>)

  final var phases: Phases?
  /// Whether steps 2 and 3 of the death have been run. One thread at a time is in the death.
  final var hasAnnounced = false
  /// The disposable that stands for the bound disposables. Given up at the death.
  final var compound: CompoundDisposable?
  /// The attachments, which end at the death, in the order of kinds. A channel is an event that is
  /// watched here, at one level.
  final var list = AttachmentList()
  /// The kind that is ending, or was the last to end.
  private final var falling: UInt8 = 0
  /// The bond to the parent.
  final var bond: ChildBond?
  /// The watches by which this owner observes others.
  final var watches = AttachmentList()
  /// The events that the owner posts.
  final var turns = EventTurns()

  /// Whether attachments of this kind are refused, because they have ended.
  func hasFallen(_ kind: Attachment.Kind) -> Bool { falling >= kind.rawValue }

  /// Takes out the next attachment to end, with its reference; nil when none is left.
  func takeFalling() -> Unmanaged<Attachment>? {
    guard let next = list.takeFirst() else {
      falling = .max
      return nil
    }
    falling = next.kind.rawValue
    return .passRetained(next)
  }
}
