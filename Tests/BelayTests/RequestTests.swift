import Belay
import Testing

extension CoreTests {
  /// Requests and their answers: the cases of Tests/C/Properties/requests.c.
  @Suite struct Requests {
    struct Veto: Error {}

    let trace = Trace()

    @Test func answersAreAccumulatedInOrder() throws {
      let request = Request<String, [Int]>([]) { $0 + $1 }
      #expect(try request.send("nobody") == [])
      request.subscribe { [$0.count] }
      let second = request.subscribe { [trace] question in
        trace.add(question)
        return [2]
      }
      #expect(try request.send("four") == [4, 2])
      second.dispose()
      #expect(try request.send("one") == [3])
      #expect(trace.take() == "four")
    }

    @Test func aListenerThatThrowsIsAVeto() throws {
      let request = Request<Int, Bool>(true) { $0 && $1 }
      request.subscribe { (question: Int) throws -> Bool in
        if question > 9 { throw Veto() }
        return question > 0
      }
      request.subscribe { [trace] question in
        trace.add("\(question)")
        return true
      }
      #expect(try request.send(1))
      #expect(try !request.send(0))
      let failure = #expect(throws: Failure.self) { try request.send(10) }
      #expect(failure?.underlying is Veto)
      #expect(try request.send(2))
      #expect(trace.take() == "1 | 0 | 2")
    }

    @Test func anAccumulatorThatThrows() {
      let request = Request<Int, Int>(0) { _, _ in throw Failure(.busy) }
      request.subscribe { $0 }
      let failure = #expect(throws: Failure.self) { try request.send(1) }
      #expect(failure?.code == .busy)
    }

    @Test func aListenerSendsTheRequestAgain() throws {
      let request = Request<Int, Int>(100) { $0 + $1 }
      request.subscribe { [unowned request] n in n == 0 ? 1 : try request.send(n - 1) }
      request.subscribe { 2 * $0 }
      #expect(try request.send(2) == 307)
    }

    @Test func listenersEndWithTheirOwnerAndWithTheRequest() throws {
      var request: Request<Int, Int>? = Request(0) { $0 + $1 }
      weak var kept: Trace?
      do {
        let local = Trace()
        kept = local
        request?.subscribe {
          local.add("asked")
          return $0
        }
      }
      var owner: Owner? = Owner()
      request?.subscribe(owner: owner?.record) { $0 }
      #expect(try request?.send(1) == 2)
      owner = nil
      #expect(try request?.send(1) == 1)
      #expect(kept != nil)
      request = nil
      #expect(kept == nil)
    }
  }
}
