import CBelayClosure
import CBelayShim

/// The table that an object is given as its delegate's: its methods are slots, in front of the
/// functions of the delegate that was there.
///
/// A member of the object's owner: disposed of at step 3 of the death, it gives the object the
/// delegate's own table back, and its slots end. Their functions stay until step 6, for what runs
/// on other threads is stopped by the object's deinit at the earliest.
package final class DelegateProxy: Disposable, @unchecked Sendable {
  private let record: OwnerRecord
  private let object: UnsafeMutableRawPointer
  package let interface: Interface
  package let table: UnsafeMutableRawPointer

  // What follows is touched while placing only.
  private var slots: [ProxySlot] = []
  /// What is forwarded to: borrowed, and how much of it there is.
  private var original: UnsafeRawPointer?
  private var originalSize = 0
  /// Ends the forwarding with the delegate's owner.
  private var forwarding: Forwarding?
  /// An older proxy of the object, whose table this one has found in the place of its own.
  private var behind: DelegateProxy?
  /// The table of one that was in front of this, and has ended first.
  private var standIn: UnsafeRawPointer?
  // Takes itself out when it ends, which it does before it goes.
  private unowned(unsafe) var front: DelegateProxy?
  /// Which methods there are is not what the object was told last.
  private var isStale = true
  /// The thread that calls `install`, or 0. At first the one that makes this: others may find it
  /// before it is installed.
  private var installer = Thread.record.pointee.id
  private var isInstalled = false
  private var hasEnded = false

  private init(
    _ record: OwnerRecord, _ object: UnsafeMutableRawPointer, _ interface: Interface
  ) {
    self.record = record
    self.object = object
    self.interface = interface
    let size = Self.words(interface.tableSize)
    table = .allocate(byteCount: size, alignment: 16)
    table.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    super.init()
  }

  deinit { table.deallocate() }

  /// A size in whole words; words of a table are what is written in one piece.
  private static func words(_ size: Int) -> Int {
    (size + MemoryLayout<UInt>.size - 1) & -MemoryLayout<UInt>.size
  }

  // MARK: By object

  /// The object's proxy for an interface, made and installed at the first ask.
  ///
  /// Throws `.dead` for one that is dying, `.invalid` for an owner without an object and an
  /// interface without `install`, and what `install` answers: then there is none.
  package static func of(
    _ record: OwnerRecord, _ interface: Interface
  ) throws(Failure) -> DelegateProxy {
    if record.isDying { throw Failure(.dead) }
    if let known = record.proxy(of: interface) { return known }
    guard interface.install != nil, let object = record.address else {
      throw Failure(.invalid, message: "no object, or an interface without install")
    }
    let made = DelegateProxy(record, object, interface)
    var found: UnsafeMutableRawPointer?
    _ = record.callHost { found = interface.installed?(object) }
    let link = ProxyLink(made)
    guard let (proxy, older) = record.hang(link, finding: found) else { throw Failure(.dead) }
    if proxy !== made { return proxy }
    MethodSlot.placing.withLock { made.begin(found, older) }
    record.add(made)
    let (code, told) = LastFailure.explaining { made.installed(orElse: .dead, isFirst: true) }
    if !code.isFailure { return made }
    made.dispose()
    // What the death has left to this thread.
    made.finish()
    record.unhang(link)
    made.retire()
    let reason = told.map { ": " + $0.message } ?? ""
    throw Failure(code, message: interface.name.text + " could not be installed" + reason)
  }

  private func begin(_ found: UnsafeMutableRawPointer?, _ older: DelegateProxy?) {
    var older = older
    while let other = older?.front { older = other }
    if let older, !older.hasEnded {
      behind = older
      older.front = self
    } else {
      original = UnsafeRawPointer(found)
      originalSize = interface.tableSize
    }
    readBehind()
  }

  fileprivate func has(_ table: UnsafeRawPointer?) -> Bool {
    UnsafeRawPointer(self.table) == table
  }

  /// Whether one whose delegate is `table` now has this one's; without a way to ask, whether both
  /// are installed in the same way.
  fileprivate func isFound(as table: UnsafeMutableRawPointer?, for other: Interface) -> Bool {
    if other.installed != nil { return has(table) }
    return interface.installing === other.installing
  }

  // MARK: The table, while placing

  /// Whoever calls through the table loads a word in one piece.
  func write(_ word: UnsafeMutableRawPointer?, at offset: Int) {
    let old = belay_place_load(place(offset))
    if old == word { return }
    belay_place_store(place(offset), word)
    if (old == nil) != (word == nil) { isStale = true }
    if let front, offset < Self.words(front.interface.tableSize) {
      front.setOriginal(word, at: offset)
    }
  }

  private func place(_ offset: Int) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    (table + offset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  private func setOriginal(_ word: UnsafeMutableRawPointer?, at offset: Int) {
    for slot in slots where slot.method.offset == offset {
      slot.setOriginal(word.map { unsafeBitCast($0, to: belay_closure_function.self) })
      if slot.isInPlace { return }
    }
    write(word, at: offset)
  }

  /// All words are the original's, those too that the interface says nothing of: a version, a
  /// size. Without one they are zero.
  private func readBehind() {
    let size = behind?.interface.tableSize ?? originalSize
    let source = behind.map { UnsafeRawPointer($0.table) } ?? original
    for offset in stride(from: 0, to: interface.tableSize, by: MemoryLayout<UInt>.size) {
      var word: UnsafeMutableRawPointer?
      if let source, offset + MemoryLayout<UInt>.size <= size {
        word = belay_place_load(
          (source + offset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self))
      }
      setOriginal(word, at: offset)
    }
  }

  // MARK: Installing

  /// Tells the object, if which methods there are has changed; answers what `install` does. No
  /// lock is held.
  func settle() -> Code {
    let (front, isDue) = MethodSlot.placing.withLock {
      (self.front, isStale && installer == 0 && !isClosed)
    }
    if let front { return front.settle() }
    // Whoever comes too late is told so by the slot's end.
    return isDue ? installed(orElse: .ok) : .ok
  }

  /// `missing` when there is no object any more.
  private func installed(orElse missing: Code, isFirst: Bool = false) -> Code {
    var code = missing
    // The death waits for it.
    _ = record.callHost { code = install(isFirst) }
    return code
  }

  /// Hands the table out until nothing has changed meanwhile. What changes inside, or on another
  /// thread, is left to who is at it, the end too: so there is one call at a time.
  private func install(_ isFirst: Bool) -> Code {
    let isMine = MethodSlot.placing.withLock { () -> Bool in
      guard isFirst || installer == 0, !isClosed else { return false }
      installer = Thread.record.pointee.id
      return true
    }
    if !isMine { return .ok }
    var code = Code.ok
    var newer: DelegateProxy?
    var goesOn = true
    while goesOn {
      MethodSlot.placing.withLock { isStale = false }
      code = isInstalled && !isTheObjects ? .mismatch : give(table)
      goesOn = MethodSlot.placing.withLock {
        if !code.isFailure { isInstalled = true }
        newer = front
        // One that came meanwhile may have been overwritten.
        newer?.isStale = true
        if isStale && isInstalled && newer == nil && !isClosed { return true }
        installer = 0
        return false
      }
    }
    if isClosed { finish() }
    if let newer { _ = LastFailure.isolating { newer.settle() } }
    return code
  }

  private func give(_ table: UnsafeMutableRawPointer?) -> Code {
    interface.install.map { $0(object, table) } ?? .invalid
  }

  /// Whether the object has this table still, or that of another proxy in the row; as far as it
  /// can be asked.
  private var isTheObjects: Bool {
    guard let installed = interface.installed else { return true }
    let (older, standIn) = MethodSlot.placing.withLock { (behind, self.standIn) }
    let found = UnsafeRawPointer(installed(object))
    return has(found) || older?.has(found) ?? false || (found == standIn && found != nil)
  }

  // MARK: Ending

  package override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    let me = Thread.record.pointee.id
    // Who is installing on another thread does it then, and the death waits for that.
    if MethodSlot.placing.withLock({ installer == 0 || installer == me }) { finish() }
    finalise()
  }

  private func finish() {
    var ending: [ProxySlot] = []
    var forwarding: Forwarding?
    let givesBack = MethodSlot.placing.withLock { () -> Bool in
      if hasEnded { return false }
      hasEnded = true
      ending = slots
      forwarding = self.forwarding
      behind?.front = front
      // Of several the last to end gives back what was there before all of them.
      if let front {
        front.behind = behind
        front.original = original
        front.originalSize = originalSize
        front.readBehind()
        self.front = nil
        return false
      }
      if let behind {
        if isInstalled { behind.standIn = UnsafeRawPointer(table) }
        return false
      }
      return isInstalled
    }
    if givesBack && isTheObjects { _ = give(UnsafeMutableRawPointer(mutating: original)) }
    for slot in ending { _ = slot.end(keepingFunction: true) }
    forwarding?.dispose()
    let older = MethodSlot.placing.withLock { () -> DelegateProxy? in
      defer { behind = nil }
      return behind
    }
    extendLifetime(older)  // released outside the lock
  }

  /// Nobody calls through the table any more.
  fileprivate func retire() {
    let retiring = MethodSlot.placing.withLock { () -> [ProxySlot] in
      defer { slots = [] }
      return slots
    }
    for slot in retiring { slot.retire() }
  }

  // MARK: For those who use it

  /// A method's slot, the same on every ask. Throws `.dead` when the object is dying, `.noMemory`.
  package func slot(of method: Method) throws(Failure) -> MethodSlot {
    MethodSlot.placing.acquire()
    defer { MethodSlot.placing.release() }
    if hasEnded || record.isDying { throw Failure(.dead) }
    for slot in slots where slot.method === method { return slot }
    let made = try ProxySlot(method, self)
    slots.append(made)
    setOriginal(belay_place_load(place(method.offset)), at: method.offset)
    return made
  }

  /// Forwards to a table, until it is replaced by nil or `delegate` dies.
  ///
  /// - Returns: `.invalid` for a misaligned table and those of the object's proxies; `.assigned`
  ///   while another is forwarded to, or when an older proxy is behind this one; `.dead`.
  package func forward(to table: UnsafeRawPointer?, of delegate: OwnerRecord?) -> Code {
    if record.isDying || (table != nil && delegate?.isDying ?? false) { return .dead }
    if UInt(bitPattern: table) % UInt(MemoryLayout<UInt>.alignment) != 0
      || record.hasProxy(with: table)
    {
      return .invalid
    }
    let made = table == nil || delegate == nil ? nil : Forwarding(self)
    var old: Forwarding?
    let code = MethodSlot.placing.withLock { () -> Code in
      if hasEnded { return .dead }
      if behind != nil || (table != nil && original != nil) { return .assigned }
      old = forwarding
      forwarding = made
      original = table
      originalSize = interface.tableSize
      readBehind()
      return .ok
    }
    if code.isFailure { return code }
    old?.dispose()
    if let made { delegate?.add(made) }
    return settle()
  }

  fileprivate func end(_ ended: Forwarding) {
    MethodSlot.placing.withLock {
      guard forwarding === ended else { return }
      forwarding = nil
      if hasEnded { return }
      original = nil
      readBehind()
    }
    _ = LastFailure.isolating { settle() }
  }
}

