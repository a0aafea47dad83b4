@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

#if !hasFeature(Embedded)
  extension Loop {
    /// Connects to a TCP server. Sends the stream, and completes.
    ///
    /// A name is resolved; its addresses are tried in turn until one answers. A disposal gives up,
    /// in whatever phase.
    public func connectTCP(
      to host: String, port: UInt16, _ options: StreamOptions = StreamOptions()
    ) -> Signal<Stream> {
      .trying { () throws(Failure) in
        core.connect(.tcp(try host.cText(), port), options) { $0 }
      }
    }

    /// Connects to a Unix socket. Sends the stream, and completes.
    public func connectUnix(
      to path: String, _ options: StreamOptions = StreamOptions()
    ) -> Signal<Stream> {
      .trying { () throws(Failure) in
        core.connect(.unix(try path.cText()), options) { $0 }
      }
    }
  }
#endif

/// Where a server is.
package enum Endpoint {
  case tcp(CText, UInt16)
  case unix(CText)

  /// The name in messages.
  var name: CText {
    switch self {
    case .tcp(let host, let port): CText("\(host.text):\(UInt32(port))")
    case .unix(let path): path
    }
  }
}

extension LoopCore {
  /// `convert` makes the value; the signal takes over its reference.
  package func connect<Value>(
    _ endpoint: Endpoint, _ options: StreamOptions, convert: @escaping (Stream) -> Value
  ) -> Signal<Value> {
    source("connect") { [self] subscriber in
      Connector(self, endpoint, options, Events(subscriber, convert))
    }
  }
}

extension belay_shim_address {
  /// The address that `host` is, if it is no name.
  static func numeric(_ host: UnsafePointer<CChar>, _ port: UInt16) -> belay_shim_address? {
    var address = belay_shim_address()
    var four = sockaddr_in()
    if uv_ip4_addr(host, Int32(port), &four) == 0 {
      belay_shim_copy_address(&address, &four, UInt32(MemoryLayout<sockaddr_in>.size))
      return address
    }
    var six = sockaddr_in6()
    if withUnsafeMutablePointer(to: &six, { $0.set(host, port) }) == 0 {
      belay_shim_copy_address(&address, &six, UInt32(MemoryLayout<sockaddr_in6>.size))
      return address
    }
    return nil
  }
}

/// An address to try.
private final class Candidate {
  var address: belay_shim_address
  init(_ address: belay_shim_address) { self.address = address }
}

private final class Connector: HostSource, DescriptorUser, @unchecked Sendable {
  private let endpoint: Endpoint
  private let options: StreamOptions
  private var events: Events<Stream>?
  /// Those that have not been tried, in their order.
  private var addresses: ReferenceArray<Candidate> = []
  private var descriptor: Descriptor?

  init(
    _ core: LoopCore, _ endpoint: Endpoint, _ options: StreamOptions, _ events: Events<Stream>
  ) {
    self.endpoint = endpoint
    self.options = options
    self.events = events
    super.init(core)
  }

  override func begin() {
    switch endpoint {
    case .unix(let path):
      var address = belay_shim_address()
      let code = belay_shim_unix_address(&address, path.pointer)
      if code < 0 { return fail(code) }
      addresses.append(Candidate(address))
    case .tcp(let host, let port):
      guard let address = belay_shim_address.numeric(host.pointer, port) else {
        return ask(host, CText("\(UInt32(port))"))
      }
      addresses.append(Candidate(address))
    }
    tryNext(UV_EADDRNOTAVAIL.rawValue)
  }

  override func answered(_ code: Int32, _ answer: borrowing HostQuestion) {
    var one = answer.addresses
    while let info = one?.pointee {
      var address = belay_shim_address()
      belay_shim_copy_address(&address, info.ai_addr, UInt32(info.ai_addrlen))
      addresses.append(Candidate(address))
      one = info.ai_next
    }
    if code < 0 { fail(code) } else { tryNext(UV_EADDRNOTAVAIL.rawValue) }
  }

  /// Tries the next address; `code` is what the one before has come to.
  private func tryNext(_ code: Int32) {
    var code = code
    while !addresses.isEmpty && events != nil {
      var state: Int32 = 0
      let fd = belay_shim_connect(&addresses.removeFirst().address, &state)
      if fd < 0 {
        code = fd
        continue
      }
      do throws(Failure) {
        let descriptor = try Descriptor(core, fd, BELAY_SHIM_SOCKET)
        self.descriptor = descriptor
        if state == 0 { return succeed() }
        descriptor.wait(for: UV_WRITABLE, as: self)
        return
      } catch {
        code = error.code.rawValue
      }
    }
    fail(code)
  }

  func came(_: Int32) {
    guard let descriptor else { return }
    let code = belay_shim_connected(descriptor.fd)
    if code == 0 { return succeed() }
    descriptor.close()
    self.descriptor = nil
    tryNext(code)
  }

  private func succeed() {
    guard let descriptor else { return }
    self.descriptor = nil
    descriptor.wait(for: UV_WRITABLE, false)
    events?.send(Stream(StreamCore(descriptor, endpoint.name, options)))
    events?.completed()
  }

  private func fail(_ code: Int32) { events?.failed(.uv(code, endpoint.name.text)) }

  override func end() {
    super.end()
    descriptor?.close()
    descriptor = nil
    events = nil
  }
}
