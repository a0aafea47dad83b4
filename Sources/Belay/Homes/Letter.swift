/// What travels to a home: for whom, what to do, and a value.
public struct Letter {
  package enum Kind: UInt8 {
    /// A value of the receiver's type, kept by the parcel.
    case value
    /// An `EndBox`.
    case end
    /// Finish a disposal that was begun elsewhere.
    case dispose
    /// Whatever the receiver is for.
    case work
  }

  package let receiver: Unmanaged<Entity>
  package let kind: Kind
  package var parcel: Parcel

  /// Retains `receiver` until the letter is opened or thrown away.
  @inline(__always)
  package init(to receiver: Entity, _ kind: Kind, _ parcel: Parcel = Parcel()) {
    self.receiver = .passRetained(receiver)
    self.kind = kind
    self.parcel = parcel
  }

  /// Gives the letter to its receiver.
  package consuming func deliver() {
    let receiver = receiver.takeRetainedValue()
    receiver.receive(&self, isRefused: false)
  }

  /// Throws the letter away; what it carries is released.
  package consuming func refuse() {
    let receiver = receiver.takeRetainedValue()
    receiver.receive(&self, isRefused: true)
  }
}
