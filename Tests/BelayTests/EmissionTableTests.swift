import Belay
import Testing

/// A, B and C subscribe to one subject; B and C are bound to one owner. Sends 1, in some places
/// disposes of B, sends 2, completes. B acts once, in the callback of the place.
///
/// A1 is A's next with 1, A. its completed, A- its disposed, A~ the end of what it captured; [ and ]
/// are the beginning and the end of B's action, =N what it returned; d! and D! are the owner's
/// deinit and dealloc.
private final class Scene {
  enum Place: CaseIterable {
    case next, completed, disposed, free, disposedAtTheEnd, freeAtTheEnd
    var hasDisposal: Bool { self == .disposed || self == .free }
    var hasSecondValue: Bool { self == .next || hasDisposal }
  }

  var text = ""
  var subject: PublishSubject<Int>? = PublishSubject()
  var owner: Owner?
  var subscriptions: [Disposable] = []
  private let place: Place
  private var action: ((Scene) -> Void)?

  init(_ place: Place, _ action: @escaping (Scene) -> Void) {
    self.place = place
    self.action = action
    owner = Owner(
      deinit: { [unowned self] in text += " d!" }, dealloc: { [unowned self] in text += " D!" })
  }

  /// Told of a call; B acts.
  func note(_ name: String, _ what: String, _ places: Place...) {
    text += " " + name + what
    guard name == "B", places.contains(place), let action else { return }
    self.action = nil
    text += "["
    action(self)
    text += "]"
  }

  func join(_ name: String, _ owner: Owner? = nil) {
    let context = Context(self, name)
    guard let subject else { return }
    subscriptions.append(
      subject.subscribe(
        owner: owner?.record, next: { context.scene.note(name, "\($0)", .next) },
        completed: { [unowned self] in note(name, ".", .completed) },
        disposed: { [unowned self] in note(name, "-", .disposed, .disposedAtTheEnd) }))
  }

  func play() -> String {
    join("A")
    join("B", owner)
    join("C", owner)
    subject?.next(1)
    if place.hasDisposal { subscriptions[1].dispose() }
    if place.hasSecondValue { subject?.next(2) }
    subject?.completed()
    owner = nil
    subject = nil
    return text
  }

  private final class Context {
    unowned let scene: Scene
    let name: String
    init(_ scene: Scene, _ name: String) {
      self.scene = scene
      self.name = name
    }
    deinit { scene.note(name, "~", .free, .freeAtTheEnd) }
  }
}

extension CoreTests {
  /// What may be done inside a callback, and what comes of it.
  @Suite struct EmissionTable {
    private let endA = " A. A- A~"
    private let endB = " B. B- B~"
    private let endC = " C. C- C~"
    private let death = " d! D!"
    private let values = " A1 B1 C1"

    /// `expected` is in the order of `Scene.Place`.
    private func play(_ expected: [String], _ action: @escaping (Scene) -> Void) {
      for (place, expected) in zip(Scene.Place.allCases, expected) {
        #expect(Scene(place, action).play() == expected, "\(place)")
      }
    }

    @Test func emission_disposeSelf() {
      play([
        " A1 B1[ B-] B~ C1 A2 C2\(endA)\(endC)\(death)",
        "\(values)\(endA) B.[] B- B~\(endC)\(death)",
        "\(values) B-[] B~ A2 C2\(endA)\(endC)\(death)",
        "\(values) B- B~[] A2 C2\(endA)\(endC)\(death)",
        "\(values)\(endA) B. B-[] B~\(endC)\(death)",
        "\(values)\(endA) B. B- B~[]\(endC)\(death)",
      ]) { $0.subscriptions[1].dispose() }
    }

    @Test func emission_disposeNext() {
      play([
        " A1 B1[ C- C~] A2 B2\(endA)\(endB)\(death)",
        "\(values)\(endA) B.[ C- C~] B- B~\(death)",
        "\(values) B-[ C- C~] B~ A2\(endA)\(death)",
        "\(values) B- B~[ C- C~] A2\(endA)\(death)",
        "\(values)\(endA) B. B-[ C- C~] B~\(death)",
        "\(values)\(endA) B. B- B~[ C- C~]\(death)",
      ]) { $0.subscriptions[2].dispose() }
    }

    @Test func emission_disposePrevious() {
      play([
        " A1 B1[ A- A~] C1 B2 C2\(endB)\(endC)\(death)",
        "\(values)\(endA) B.[] B- B~\(endC)\(death)",
        "\(values) B-[ A- A~] B~ C2\(endC)\(death)",
        "\(values) B- B~[ A- A~] C2\(endC)\(death)",
        "\(values)\(endA) B. B-[] B~\(endC)\(death)",
        "\(values)\(endA) B. B- B~[]\(endC)\(death)",
      ]) { $0.subscriptions[0].dispose() }
    }

    @Test func emission_subscribeAnother() {
      play([
        " A1 B1[] C1 A2 B2 C2 D2\(endA)\(endB)\(endC) D. D- D~\(death)",
        "\(values)\(endA) B.[ D. D- D~] B- B~\(endC)\(death)",
        "\(values) B-[] B~ A2 C2 D2\(endA)\(endC) D. D- D~\(death)",
        "\(values) B- B~[] A2 C2 D2\(endA)\(endC) D. D- D~\(death)",
        "\(values)\(endA) B. B-[ D. D- D~] B~\(endC)\(death)",
        "\(values)\(endA) B. B- B~[ D. D- D~]\(endC)\(death)",
      ]) { $0.join("D") }
    }

    @Test func emission_sendAgain() {
      play([
        " A1 B1[ =1] C1 A9 B9 C9 A2 B2 C2\(endA)\(endB)\(endC)\(death)",
        "\(values)\(endA) B.[ =-20003] B- B~\(endC)\(death)",
        "\(values) B-[ A9 C9 =0] B~ A2 C2\(endA)\(endC)\(death)",
        "\(values) B- B~[ A9 C9 =0] A2 C2\(endA)\(endC)\(death)",
        "\(values)\(endA) B. B-[ =-20003] B~\(endC)\(death)",
        "\(values)\(endA) B. B- B~[ =-20003]\(endC)\(death)",
      ]) { scene in
        let code = scene.subject?.next(9).rawValue ?? 0
        scene.text += " =\(code)"
      }
    }

    @Test func emission_releaseTheSignal() {
      play([
        " A1 B1[] C1 A- A~ B- B~ C- C~\(death)",
        "\(values)\(endA) B.[] B- B~\(endC)\(death)",
        "\(values) B-[ A- A~ C- C~] B~\(death)",
        "\(values) B- B~[ A- A~ C- C~]\(death)",
        "\(values)\(endA) B. B-[] B~\(endC)\(death)",
        "\(values)\(endA) B. B- B~[]\(endC)\(death)",
      ]) { $0.subject = nil }
    }

    @Test func emission_killTheOwner() {
      play([
        " A1 B1[ B- C- C~] B~\(death) A2\(endA)",
        "\(values)\(endA) B.[ C- C~] B- B~\(death)",
        "\(values) B-[ C- C~] B~\(death) A2\(endA)",
        "\(values) B- B~[ C- C~]\(death) A2\(endA)",
        "\(values)\(endA) B. B-[ C- C~] B~\(death)",
        "\(values)\(endA) B. B- B~[ C- C~]\(death)",
      ]) { $0.owner = nil }
    }
  }
}
