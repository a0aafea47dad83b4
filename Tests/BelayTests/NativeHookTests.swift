import Belay
import CBelayShim
import Glibc
import Testing

extension CoreTests {
  /// Other hooks in the same classes, metadata that is not as expected, and threads.
  @Suite struct NativeHooks {
    let trace = Trace()

    /// The word of its class's metadata that holds the destroy function.
    private func destroySlot(of object: AnyObject) -> UnsafeMutablePointer<
      UnsafeMutableRawPointer?
    >? {
      let pointer = Unmanaged.passUnretained(object).toOpaque()
      return belay_native_slot(pointer.load(as: UnsafeRawPointer.self))
    }

    @Test func A1_11_aClassIsHookedOnceAndForGood() {
      final class Hooked {}
      let object = Hooked()
      let original = destroySlot(of: object)?.pointee
      _ = Lifetime.of(object)
      let hook = destroySlot(of: object)?.pointee
      #expect(hook != original)
      _ = Lifetime.of(Hooked())
      #expect(destroySlot(of: object)?.pointee == hook)
    }

    @Test func A1_13_aHookThatOthersHaveReplacedIsReported() {
      final class Contended {
        let trace: Trace
        init(_ trace: Trace) { self.trace = trace }
        deinit { trace.add("deinit") }
      }
      var object: Contended? = Contended(trace)
      let other = Contended(trace)
      let slot = destroySlot(of: other)
      let original = slot?.pointee
      object.map { Lifetime.of($0).follow(trace) }
      let hook = slot?.pointee
      slot?.pointee = original
      #expect(Lifetime.of(other).failure?.code == .mismatch)
      Lifetime.of(other).deallocated.watch(trace)
      #expect(trace.take() == "error EMISMATCH | disposed | free")
      // An object that is observed already has its life, and needs the hook only for its end.
      #expect(object.flatMap { Lifetime.of($0).failure } == nil)
      slot?.pointee = hook
      object = nil
      #expect(trace.take() == "deallocating next | deinit | \(Lifetime.end)")
    }

    @Test func A1_12_whatOthersHavePutThereBeforeIsCalled() {
      final class Wrapped {
        let trace: Trace
        init(_ trace: Trace) { self.trace = trace }
        deinit { trace.add("deinit") }
      }
      var object: Wrapped? = Wrapped(trace)
      object.map { Wrapping.wrap($0, destroySlot(of: $0), calls: true) }
      object.map { Lifetime.of($0).follow(trace) }
      object = nil
      #expect(trace.take() == "deallocating next | deinit | \(Lifetime.end)")
      #expect(Wrapping.calls.count == 1)
    }

    @Test func A1_14_whereTheBodyNeverRunsDeallocatedNeverComes() async {
      final class Swallowed {
        let trace: Trace
        init(_ trace: Trace) { self.trace = trace }
        deinit { trace.add("deinit") }
      }
      let owners = Live.owners.count
      var object: Swallowed? = Swallowed(trace)
      let pointer = object.map { Unmanaged.passUnretained($0).toOpaque() }
      let slot = object.flatMap { destroySlot(of: $0) }
      let original = slot?.pointee
      object.map { Wrapping.wrap($0, destroySlot(of: $0), calls: false) }
      object.map { Lifetime.of($0).follow(trace) }
      object = nil
      try? await Task.sleep(for: .milliseconds(60))
      #expect(trace.take() == "deallocating next")
      // The other hook's owner destroys the object after all.
      belay_native_destroy(original, pointer)
      await until { Live.owners.count == owners }
      #expect(trace.take() == "deinit | \(Lifetime.end)")
    }

    // MARK: Metadata

