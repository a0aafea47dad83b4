import CBelayClosure
import CBelayShim

/// The table that an object is given as its delegate's. Its methods are slots, which call the
/// functions of the delegate that was there before.
///
/// It is a member of the object's owner. Step 3 of the death disposes of it: then it gives the
/// delegate's own table back to the object, and its slots end. Their functions stay until step 6,
/// because other threads that call them stop at the object's deinit at the earliest.
package final class DelegateProxy: Disposable, @unchecked Sendable {
  private let record: OwnerRecord
  private let object: UnsafeMutableRawPointer
  package let interface: Interface
  // The table is made before others know this. It is as large as that of every other proxy of the object: it
  // has the functions of the one behind it, too.
  private var memory: UnsafeMutableRawPointer?
  fileprivate private(set) var size = 0

  // `MethodSlot.writing` protects the fields below.
  private var slots: ReferenceArray<ProxySlot> = []
  /// The table to which calls are forwarded. It is borrowed; `originalSize` is its size.
  private var original: UnsafeRawPointer?
  private var originalSize = 0
  /// Ends the forwarding when the delegate's owner dies.
  private var forwarding: Forwarding?
  /// An older proxy of the object, whose table this one found when it was installed.
  private var behind: DelegateProxy?
  /// The table of a proxy that was in front of this one and has ended first.
  private var standIn: UnsafeRawPointer?
  // The proxy in front. It clears this field at its end, before it is deallocated.
  private unowned(unsafe) var front: DelegateProxy?
  /// Whether methods have come or gone since the object was last told.
  private var isStale = true
  /// The thread that calls `install`, or 0. At first this is the thread that makes the proxy,
  /// because others may find it before it is installed.
  private var installer = Thread.record.pointee.id
  private var isInstalled = false
  /// Whether the object may have been given the table in a call of `install` that is under way.
  private var isGiving = false
  private var hasEnded = false

  private init(
    _ record: OwnerRecord, _ object: UnsafeMutableRawPointer, _ interface: Interface
  ) {
    self.record = record
    self.object = object
    self.interface = interface
    super.init()
    Live.proxies.began()
  }

  deinit {
    memory?.deallocate()
    Live.proxies.ended()
  }

  package var table: UnsafeMutableRawPointer { memory.unsafelyUnwrapped }

  /// A table is written word by word, so its size is one of whole words.
  fileprivate func makeTable(atLeast least: Int) {
    let word = MemoryLayout<UInt>.size
    size = max(least, (interface.tableSize + word - 1) & -word)
    let made = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    made.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    memory = made
  }

  // MARK: By object

  /// The object's proxy for an interface, made and installed when first asked for.
  ///
  /// Throws `.dead` if the owner is dying, `.invalid` if the owner has no object or the interface
  /// no `install`, and the code of `install`; then there is no proxy.
  package static func of(
    _ record: OwnerRecord, _ interface: Interface
  ) throws(Failure) -> DelegateProxy {
    if record.isDying { throw Failure(.dead) }
    if let known = record.proxy(of: interface) { return known }
    guard interface.install != nil, let object = record.address else {
      throw Failure(.invalid, message: "no object, or an interface without install")
    }
    let made = DelegateProxy(record, object, interface)
    let known = record.newestProxy(installedLike: interface)
    var found: UnsafeMutableRawPointer?
    _ = record.callHost { found = interface.installed?(object) }
    let link = ProxyLink(made)
    guard let (proxy, older) = record.hang(link, finding: found, after: known) else {
      throw Failure(.dead)
    }
    if proxy !== made { return proxy }
    if !MethodSlot.writing.withLock({ made.begin(found, older) }) {
      made.dispose()
      record.unhang(link)
      made.retire()
      return try of(record, interface)
    }
    record.add(made)
    let (code, told) = LastFailure.explaining { made.installed(orElse: .dead, isFirst: true) }
    if !code.isFailure { return made }
    made.dispose()
    record.unhang(link)
    made.retire()
    let reason = told.map { ": " + $0.message } ?? ""
    throw Failure(code, message: interface.name.text + " could not be installed" + reason)
  }

  /// Takes its place in the row. Answers false if its table is too small, because another proxy has come
  /// since that was made.
  private func begin(_ found: UnsafeMutableRawPointer?, _ older: DelegateProxy?) -> Bool {
    // The object has died meanwhile.
    if hasEnded { return true }
    let older = older.map { $0.newest ?? $0 }
    if let older, !older.hasEnded {
      if older.size > size { return false }
      behind = older
      older.front = self
    } else {
      original = UnsafeRawPointer(found)
      originalSize = interface.tableSize
    }
    readBehind()
    return true
  }

  fileprivate func has(_ table: UnsafeRawPointer?) -> Bool {
    UnsafeRawPointer(memory) == table
  }

  /// Whether the object has been given the table.
  fileprivate var isSettled: Bool { MethodSlot.writing.withLock { isInstalled } }

  // MARK: The table (the caller holds `writing`)

  /// Changes a word of the table. Callers of the table read a word in one piece.
  func write(_ word: UnsafeMutableRawPointer?, at offset: Int) {
    let old = belay_word_load(wordAt(offset))
    if old == word { return }
    belay_word_store(wordAt(offset), word)
    if (old == nil) != (word == nil) { isStale = true }
    if let front, offset < front.size { front.setOriginal(word, at: offset) }
  }

  private func wordAt(_ offset: Int) -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    (table + offset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  private func setOriginal(_ word: UnsafeMutableRawPointer?, at offset: Int) {
    for slot in slots where slot.method.offset == offset {
      slot.setOriginal(word.map { unsafeBitCast($0, to: belay_closure_function.self) })
      if slot.isWritten { return }
    }
    write(word, at: offset)
  }

  /// Copies all words of the original, also those that the interface does not describe (a version,
  /// a size). Without an original they are zero.
  private func readBehind() {
    let known = behind?.size ?? originalSize
    let table = behind.map { UnsafeRawPointer($0.table) } ?? original
    let wordSize = MemoryLayout<UInt>.size
    for offset in stride(from: 0, to: size, by: wordSize) {
      var word: UnsafeMutableRawPointer?
      if let table, offset + wordSize <= known {
        word = belay_word_load(
          (table + offset).assumingMemoryBound(to: UnsafeMutableRawPointer?.self))
      } else if let table, offset < known {
        withUnsafeMutableBytes(of: &word) {
          $0.copyMemory(from: UnsafeRawBufferPointer(start: table + offset, count: known - offset))
        }
      }
      setOriginal(word, at: offset)
    }
  }

  // MARK: Installing

  /// Gives the table to the object again if methods have come or gone. Answers the code of
  /// `install`. No lock is held.
  func installIfStale() -> Code {
    let (front, isDue) = MethodSlot.writing.withLock {
      (self.front, isStale && installer == 0 && !isClosed)
    }
    if let front { return front.installIfStale() }
    // A late caller learns of the end from its slot.
    return isDue ? installed(orElse: .ok) : .ok
  }

  /// Calls `install`. Answers `missing` if the object has gone.
  private func installed(orElse missing: Code, isFirst: Bool = false) -> Code {
    var code = missing
    // The owner's death waits for this call.
    _ = record.callHost { code = install(isFirst) }
    return code
  }

  /// Gives the object the table until nothing has changed meanwhile. A change that comes from
  /// inside the call, or from another thread, is left to this call, and so is the end. So there is
  /// one call at a time.
  private func install(_ isFirst: Bool) -> Code {
    let isMine = MethodSlot.writing.withLock { () -> Bool in
      guard isFirst || installer == 0, !isClosed else { return false }
      installer = Thread.record.pointee.id
      return true
    }
    if !isMine { return .ok }
    var code = Code.ok
    var newer: DelegateProxy?
    var goesOn = true
    while goesOn {
      MethodSlot.writing.withLock { (isStale, isGiving) = (false, true) }
      switch isInstalled ? standing : .ours {
      case .ours: code = give(table)
      case .newers: code = .ok
      case .others: code = .mismatch
      }
      goesOn = MethodSlot.writing.withLock {
        isGiving = false
        if !code.isFailure { isInstalled = true }
        newer = newest
        // A proxy that came meanwhile may have been overwritten by this call.
        newer?.isStale = true
        if isStale && isInstalled && newer == nil && !isClosed { return true }
        installer = 0
        return false
      }
    }
    if isClosed { endAll() }
    if let newer { _ = LastFailure.isolating { newer.installIfStale() } }
    return code
  }

  private func give(_ table: UnsafeMutableRawPointer?) -> Code {
    interface.install.map { $0(object, table) } ?? .invalid
  }

  /// Whose table the object has.
  private enum Standing {
    /// This one's, or that of the proxy behind it, or one that cannot be asked for.
    case ours
    /// That of a proxy in front, which has installed it at this moment.
    case newers
    case others
  }

  private var standing: Standing {
    guard let installed = interface.installed else { return .ours }
    let found = UnsafeRawPointer(installed(object))
    return MethodSlot.writing.withLock {
      var one = front
      while let newer = one {
        if newer.has(found) { return .newers }
        one = newer.front
      }
      let isOurs = has(found) || behind?.has(found) ?? false || (found == standIn && found != nil)
      return isOurs ? .ours : .others
    }
  }

  /// The newest of the proxies in front; nil if this is it.
  private var newest: DelegateProxy? {
    var one = front
    while let newer = one?.front { one = newer }
    return one
  }

  // MARK: Ending

  package override func dispose(noting quiescence: Quiescence?) {
    guard close() else { return }
    let me = Thread.record.pointee.id
    // If another thread is installing, it does the rest, and the death waits for it.
    if MethodSlot.writing.withLock({ installer == 0 || installer == me }) { endAll() }
    finalise()
  }

  private var isGiven: Bool { isInstalled || isGiving }
  /// Whether the object has been given this one's table, or that of one in front.
  private var isGivenInRow: Bool { isGiven || front?.isGivenInRow ?? false }

  private func endAll() {
    var ending: ReferenceArray<ProxySlot> = []
    var forwarding: Forwarding?
    let givesBack = MethodSlot.writing.withLock { () -> Bool in
      if hasEnded { return false }
      hasEnded = true
      ending = slots
      forwarding = self.forwarding
      behind?.front = front
      // The proxy that ends last gives back the table that was there before all of them.
      if let front {
        front.behind = behind
        front.original = original
        front.originalSize = originalSize
        front.readBehind()
        self.front = nil
        // One that has not been installed may never be.
        if front.isGivenInRow { return false }
      }
      if let behind {
        if isGiven { behind.standIn = UnsafeRawPointer(table) }
        return false
      }
      return isGiven
    }
    if givesBack && standing != .others { _ = give(UnsafeMutableRawPointer(mutating: original)) }
    for slot in ending { _ = slot.end(keepingFunction: true) }
    forwarding?.dispose()
    let older = MethodSlot.writing.withLock { () -> DelegateProxy? in
      defer { behind = nil }
      return behind
    }
    extendLifetime(older)  // released outside the lock
  }

  /// Releases the slots' functions. No thread calls through the table any more.
  fileprivate func retire() {
    // Where the owner has died before the first install, its death has left the end to this.
    endAll()
    let retiring = MethodSlot.writing.withLock { () -> ReferenceArray<ProxySlot> in
      defer { slots = [] }
      return slots
    }
    for slot in retiring { slot.retire() }
  }

  // MARK: For users

  /// The slot of a method, made when first asked for. Throws `.dead` when the object is dying, or
  /// `.noMemory`.
  package func slot(of method: Method) throws(Failure) -> MethodSlot {
    MethodSlot.writing.acquire()
    defer { MethodSlot.writing.release() }
    if hasEnded || record.isDying { throw Failure(.dead) }
    for slot in slots where slot.method === method { return slot }
    let made = try ProxySlot(method, self)
    slots.append(made)
    setOriginal(belay_word_load(wordAt(method.offset)), at: method.offset)
    return made
  }

  /// Adds an interceptor to every method that may be intercepted. The disposable ends all of them.
  package func around(
    _ action: @escaping (Invocation) -> Void
  ) throws(Failure) -> (code: Code, hook: Disposable) {
    let hooks = CompoundDisposable()
    for method in interface.methods where !method.isPerformanceSensitive {
      do throws(Failure) {
        let (code, hook) = try slot(of: method).around(action)
        hooks.add(hook)
        if !code.isFailure { continue }
        hooks.dispose()
        return (code, hooks)
      } catch {
        hooks.dispose()
        throw error
      }
    }
    return (.ok, hooks)
  }

  /// Forwards calls to a table, until nil replaces it or `delegate` dies.
  ///
  /// - Returns: `.invalid` for a misaligned table, and for one of the object's proxies; `.assigned`
  ///   if another table is set, or if an older proxy is behind this one; `.dead`.
  package func forward(to table: UnsafeRawPointer?, of delegate: OwnerRecord?) -> Code {
    if record.isDying || (table != nil && delegate?.isDying ?? false) { return .dead }
    if UInt(bitPattern: table) % UInt(MemoryLayout<UInt>.alignment) != 0
      || record.hasProxy(with: table)
    {
      return .invalid
    }
    let made = table == nil || delegate == nil ? nil : Forwarding(self)
    var old: Forwarding?
    let code = MethodSlot.writing.withLock { () -> Code in
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
    return installIfStale()
  }

  func end(_ ended: Forwarding) {
    MethodSlot.writing.withLock {
      guard forwarding === ended else { return }
      forwarding = nil
      if hasEnded { return }
      original = nil
      readBehind()
    }
    _ = LastFailure.isolating { installIfStale() }
  }
}

/// The attachment that holds a proxy. It is found by the proxy's interface.
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

  /// The newest proxy that the same function installs; nil if it has not been installed yet. A call
  /// that asks the object for its table afterwards sees what this one did.
  fileprivate final func newestProxy(installedLike interface: Interface) -> DelegateProxy? {
    let newest = attachedProxy(installedLike: interface)
    return newest?.isSettled ?? false ? newest : nil
  }

  private final func attachedProxy(installedLike interface: Interface) -> DelegateProxy? {
    defer { unlock() }
    return newestProxy(lockAttachments()) { $0.interface.isInstalled(like: interface) }
  }

  /// The newest proxy for which `isMeant` is true. The caller holds the lock.
  private final func newestProxy(
    _ attachments: OwnerAttachments?, where isMeant: (DelegateProxy) -> Bool
  ) -> DelegateProxy? {
    var newest: DelegateProxy?
    var next = attachments?.list.first
    while let candidate = next {
      if candidate.kind == .proxy {
        let proxy = unsafeDowncast(candidate, to: ProxyLink.self).proxy
        if isMeant(proxy) { newest = proxy }
      }
      next = candidate.next
    }
    return newest
  }

  /// Attaches a proxy, unless there is one for its interface. Answers the proxy that is attached
  /// now, and an older one that it stands in front of; nil when this is dying.
  ///
  /// That is the one whose table is `found`, which the object answered. The answer is out of date if
  /// the newest proxy with the same `install` was made, or installed, since: then it is not `known`.
  /// That one stands behind then, and also if the object cannot be asked.
  fileprivate final func hang(
    _ link: ProxyLink, finding found: UnsafeMutableRawPointer?, after known: DelegateProxy?
  ) -> (DelegateProxy, older: DelegateProxy?)? {
    defer { unlock() }
    guard let attachments = lockMadeAttachments(), !isDying else { return nil }
    let interface = link.proxy.interface
    if let same = attachments.list.first(.proxy, interface.address, 0) {
      return (unsafeDowncast(same, to: ProxyLink.self).proxy, nil)
    }
    var size = 0
    var older = newestProxy(attachments) {
      size = max(size, $0.size)
      return $0.interface.isInstalled(like: interface)
    }
    if interface.installed != nil && older === known {
      older = newestProxy(attachments) { $0.has(found) }
    }
    link.proxy.makeTable(atLeast: size)
    attachments.list.append(link)
    return (link.proxy, older)
  }

  fileprivate final func unhang(_ link: ProxyLink) {
    defer { unlock() }
    lockAttachments()?.list.remove(link)
  }
}
