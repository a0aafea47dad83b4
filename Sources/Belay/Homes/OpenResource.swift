/// Something that was still open on a loop when it was closed.
public final class OpenResource: @unchecked Sendable {
  /// "subscription", "timer", "owner", "stream", "uv_tcp", …
  public let kind: StaticSite
  /// Its name, if it was given one.
  public let label: StaticSite?
  /// The line of code that made it, if that is known.
  public let site: StaticSite?
  /// Tells it from others. It must not be read through.
  public let address: UnsafeRawPointer
  /// Whether it is the host's, and was left open. Otherwise it is Belay's, and the close ended it.
  public let isForeign: Bool

  package init(
    kind: StaticSite, label: StaticSite?, site: StaticSite?, address: UnsafeRawPointer,
    isForeign: Bool
  ) {
    self.kind = kind
    self.label = label
    self.site = site
    self.address = address
    self.isForeign = isForeign
  }

  /// One line of a report.
  public var text: Text {
    var text = kind.text
    if let label { text += " " + label.text }
    if let site { text += " at " + site.text }
    return text + (isForeign ? " (the host's)" : "")
  }
}

/// The things that a close found open, and the callback that tells them.
package final class ClosingReport {
  package var resources: ReferenceArray<OpenResource> = []
  private let report: (([OpenResource]) -> Void)?
  /// The thing that closes, for its name.
  private let closed: OpenResource
  private let isSilent: Bool

  /// - Parameters:
  ///   - report: gets the resources. Nil: they are printed, unless `isSilent`.
  ///   - label: names what closes, and `site` the line of code that made it.
  package init(
    _ report: (([OpenResource]) -> Void)?, label: StaticSite?, site: StaticSite?, isSilent: Bool
  ) {
    self.report = report
    self.isSilent = isSilent
    closed = OpenResource(
      kind: label ?? StaticSite("loop"), label: nil, site: site,
      address: UnsafeRawPointer(StaticSite("").pointer),
      isForeign: false)
  }

  package func tell() {
    if let report { return report(resources.array) }
    if isSilent { return }
    let name = closed.text
    for resource in resources {
      ErrorOutput.print("belay: closing \(name): still alive: \(resource.text)")
    }
  }

  @inline(never)
  package func note(_ kind: StaticString, _ entity: Entity, _ origin: Origin) {
    resources.append(
      OpenResource(
        kind: StaticSite(kind), label: origin.label, site: origin.site,
        address: UnsafeRawPointer(Unmanaged.passUnretained(entity).toOpaque()), isForeign: false))
  }

  /// - Parameter source: gives the subscription the name that it lacks. Nil: the one above it.
  package func note(_ subscription: Link, of source: Source? = nil) {
    note("subscription", subscription, subscription.origin(or: source ?? subscription.topSource))
  }

  /// Notes what is listed at `home`: subscriptions, streams, and owners that die there.
  package func note(at home: QueuedHome) {
    home.forEachResident { $0.describe(in: self) }
  }

  /// Notes the timers that are `wanted`.
  @inline(never)
  package func note(_ timers: TimerQueue, where isWanted: (Work) -> Bool) {
    for work in timers.all where isWanted(work) { note("timer", work, work.origin) }
  }
}
