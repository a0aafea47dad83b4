/// A member of the delegate's owner while calls are forwarded to the delegate.
final class Forwarding: Disposable, @unchecked Sendable {
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
