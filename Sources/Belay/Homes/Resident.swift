/// An object that its home lists, and interrupts when the home closes.
@_spi(Engine) open class Resident: Upstream, @unchecked Sendable {
  // Its neighbours in the home's list. The last one is its own `next`. Unmanaged, because the list
  // has the references.
  fileprivate final var previous: Unmanaged<Resident>?
  fileprivate final var next: Unmanaged<Resident>?
  @inline(__always)
  package final var isListed: Bool { next != nil }

  /// Whether it still has something to end. A request to list it may arrive when it has not.
  package var isWanted: Bool { !isClosed }

  /// Called when the home closes: ends the subscriptions here without an event.
  package func interrupt() {}

  /// Notes what a close is to name: each subscription, or the entry itself.
  package func describe(in report: ClosingReport) {}
}

/// An entry that is neither a subscription nor an owner: a stream, a listener, or what a source has at
/// its loop.
@_spi(Engine) open class Resource: Resident, @unchecked Sendable {
  /// Its kind in a close's report; nil: the report names its subscription instead.
  open var kind: StaticString? { nil }

  /// Ends it. Any thread may call this.
  open func terminate() {}

  package final override func interrupt() { terminate() }

  package final override func describe(in report: ClosingReport) {
    if let kind { report.note(kind, self, origin) }
  }

  package final override func dispose(noting quiescence: Quiescence?) {
    if !close() { return }
    terminate()
    finalise()
  }
}

/// The residents of a home, in the order of listing, with a reference to each.
struct ResidentList {
  private(set) var first: Unmanaged<Resident>?
  private var last: Unmanaged<Resident>?

  /// Adds a resident that is in no list.
  mutating func append(_ resident: Resident) {
    let added = Unmanaged.passRetained(resident)
    resident.previous = last
    resident.next = added
    if let last { last._withUnsafeGuaranteedRef { $0.next = added } } else { first = added }
    last = added
  }

  /// Takes a resident out, whose reference the caller gives back.
  mutating func remove(_ resident: Resident) {
    let next = Self.after(resident)
    let previous = resident.previous
    if let previous {
      previous._withUnsafeGuaranteedRef { $0.next = next ?? previous }
    } else {
      first = next
    }
    if let next {
      next._withUnsafeGuaranteedRef { $0.previous = previous }
    } else {
      last = previous
    }
    resident.previous = nil
    resident.next = nil
  }

  func forEach(_ body: (Resident) -> Void) {
    var resident = first
    while let held = resident {
      held._withUnsafeGuaranteedRef {
        resident = Self.after($0)
        body($0)
      }
    }
  }

  private static func after(_ resident: Resident) -> Unmanaged<Resident>? {
    resident.next.flatMap {
      $0.toOpaque() == Unmanaged.passUnretained(resident).toOpaque() ? nil : $0
    }
  }
}

/// A listed subscription that waits for something kept at another home, such as a time. Without
/// this entry, its own home would not find the subscription when it closes.
final class WaitingResident: Resident, @unchecked Sendable {
  private unowned(unsafe) let subscription: Link
  private let listingHome: Home
  private let end: () -> Void

  /// - Parameter end: ends the subscription without an event.
  init(_ subscription: Link, at home: Home, end: @escaping () -> Void) {
    self.subscription = subscription
    listingHome = home
    self.end = end
    super.init()
  }

  /// Whether the subscription waits, and so is listed.
  var isWaiting = false {
    didSet {
      if isWaiting == oldValue { return }
      if isWaiting { listingHome.list(self) } else { listingHome.unlist(self) }
    }
  }

  override var isWanted: Bool { isWaiting }
  override func interrupt() { if isWaiting { end() } }
  override func describe(in report: ClosingReport) { report.note(subscription) }
}

/// An entry of an owner that dies at the home, so that the home's close can name the owner. It is a
/// member of the owner, whose death disposes of it.
final class ResidentOwner: Resident, @unchecked Sendable {
  private let label: StaticSite?
  private let site: StaticSite?
  private let listingHome: Home

  init(_ owner: OwnerRecord, at home: Home) {
    label = owner.label
    site = owner.site
    listingHome = home
    super.init()
  }

  override func dispose(noting quiescence: Quiescence?) {
    super.dispose(noting: quiescence)
    listingHome.unlist(self)
  }

  /// The owner lives on. It dies on the thread that ends it.
  override func interrupt() { dispose() }
  override func describe(in report: ClosingReport) {
    report.note("owner", self, Origin(label: label, site: site))
  }
}
