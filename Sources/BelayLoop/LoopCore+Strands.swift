import Belay

/// The strands of a loop that are in use.
extension LoopCore {
  /// `strand` has something to see to, or has so no more. Any thread.
  func usesChange(of strand: Strand, by change: Int) {
    strandsLock.acquire()
    let wasInUse = strand.uses > 0
    strand.uses += change
    if wasInUse != (strand.uses > 0) {
      if wasInUse {
        strand.nextInUse?.previousInUse = strand.previousInUse
        if let previous = strand.previousInUse {
          previous.nextInUse = strand.nextInUse
        } else {
          firstStrand = strand.nextInUse
        }
        strand.nextInUse = nil
      } else {
        strand.previousInUse = nil
        strand.nextInUse = firstStrand
        firstStrand?.previousInUse = strand
        firstStrand = strand
      }
    }
    strandsLock.release()
  }

  func uses(_ strand: Strand) -> Bool { strandsLock.withLock { strand.uses > 0 } }

  /// Those in use, or one `user`'s among them.
  func strands(of user: LoopUser? = nil) -> [Strand] {
    strandsLock.withLock {
      var strands: [Strand] = []
      var next = firstStrand
      while let strand = next {
        if user == nil || strand.user === user { strands.append(strand) }
        next = strand.nextInUse
      }
      return strands
    }
  }
}
