@_spi(Engine) import Belay

/// The list of a loop's strands that are in use.
extension LoopCore {
  /// Adds `change` to the number of reasons for which `strand` is in use. Any thread may call this.
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

  @inline(never)
  func shutDownStrands(of user: LoopUser?) {
    for strand in strands(of: user) { strand.shutDown() }
  }

  /// The strands that are in use; with a `user`, only that user's.
  func strands(of user: LoopUser?) -> ReferenceArray<Strand> {
    strandsLock.withLock {
      var strands: ReferenceArray<Strand> = []
      var next = firstStrand
      while let strand = next {
        if user == nil || strand.user === user { strands.append(strand) }
        next = strand.nextInUse
      }
      return strands
    }
  }
}
