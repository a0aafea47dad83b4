import CBelayShim

/// Detects the deaths of native Swift objects. It replaces the destroy function in the metadata of
/// their class, once for each class and for good. An object that is not observed pays one lookup.
///
/// The language does not promise where that function is. So the first use tries the hook out on
/// objects of its own, and if that fails no other class is touched.
package enum NativeHook {
  /// Whether the hook works in this process.
  package static let isOffered = trial()

  /// Hooks the class of `object`. Answers why that is impossible, or nil.
  static func install(on object: AnyObject) -> Failure? {
    let metadata = Unmanaged.passUnretained(object).toOpaque().load(as: UnsafeRawPointer.self)
    return refusal(hook(metadata))
  }

  /// The failure that an answer of `hook` means; nil if it is none.
  package static func refusal(_ answer: Int32) -> Failure? {
    switch answer {
    case 0...: nil
    case belay_native_replaced:
      Failure(.mismatch, message: "others have replaced the destroy function of this class")
    default: Failure(.unsupported, message: "objects of this class cannot be observed")
    }
  }

  /// Hooks the class with this metadata; see `belay_native_hook`.
  package static func hook(_ metadata: UnsafeRawPointer) -> Int32 {
    belay_native_hook(metadata) { object, destroyer in
      guard let object, let destroyer,
        let record = NativeOwners.find(object)
      else { return false }
      return record.die(by: destroyer)
    }
  }

  // MARK: The trial

  /// The steps of an object's death, in their order.
  private final class Log { var steps: [Int] = [] }

  /// An object for the trial, which logs its deinit.
  private class Specimen {
    let log: Log
    init(_ log: Log) { self.log = log }
    deinit { log.steps.append(3) }
  }

  /// A specimen of a derived class, which also has a deinit.
  private final class DerivedSpecimen: Specimen {
    deinit { log.steps.append(2) }
  }

  /// Whether hooked objects die in the right steps, observed or not.
  private static func trial() -> Bool {
    #if os(Linux) && (arch(x86_64) || arch(arm64))
      // The base class is hooked, too, and its hook must not be called for objects of the derived
      // one.
      return [Specimen(Log()), DerivedSpecimen(Log())].allSatisfy { install(on: $0) == nil }
        && dies(Specimen.init, [1, 3]) && dies(DerivedSpecimen.init, [1, 2, 3])
    #else
      return false
    #endif
  }

  /// Whether an observed object and another one die in the right steps.
  private static func dies(_ make: (Log) -> Specimen, _ steps: [Int]) -> Bool {
    let (log, quietLog) = (Log(), Log())
    var object: Specimen? = make(log)
    var other: Specimen? = make(quietLog)
    weak let weakly = object
    guard let pointer = object.map({ Unmanaged.passUnretained($0).toOpaque() }) else {
      return false
    }
    let record = NativeOwners.record(of: pointer)
    record.add(AnonymousDisposable { log.steps.append(weakly == nil ? 1 : 0) })
    if record.isDying { return false }
    object = nil
    other = nil
    withExtendedLifetime((object, other)) {}
    return record.isDying && NativeOwners.find(pointer) == nil && log.steps == steps
      && quietLog.steps == Array(steps.dropFirst())
  }
}
