import CBelayShim

/// The hook that gets the error events that no observer handles.
public final class UnhandledErrorHook: Entity, @unchecked Sendable {
  /// Called with the failure, the name of the signal, and the line of code that subscribed, if it
  /// is known.
  public typealias Handler = (Failure, _ signal: Text, _ site: StaticSite?) -> Void

  private let handler: Handler

  /// `handler` is called on the thread on which the error arrives.
  public init(_ handler: @escaping Handler) { self.handler = handler }

  private static let lock = Lock()
  nonisolated(unsafe) private static var installed: UnhandledErrorHook?

  /// Sets the hook of the process, for homes that have none of their own. Nil: errors are printed
  /// to stderr.
  public static func install(_ hook: UnhandledErrorHook?) {
    let old = lock.withLock {
      let old = installed
      installed = hook
      return old
    }
    extendLifetime(old)  // released outside the lock
  }

  package static func report(_ failure: Failure, signal: Text, site: StaticSite?, home: Home?) {
    let hook = home?.unhandledErrorHook ?? lock.withLock { installed }
    if let hook {
      hook.handler(failure, signal, site)
    } else {
      let subscribed: Text = site.map { " subscribed at " + $0.text } ?? ""
      let code = failure.code
      let name: Text = code.staticName.map { " (" + $0.string + ")" } ?? ""
      ErrorOutput.print(
        "belay: nobody handles the error of signal \(signal)\(subscribed): "
          + "\(failure.message)\(name)")
    }
  }
}

/// The process's stderr.
package enum ErrorOutput {
  package static func print(_ line: Text) {
    line.withCString { belay_shim_print_error($0) }
  }
}
