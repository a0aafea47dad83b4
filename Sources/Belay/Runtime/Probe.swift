import CBelayShim

/// The static probes (docs/tracing.md). These functions are called only while somebody watches a
/// probe, so the texts are made only then.
package enum Probe {
  /// The probe of an event of a subscription.
  @inline(never)
  static func event(
    _ kind: belay_shim_probe_kind, _ subscription: Upstream, _ name: Text, _ text: Text = "",
    _ number: Int32 = 0
  ) {
    let (name, text) = (CText(name), CText(text))
    belay_shim_probe(
      kind, name.pointer, Unmanaged.passUnretained(subscription).toOpaque(), text.pointer,
      UInt64(truncatingIfNeeded: number))
    extendLifetime((name, text))
  }

  @inline(never)
  static func next<Value>(_ subscription: Subscription<Value>, _ value: Value) {
    #if hasFeature(Embedded)
      let text = unsafeBitCast(value, to: ForeignValue.self, ofType: Value.self).text
    #else
      let text = "\(value)"
    #endif
    event(belay_shim_next, subscription, subscription.chainName, text)
  }

  @inline(never)
  static func end(_ subscription: Upstream, _ end: End) {
    belay_shim_watch_sends()
    let name = subscription.chainName
    switch end {
    case .completed: event(belay_shim_completed, subscription, name)
    case .failed(let failure):
      event(belay_shim_error, subscription, name, failure.message, failure.code.rawValue)
    case .interrupted: break
    }
  }

  /// `added` or `removed`. Without a member: an action.
  @inline(never)
  static func member(
    _ kind: belay_shim_probe_kind, _ member: Entity?, of compound: CompoundCore
  ) {
    belay_shim_probe(
      kind, compound.handle, member.map { Unmanaged.passUnretained($0).toOpaque() }, nil,
      UInt64(compound.memberCount))
  }

  /// An owner begins a step of its death (1, 3, 5), or is dead (8).
  @inline(never)
  static func phase(_ owner: OwnerRecord, _ step: UInt64) {
    belay_shim_probe(
      belay_shim_phase, Unmanaged.passUnretained(owner).toOpaque(), owner.address,
      owner.label?.pointer, step)
  }
}
