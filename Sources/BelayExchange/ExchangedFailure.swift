@_spi(Engine) import Belay
import CBelay

/// How many errors of a chain pass, the first one included.
private let longestChain = 100

/// The content of `failure`, without its payload, and of the causes that pass. It lasts as long as
/// `failure` and `storage`.
func content(
  of failure: Failure, in storage: inout ExchangedStorage
) -> UnsafePointer<belay_exchange_error> {
  var chain = [failure]
  while chain.count < longestChain, let cause = chain[chain.count - 1].cause { chain.append(cause) }
  let contents = storage.allocate(chain.count, of: belay_exchange_error.self)
  for (index, failure) in chain.enumerated() {
    var content = belay_exchange_error()
    content.code = failure.code.rawValue
    content.domain = failure.domainCString
    content.message = failure.messageCString
    if index + 1 < chain.count { content.cause = UnsafePointer(contents + index + 1) }
    (contents + index).initialize(to: content)
  }
  return UnsafePointer(contents)
}

/// A failure with that content, and with the causes that pass. A payload is left behind.
func failure(of content: UnsafePointer<belay_exchange_error>?) -> Failure {
  guard let content else { return Failure(.invalid) }
  var chain = [content]
  while chain.count < longestChain, let cause = chain[chain.count - 1].pointee.cause {
    chain.append(cause)
  }
  let deepest = failure(of: chain.removeLast().pointee, cause: nil)
  return chain.reversed().reduce(deepest) { failure(of: $1.pointee, cause: $0) }
}

private func failure(of content: belay_exchange_error, cause: Failure?) -> Failure {
  Failure(
    content.code < 0 ? Code(rawValue: content.code) : .invalid,
    domain: content.domain.map { Text(cString: $0) },
    message: content.message.map { Text(cString: $0) }, cause: cause)
}