    @Test func metadataThatIsNotAsExpectedIsLeftAlone() {
      let words = UnsafeMutablePointer<UInt>.allocate(capacity: 16)
      defer { words.deallocate() }
      let metadata = UnsafeMutableRawPointer(words + 4)
      func fill(kind: UInt = 0, size: UInt32 = 96, point: UInt32 = 24, destroy: UInt = 1) {
        words.initialize(repeating: 0, count: 16)
        words[2] = destroy
        metadata.storeBytes(of: kind, as: UInt.self)
        metadata.storeBytes(of: size, toByteOffset: 32, as: UInt32.self)
        metadata.storeBytes(of: point, toByteOffset: 36, as: UInt32.self)
      }
      fill()
      #expect(belay_native_slot(metadata)?.pointee == UnsafeMutableRawPointer(bitPattern: 1))
      for spoil in [
        { fill(kind: 0x203) }, { fill(size: 40) }, { fill(point: 8) }, { fill(point: 200) },
        { fill(destroy: 0) },
      ] {
        spoil()
        let before = (0..<16).map { words[$0] }
        #expect(NativeHook.refusal(NativeHook.hook(metadata))?.code == .unsupported)
        #expect((0..<16).map { words[$0] } == before)
      }
    }

    /// A page with a copy of a class's metadata, as far as the hook looks at it.
    private func makePage(protection: Int32, file: Int32 = -1) -> UnsafeMutableRawPointer? {
      let flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED
      let size = Int(sysconf(Int32(_SC_PAGESIZE)))
      let page = mmap(nil, size, file < 0 ? PROT_READ | PROT_WRITE : PROT_READ, flags, file, 0)
      if file < 0, let page {
        page.storeBytes(of: 1, toByteOffset: 16, as: UInt.self)
        page.storeBytes(of: 96, toByteOffset: 64, as: UInt32.self)
        page.storeBytes(of: 24, toByteOffset: 68, as: UInt32.self)
        mprotect(page, size, protection)
      }
      return page
    }

    private func isWritable(_ page: UnsafeMutableRawPointer) -> Bool {
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      defer { for end in ends { close(end) } }
      return write(ends[1], page, 8) == 8 && read(ends[0], page, 8) == 8
    }

    @Test func aReadOnlyPageStaysReadOnly() throws {
      // It is never unmapped: a class that is hooked is remembered for good.
      let page = try #require(makePage(protection: PROT_READ))
      #expect(!isWritable(page))
      #expect(NativeHook.hook(page + 32) == 0)
      #expect(page.load(fromByteOffset: 16, as: UInt.self) != 1)
      #expect(!isWritable(page))
      #expect(NativeHook.hook(page + 32) == 1)
    }

    @Test func aPageThatCannotBeWrittenIsUnsupported() throws {
      let name = "/tmp/belay-native-\(getpid())"
      let file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0o600)
      let words = try #require(makePage(protection: PROT_READ | PROT_WRITE))
      #expect(write(file, words, 4096) == 4096)
      close(file)
      let readable = open(name, O_RDONLY)
      unlink(name)
      let page = try #require(makePage(protection: PROT_READ, file: readable))
      #expect(belay_native_slot(page + 32) != nil)
      #expect(NativeHook.refusal(NativeHook.hook(page + 32))?.code == .unsupported)
      #expect(page.load(fromByteOffset: 16, as: UInt.self) == 1)
      munmap(page, 4096)
      munmap(words, 4096)
      close(readable)
    }

    // MARK: Threads

    @Test func A1_28_deathsOnManyThreads() {
      final class Mine {}
      class Theirs<Element> {}
      let (ends, begins) = (Counter(), Counter())
      var options = SourceOptions()
      options.isShared = true
      let subject = PublishSubject<Int>(options)
      let shared = Exchange()
      let threads = (0..<4).map { seed in
        Routine {
          for round in 0..<2000 {
            let object: AnyObject =
              switch (round &* 7 &+ seed) % 3 {
              case 0: Mine()
              case 1: Theirs<Int>()
              default: Theirs<String>()
              }
            if round % 4 != 3 {
              let lifetime = Lifetime.of(object)
              lifetime.deallocated.subscribe(next: { ends.add() })
              lifetime.add(AnonymousDisposable { begins.add() })
              if round % 16 == 0 { subject.subscribe(during: lifetime) }
            }
            if round % 8 == 0 { subject.next(round) }
            // The thread that puts the next object there ends this one.
            shared.put(object)
          }
        }
      }
      for thread in threads { thread.join() }
      shared.put(nil)
      #expect(begins.count == 4 * 1500)
      #expect(ends.count == 4 * 1500)
      #expect(subject.subscriberCount == 0)
    }

