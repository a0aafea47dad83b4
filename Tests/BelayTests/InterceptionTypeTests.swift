import Belay
import Glibc
import Testing

extension div_t: CType { public static var shape: String { "{div_t=ii}" } }
extension timespec: CType { public static var shape: String { "{timespec=ll}" } }
/// Its shape describes less than the type has.
extension ldiv_t: CType { public static var shape: String { "{ldiv_t=i}" } }

extension CoreTests {
  /// The shapes of C's types, written in Swift, and their way through a slot.
  @Suite struct InterceptionTypes {
    let trace = Trace()

    struct Numbers {
      var small: @convention(c) (Int8, UInt8, Int16, UInt16, Bool, Float) -> Int8 = {
        a, b, c, d, e, f in a &+ Int8(truncatingIfNeeded: Int(b) + Int(c) + Int(d) + (e ? 1 : 0))
      }
      var large: @convention(c) (Int32, UInt32, Int64, UInt64, Int, UInt, Double) -> UInt64 = {
        a, b, c, d, e, f, g in UInt64(b) + d + UInt64(f)
      }
      var pointers:
        @convention(c) (
          UnsafeRawPointer?, UnsafeMutableRawPointer?, UnsafePointer<Int32>?,
          UnsafeMutablePointer<Double>?, OpaquePointer?, UnsafePointer<CChar>?
        ) -> OpaquePointer? = { _, _, _, _, other, _ in other }
      var structs: @convention(c) (div_t, timespec) -> timespec = {
        timespec(tv_sec: $1.tv_sec + Int($0.quot), tv_nsec: $1.tv_nsec + Int($0.rem))
      }
      var truth: @convention(c) (Float) -> Bool = { $0 > 0 }
      var half: @convention(c) (Float) -> Float = { $0 / 2 }
    }

    @Test func A5_05_argumentsComeWithoutTheObject() throws {
      let interface = try OpsInterface()
      #expect(interface.read.shape == "i@pt")
      #expect(interface.moved.shape == "v@dd")
      #expect(interface.rename.shape == "*@*")
      #expect(interface.plain.shape == "iii")
      #expect(interface.fast.shape == "v@")
      let table = Table(Ops(), interface.ops)
      let slot = try interface.moved.slot(in: table.memory)
      let hook = try slot.around { [trace] call in
        trace.add("\(call.arguments)")
        #expect(call.context == trace.object)
      }
      table.memory.pointee.moved?(trace.object, 1, 2)
      #expect(trace.take() == "(1.0, 2.0)")
      hook.dispose()
    }

