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

nonisolated func sleepForGood(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  while true { pause() }
}

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

/// This program once more, in a process that never uses Belay: measures a round of `plain` whenever
/// it is asked to, so that the two take turns.
struct Stranger {
  private let asking: Int32
  private let answers: Int32

  init() {
    let (question, answer) = (Self.makePipe(), Self.makePipe())
    (asking, answers) = (question.write, answer.read)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, question.read, 0)
    posix_spawn_file_actions_adddup2(&actions, answer.write, 1)
    for end in [question.read, question.write, answer.read, answer.write] {
      posix_spawn_file_actions_addclose(&actions, end)
    }
    var child = pid_t()
    var arguments = [strdup("native-bench"), strdup("--stranger"), nil]
    guard posix_spawn(&child, "/proc/self/exe", &actions, nil, &arguments, environ) == 0 else {
      exit(1)
    }
    close(question.read)
    close(answer.write)
  }

  private static func makePipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { exit(1) }
    return (ends[0], ends[1])
  }

  /// One round of its.
  func round() -> Double {
    var figure = 0.0
    guard write(asking, "x", 1) == 1, read(answers, &figure, 8) == 8 else { exit(1) }
    return figure
  }

  /// What it does itself, until nobody asks any more.
  static func serve() {
    var byte: UInt8 = 0
    while read(0, &byte, 1) == 1 {
      var figure = nanoseconds(of: count, plain)
      guard write(1, &figure, 8) == 8 else { return }
    }
  }
}

if CommandLine.arguments.contains("--stranger") {
  Stranger.serve()
  exit(0)
}

// A second thread is alive here too, unless the process is to be alone.
if !CommandLine.arguments.contains("--alone") {
  var sleeper = pthread_t()
  guard pthread_create(&sleeper, nil, sleepForGood, nil) == 0 else { exit(1) }
}

let stranger = Stranger()
_ = stranger.round()

// Here Belay is at work: one object of a class lives on, observed, as do a thousand others.
let observedForGood: [AnyObject] = [Hooked()] + (0..<1000).map { _ in Watched() }
for object in observedForGood { Lifetime.of(object).add(AnonymousDisposable {}) }

plain(count)
var strangers: [Double] = []
var figures: [[Double]] = [[], [], [], []]
for _ in 0..<rounds {
  strangers.append(stranger.round())
  for (row, body) in [plain, hooked, observed, tokens].enumerated() {
    figures[row].append(nanoseconds(of: count, body))
  }
}
let (before, results) = (median(strangers), figures.map(median))

func line(_ row: String, _ who: String, _ value: Double) {
  let hundredths = Int((value * 100).rounded())
  let part = hundredths % 100
  print("\(row)\t\(who)\t\(hundredths / 100).\(part < 10 ? "0" : "")\(part)")
}

line("nat_plain", "raw", before)
for (row, value) in zip(["nat_plain", "nat_hooked", "nat_observed", "nat_token"], results) {
  line(row, "belay", value)
}
withExtendedLifetime(observedForGood) {}