    @Test func installingWhileObjectsOfTheClassDie() {
      class Busy<Tag> {
        let count: Counter
        init(_ count: Counter) { self.count = count }
        deinit { count.add() }
      }
      func play<Tag>(_ tag: Tag.Type) {
        let (deinits, ends) = (Counter(), Counter())
        race({ for _ in 0..<500 { _ = Busy<Tag>(deinits) } }) {
          for _ in 0..<100 {
            let object = Busy<Tag>(deinits)
            Lifetime.of(object).deallocated.subscribe(next: { ends.add() })
          }
        }
        #expect(deinits.count == 600)
        #expect(ends.count == 100)
      }
      play(Int8.self)
      play(Int16.self)
      play(Int32.self)
      play(Int64.self)
      play(String.self)
      play([Int].self)
    }

    @Test func aChainThatNobodyObservesTakesNoMoreStack() {
      final class Node<Tag> {
        let next: AnyObject?
        init(_ next: AnyObject?) { self.next = next }
      }
      /// How far down the stack the last of a thousand nodes is destroyed.
      func depth<Tag>(_ tag: Tag.Type, hooked: Bool) -> Int {
        let deepest = Box(0)
        if hooked { _ = Lifetime.of(Node<Tag>(nil)) }
        var head = Node<Tag>(StackMark(deepest))
        for _ in 0..<1000 { head = Node<Tag>(head) }
        head = Node<Tag>(nil)
        return withUnsafePointer(to: &head) { Int(bitPattern: $0) } - deepest.value
      }
      let plain = depth(Int8.self, hooked: false)
      #expect(plain > 1000)
      #expect(depth(Int16.self, hooked: true) - plain < 1000)
    }

    // It compares resident sizes, and a sanitizer keeps what was freed.
    @Test(.disabled(if: keepsFreedMemory)) func aHundredThousandObservedLivesLeaveNothing() {
      var before = 0
      for round in 0..<100_000 {
        let object = Natives.Plain(trace)
        let lifetime = Lifetime.of(object)
        for _ in 0..<3 { lifetime.add(AnonymousDisposable {}) }
        if round % 1000 == 0 { _ = trace.take() }
        if round == 20_000 { before = residentPages() }
      }
      _ = trace.take()
      // Half a megabyte for the allocator's own use. The lives of the others would take 30.
      #expect(residentPages() - before < 128)
    }
  }
}

/// How many pages of the process are in memory.
private func residentPages() -> Int {
  var bytes = [UInt8](repeating: 0, count: 128)
  let file = open("/proc/self/statm", O_RDONLY)
  defer { close(file) }
  let count = read(file, &bytes, bytes.count)
  let fields = bytes.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
  return fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) ?? 0 : 0
}

/// Notes where the stack is when it is destroyed.
private final class StackMark {
  private let note: Box<Int>
  init(_ note: Box<Int>) { self.note = note }
  deinit {
    var mark = 0
    note.value = withUnsafePointer(to: &mark) { Int(bitPattern: $0) }
  }
}

/// Another library's hook in the class of one object.
private enum Wrapping {
  nonisolated(unsafe) static var original: UnsafeMutableRawPointer?
  nonisolated(unsafe) static var object: UnsafeMutableRawPointer?
  static let calls = Counter()

  static func wrap(
    _ object: AnyObject, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, calls: Bool
  ) {
    original = slot?.pointee
    self.object = Unmanaged.passUnretained(object).toOpaque()
    let wrapper: @convention(c) () -> Void =
      calls
      ? {
        Wrapping.calls.add()
        belay_native_destroy(Wrapping.original, Wrapping.object)
      } : {}
    slot?.pointee = unsafeBitCast(wrapper, to: UnsafeMutableRawPointer.self)
  }
}

/// Holds one object, which the next thread takes.
private final class Exchange: @unchecked Sendable {
  private var held: AnyObject?
  private var mutex = pthread_mutex_t()

  init() { pthread_mutex_init(&mutex, nil) }

  func put(_ object: AnyObject?) {
    pthread_mutex_lock(&mutex)
    let old = held
    held = object
    pthread_mutex_unlock(&mutex)
    withExtendedLifetime(old) {}
  }
}