/// What a delegate's owner holds while it is forwarded to.
private final class Forwarding: Disposable, @unchecked Sendable {
  private let proxy: DelegateProxy

  init(_ proxy: DelegateProxy) {
    self.proxy = proxy
    super.init()
  }

  override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    proxy.end(self)
    finalise()
  }
}

/// Where an owner keeps a proxy, by its interface.
private final class ProxyLink: Attachment, @unchecked Sendable {
  let proxy: DelegateProxy

  init(_ proxy: DelegateProxy) {
    self.proxy = proxy
    super.init()
    kind = .proxy
  }

  override func isNamed(_ interface: UInt, _ other: UInt) -> Bool {
    proxy.interface.address == interface
  }

  override func fall(from address: UnsafeMutableRawPointer?) { proxy.retire() }
}

extension Interface {
  fileprivate var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

extension OwnerRecord {
  fileprivate final func proxy(of interface: Interface) -> DelegateProxy? {
    find(.proxy, interface.address, 0).map { unsafeDowncast($0, to: ProxyLink.self).proxy }
  }

  fileprivate final func hasProxy(with table: UnsafeRawPointer?) -> Bool {
    defer { unlock() }
    return newestProxy(lockAttachments()) { $0.has(table) } != nil
  }

  /// Under the lock.
  private final func newestProxy(
    _ attachments: OwnerAttachments?, where isMeant: (DelegateProxy) -> Bool
  ) -> DelegateProxy? {
    var newest: DelegateProxy?
    var place = attachments?.list.first
    while let candidate = place {
      if candidate.kind == .proxy {
        let proxy = unsafeDowncast(candidate, to: ProxyLink.self).proxy
        if isMeant(proxy) { newest = proxy }
      }
      place = candidate.next
    }
    return newest
  }

  /// Hangs a proxy on, unless there is one of its interface. Answers which one it is, and an older
  /// one whose table is `found`; nil when this is dying.
  fileprivate final func hang(
    _ link: ProxyLink, finding found: UnsafeMutableRawPointer?
  ) -> (DelegateProxy, older: DelegateProxy?)? {
    defer { unlock() }
    guard let attachments = lockMadeAttachments(), !isDying else { return nil }
    let interface = link.proxy.interface
    if let known = attachments.list.first(.proxy, interface.address, 0) {
      return (unsafeDowncast(known, to: ProxyLink.self).proxy, nil)
    }
    let older = newestProxy(attachments) { $0.isFound(as: found, for: interface) }
    attachments.list.append(link)
    return (link.proxy, older)
  }

  fileprivate final func unhang(_ link: ProxyLink) {
    defer { unlock() }
    lockAttachments()?.list.remove(link)
  }
}