    @Test func A5_06_allTypesComeAsTheyAre() throws {
      let numbers = try CInterface<Numbers>("numbers")
      let table = Table(Numbers(), numbers)
      let small = try numbers.function("small", \.small) { $0 }.slot(in: table.memory)
      let large = try numbers.function("large", \.large) { $0 }.slot(in: table.memory)
      let structs = try numbers.function("structs", \.structs) { $0 }.slot(in: table.memory)
      let truth = try numbers.function("truth", \.truth) { $0 }.slot(in: table.memory)
      let half = try numbers.function("half", \.half) { $0 }.slot(in: table.memory)
      small.invoked.watch(trace)
      large.invoked.watch(trace)
      truth.invoked.watch(trace)
      half.invoked.watch(trace)
      structs.invoked.subscribe(next: { [trace] call in
        trace.add(
          "\(call.arguments.0.quot) \(call.arguments.0.rem) \(call.arguments.1.tv_sec)"
            + " -> \(call.result.tv_sec) \(call.result.tv_nsec)")
      })
      let direct = Numbers()
      let functions = table.memory.pointee
      #expect(
        functions.small(-5, 250, -30_000, 60_000, true, 0.5)
          == direct.small(-5, 250, -30_000, 60_000, true, 0.5))
      #expect(
        trace.take()
          == "next (arguments: (-5, 250, -30000, 60000, true, 0.5), result: \(direct.small(-5, 250, -30_000, 60_000, true, 0.5)))"
      )
      #expect(
        functions.large(.min, .max, .min, 1 << 60, .min, 1 << 61, .pi)
          == direct.large(.min, .max, .min, 1 << 60, .min, 1 << 61, .pi))
      #expect(
        trace.take() == "next (arguments: (\(Int32.min), \(UInt32.max), \(Int64.min), \(1 << 60), "
          + "\(Int.min), \(1 << 61), \(Double.pi)), result: \((1 << 60) + (1 << 61) + Int(UInt32.max)))"
      )
      let sum = functions.structs(div_t(quot: 1, rem: -2), timespec(tv_sec: 10, tv_nsec: 20))
      #expect(sum.tv_sec == 11 && sum.tv_nsec == 18)
      #expect(trace.take() == "1 -2 10 -> 11 18")
      #expect(functions.truth(1) && !functions.truth(-1))
      #expect(
        trace.take()
          == "next (arguments: 1.0, result: true) | next (arguments: -1.0, result: false)")
      #expect(functions.half(5) == 2.5)
      #expect(trace.take() == "next (arguments: 5.0, result: 2.5)")
      numbers.isGone(table.memory)
    }

    @Test func A5_06_pointersComeAsTheyAre() throws {
      let numbers = try CInterface<Numbers>("numbers")
      let table = Table(Numbers(), numbers)
      let method = try numbers.function("pointers", \.pointers) { $0 }
      #expect(method.shape == "pppppp*")
      let slot = try method.slot(in: table.memory)
      let hook = try slot.around { call in
        let arguments = call.arguments
        #expect(arguments.0 == UnsafeRawPointer(bitPattern: 8))
        #expect(arguments.1 == nil)
        #expect(arguments.2 == UnsafePointer(bitPattern: 16))
        #expect(arguments.3 == UnsafeMutablePointer(bitPattern: 24))
        #expect(arguments.4 == OpaquePointer(bitPattern: 32))
        #expect(arguments.5.map { String(cString: $0) } == "text")
        call.set(nil, nil, nil, nil, OpaquePointer(bitPattern: 48), nil)
        return call.proceed()
      }
      let result = "text".withCString {
        table.memory.pointee.pointers(
          UnsafeRawPointer(bitPattern: 8), nil, UnsafePointer(bitPattern: 16),
          UnsafeMutablePointer(bitPattern: 24), OpaquePointer(bitPattern: 32), $0)
      }
      #expect(result == OpaquePointer(bitPattern: 48))
      hook.dispose()
    }

    @Test func whatIsDescribedWronglyIsSaid() throws {
      struct Odd {
        var first: @convention(c) (ldiv_t) -> Void = { _ in }
        var second: (Int32) -> Void = { _ in }
        var third: @convention(c) (Int32) -> Void = { _ in }
        var computed: @convention(c) (Int32) -> Void { third }
      }
      let odd = try CInterface<Odd>("odd")
      func message(_ describe: () throws -> Void) -> String {
        do {
          try describe()
          return "nothing"
        } catch {
          return (error as? Failure).map { "\($0.name): \($0.message)" } ?? "\(error)"
        }
      }
      #expect(
        message { _ = try odd.function("first", \.first) { $0 } }
          == "EINVAL: the shape v{ldiv_t=i} has other sizes than its types")
      #expect(
        message { _ = try odd.function("second", \.second) { $0 } }
          == "EINVAL: odd.second is not a C function")
      #expect(
        message { _ = try odd.function("computed", \.computed) { $0 } }
          == "EINVAL: odd.computed is not stored in the table")
      _ = try odd.function("third", \.third) { $0 }
      #expect(
        message { _ = try odd.function("third", \.first) { (_: Any) in { (_: Int32) in } } }
          == "EINVAL: odd.third: there are two of that name")
      #expect(
        message { _ = try odd.function("fourth", \.third) { $0 } }
          == "EINVAL: odd.fourth: the offset is another method's")
      #expect(
        message { _ = try CInterface<Odd>("less", base: CInterface<(Odd, Odd)>("more")) }
          == "EINVAL: less: the table is smaller than its base's")
    }

    @Test func aMethodThatIsPerformanceSensitiveIsLeftAlone() throws {
      let interface = try OpsInterface()
      let table = Table(Ops(), interface.ops)
      let failure = #expect(throws: Failure.self) { try interface.fast.slot(in: table.memory) }
      #expect(failure?.code == .notPermitted)
    }

    @Test func aDerivedInterfaceHasItsBasesMethods() throws {
      struct Derived {
        var ops = Ops()
        var more: @convention(c) (Int32) -> Int32 = { $0 + 1 }
      }
      let interface = try OpsInterface()
      let derived = try CInterface<Derived>("derived", base: interface.ops)
      let table = Table(Derived(), derived)
      let slot = try derived.function("more", \.more) { $0 }.slot(in: table.memory)
      let hook = try slot.around { -$0.proceed() }
      #expect(table.memory.pointee.more(1) == -2)
      let failure = #expect(throws: Failure.self) { try derived.function("read", \.more) { $0 } }
      #expect(failure?.message == "derived.read: there are two of that name")
      hook.dispose()
    }
  }
}
