import Glibc
import TestSupport
import Testing

@testable import BlueZ

/// Every event in every state: the next state and the effects.
@Suite struct TransitionTests {
  @Test func `every event is defined in every state`() {
    let rows = Situation.all.flatMap(Self.rows)
    #expect(rows.joined(separator: "\n") == TransitionTable.text)
  }

  /// The state, and below it each event that changes something.
  ///
  /// `same` stands for the state itself; it may know more. `ended` is every outcome, `done` every one but a failure,
  /// `failed` every failure.
  private static func rows(after steps: [Step]) -> [String] {
    let machine = RegistrationStateMachine(after: steps)
    var outcomes: [(outcome: String, steps: [Step])] = []
    for step in Step.allCases {
      guard let outcome = outcome(of: step, machine) else { continue }
      if let index = outcomes.firstIndex(where: { $0.outcome == outcome }) {
        outcomes[index].steps.append(step)
      } else {
        outcomes.append((outcome, [step]))
      }
    }
    return [machine.state.text] + outcomes.map { "  \(Self.names(of: $0.steps)) → \($0.outcome)" }
  }

  private static func names(of steps: [Step]) -> String {
    let failures: [Step] = [.mayPass, .refused, .invalid]
    let successes: [Step] = [.done, .sawReady, .sawOff, .sawNothing]
    let groups = [("ended", successes + failures), ("done", successes), ("failed", failures)]
    let group = groups.first { steps.starts(with: $0.1) }
    let rest = steps.dropFirst(group?.1.count ?? 0).map { "\($0)" }
    return ((group.map { [$0.0] } ?? []) + rest).joined(separator: ", ")
  }

  private static func outcome(of step: Step, _ before: RegistrationStateMachine) -> String? {
    var machine = before
    let effects = machine.take(step).map(\.text)
    guard machine != before || !effects.isEmpty else { return nil }
    let state = machine.state.text == before.state.text ? "same" : machine.state.text
    return ([state] + effects).joined(separator: " | ")
  }

  /// The states of the drawing in the doc comment of ``BlueZTransport``, and the arrows from each.
  @Test func `the drawing shows each arrow between two states`() throws {
    let source = try text(of: Repository.path + "Sources/bluez/BlueZ/BlueZTransport.swift")
    let drawn = source.split(separator: "\n").filter { $0.hasPrefix("///     ") && $0.contains("→") }
      .map { $0.dropFirst(8).filter { $0 != " " } }
    let arrows = Set(Situation.all.flatMap(Self.arrows))
    let names = [
      "closed", "opened", "registering", "onAir", "switchedOff", "takingBack", "waiting", "leaving",
    ]
    let expected = names.map { name in
      Self.arrow(name, names.filter { arrows.contains([name, $0]) })
    }
    #expect(drawn.map(Self.sorted) == expected.map(Self.sorted))
  }

  private static func arrow(_ name: String, _ next: [String]) -> String {
    name + "→" + next.joined(separator: ",")
  }

  private static func sorted(_ arrow: String) -> String {
    let parts = arrow.split(separator: "→")
    return parts[0] + "→" + parts[1].split(separator: ",").sorted().joined(separator: ",")
  }

  private static func arrows(after steps: [Step]) -> [[String]] {
    Step.allCases.compactMap { step in
      var machine = RegistrationStateMachine(after: steps)
      let before = machine.state.name
      _ = machine.take(step)
      return machine.state.name == before ? nil : [before, machine.state.name]
    }
  }
}

private func text(of path: String) throws -> String {
  let file = try #require(fopen(path, "r"))
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 100_000)
  let count = fread(&bytes, 1, bytes.count, file)
  return String(decoding: bytes.prefix(count), as: UTF8.self)
}
