import Belay
import Glibc

// What it costs a Swift program that lives can be observed, in nanoseconds for one object made and
// dropped. See Benchmarks/README.md.

class Plain { var number = 0 }
class Hooked { var number = 0 }
class Watched { var number = 0 }
class WithToken {
  var number = 0
  let token = Lifetime.Token()
}

/// Holds the newest object, so that none is optimised away.
nonisolated(unsafe) var newest: AnyObject?

@inline(never)
func make<Object: AnyObject>(_ count: Int, _ object: () -> Object) {
  for _ in 0..<count { newest = object() }
  newest = nil
}

func nanoseconds(of count: Int, _ body: (Int) -> Void) -> Double {
  let start = MonotonicClock.now
  body(count)
  return Double(MonotonicClock.now - start) / Double(count)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

let rounds = 15
let count = 200_000

func plain(_ count: Int) { make(count) { Plain() } }
func hooked(_ count: Int) { make(count) { Hooked() } }
func observed(_ count: Int) {
  make(count) {
    let object = Watched()
    Lifetime.of(object).add(AnonymousDisposable {})
    return object
  }
}
func tokens(_ count: Int) {
  make(count) {
    let object = WithToken()
    object.token.lifetime.add(AnonymousDisposable {})
    return object
  }
}

plain(count)
let before = median((0..<rounds).map { _ in nanoseconds(of: count, plain) })

// From here on Belay is at work: one object of a class lives on, observed, as do a thousand others.
let observedForGood: [AnyObject] = [Hooked()] + (0..<1000).map { _ in Watched() }
for object in observedForGood { Lifetime.of(object).add(AnonymousDisposable {}) }

var figures: [[Double]] = [[], [], [], []]
for _ in 0..<rounds {
  for (row, body) in [plain, hooked, observed, tokens].enumerated() {
    figures[row].append(nanoseconds(of: count, body))
  }
}
let results = figures.map(median)

func line(_ row: String, _ value: Double, _ peer: Double?) {
  func rounded(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
  print("\(row)\t\(rounded(value))\tns\t\(peer.map { rounded(value / $0) } ?? "")")
}

print("row\tvalue\tunit\tratio")
line("native_before", before, nil)
line("native_plain", results[0], before)
line("native_hooked", results[1], results[0])
line("native_observed", results[2], results[0])
line("native_token", results[3], results[0])
withExtendedLifetime(observedForGood) {}
