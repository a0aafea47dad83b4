// A host that is itself ordinary Swift: its runtime and the one inside Belay must not meet.
import CBelay

class Animal {
  let name: String
  weak var friend: Animal?
  init(_ name: String) { self.name = name }
  func speak() -> String { "\(name) says nothing" }
}

final class Dog: Animal {
  override func speak() -> String { "\(name) says \(["wo", "of"].joined())" }
}

nonisolated(unsafe) var deaths: Int = 0
var words: [String: Int] = [:]
var animals: [Animal] = []

for round in 0..<20_000 {
  let dog: Dog = Dog("dog \(round % 100)")
  dog.friend = animals.last
  animals.append(dog)
  if animals.count > 50 { animals.removeAll() }
  words[dog.speak(), default: 0] += 1

  // The owner keeps the host's object: its deinit releases the reference.
  let object: UnsafeMutableRawPointer = Unmanaged.passRetained(dog as Animal).toOpaque()
  let owner: OpaquePointer? = belay_owner_create(
    object,
    { object in
      let animal: Animal = Unmanaged<Animal>.fromOpaque(object!).takeRetainedValue()
      if animal.name.hasPrefix("dog") { deaths += 1 }
    }, nil, nil)
  belay_owner_release(owner)
}

let loop: OpaquePointer? = belay_loop_create(nil)
precondition(loop != nil && belay_loop_run(loop, BELAY_RUN_DEFAULT) == 0)
belay_loop_close(loop, nil, nil, nil)
belay_loop_release(loop)

precondition(words.count == 100 && words.values.reduce(0, +) == 20_000)
precondition(deaths == 20_000)
print("\(deaths) deaths, \(words.count) words, \(animals.last?.speak() ?? "silence")")
