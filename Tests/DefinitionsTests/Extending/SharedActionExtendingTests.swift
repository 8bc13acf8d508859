import Testing

@testable import Definitions

/// Shared actions of a definition that extends another.
@Suite struct SharedActionExtendingTests {
  private static let base = """
    blemu: 1
    name: Base
    services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [write, notify] }] }]
    actions:
      beep: { log: low }
      answer: [{ send: { text: A } }, { log: answered }]
    rules:
      - { on: connect, do: [{ perform: beep }, { perform: answer }] }

    """

  @Test func `are replaced by their names, each as a whole`() throws {
    let loaded = load(
      "extends: base\nactions: { beep: { if: centrals > 1, wait: 5ms }, extra: { log: more } }\n"
        + "rules: [{ on: disconnect, do: { perform: extra } }]", bundled: ["base": Self.base])
    let device = try #require(loaded.definition, "\(loaded.report)")
    #expect(loaded.report == "")
    #expect(device.sharedActions.map(\.name) == ["beep", "answer", "extra"])
    #expect(device.sharedActions[0].actions == ["wait 5ms if centrals > 1"])
    #expect(device.rules.map(\.source.actions) == [["perform extra"], ["perform beep", "perform answer"]])
  }

  @Test func `cannot be removed while a rule performs them`() {
    let report = load("extends: base\nactions: { beep: ~ }", bundled: ["base": Self.base]).report
    #expect(report.contains("no actions are named 'beep'"))
  }
}
