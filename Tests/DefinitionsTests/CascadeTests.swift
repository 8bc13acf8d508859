import Testing

@testable import Definitions

/// A mistake in a part that others use is reported once, where it is, and not again at each use.
@Suite struct CascadeTests {
  /// A device whose parts use one another.
  static let device = """
    blemu: 1
    name: Device
    settings:
      level: { type: integer, min: 0, max: 9, default: 1 }
      label: { type: text, max: 8, default: a }
    variables:
      count: { type: integer, min: 0, max: 99, default: 0 }
    states: [idle, busy]
    generators:
      noise: { shape: random, min: 0, max: 9, every: 2s }
    values:
      sum: level + count
      twice: sum * 2
    advertisement:
      local-name: "{label}"
    services:
      - uuid: FFE0
        characteristics:
          - { id: serial, uuid: FFE1, properties: [read, write, notify] }
          - { id: other, uuid: FFE2, properties: [read, notify] }
    framing:
      serial: { delimiter: 0A }
    messages:
      ask: "A5 {x: u8}"
      reply: "A6 {x: u8} {y: u8}"
    data:
      history: { columns: { day: integer, total: integer }, rows: [[1, 2]], key: [day] }
    rules:
      - on: start
        do: { start: report, every: 1s }
      - on: { timer: report }
        do: { send: reply, with: { x: twice, y: noise }, to: other }
      - on: { receive: ask, from: serial }
        if: x > level and state == 'idle'
        do:
          - { set: { count: "x + history[x].total" } }
          - { log: "{x} {count} {sum} {noise}" }
          - { enter: busy }
          - { send: reply, with: { y: count } }
      - on: { enter: busy }
        in: busy
        do: [{ enter: idle }, { log: "{state}" }]
      - on: { subscribe: other }
        if: subscribed(other)
        do: { send: reply, with: { x: 1, y: size(history) } }

    """

  /// A text of the device, and what is written in its place.
  struct Change: CustomTestStringConvertible {
    var old: String
    var new: String
    var testDescription: String { "\(old) → \(new)" }
  }

  static let settings = [
    Change(old: "level: { type: integer, min: 0, max: 9, default: 1 }", new: "level: 5"),
    Change(old: "level: { type: integer", new: "level: { type: int"),
    Change(old: "level: { type: integer, min: 0", new: "level: { type: integer, min: low"),
    Change(old: "max: 9, default: 1", new: "max: 9, default: no"),
    Change(old: "settings:", new: "setings:"), Change(old: "type: text, max: 8", new: "type: text, max: x"),
  ]
  static let variables = [
    Change(old: "count: { type: integer, min: 0, max: 99, default: 0 }", new: "count: 0"),
    Change(old: "max: 99, default: 0", new: "max: 99"), Change(old: "variables:", new: "variable:"),
    Change(old: "max: 99", new: "max: 99, in: idle"),
  ]
  static let states = [
    Change(old: "[idle, busy]", new: "idle"), Change(old: "states:", new: "state:"),
    Change(old: "[idle, busy]", new: "[idle, { busy: now }]"),
  ]
  static let generators = [
    Change(old: "shape: random", new: "shape: rand"), Change(old: "every: 2s", new: "every: 2"),
    Change(old: "min: 0, max: 9, every", new: "min: low, max: 9, every"),
    Change(old: "generators:", new: "generator:"),
    Change(old: "{ shape: random, min: 0, max: 9, every: 2s }", new: "5"),
  ]
  static let values = [
    Change(old: "level + count", new: "level +"), Change(old: "level + count", new: "levl + count"),
    Change(old: "values:", new: "value:"), Change(old: "level + count", new: "[level, count]"),
  ]
  static let services = [
    Change(old: "services:", new: "service:"), Change(old: "characteristics:", new: "characteristic:"),
    Change(old: "FFE1", new: "FFE"), Change(old: "write, notify", new: "write, notfy"),
    Change(old: "id: other", new: "name: other"), Change(old: "- uuid: FFE0", new: "- uuid: FFE"),
  ]
  static let messages = [
    Change(old: "\"A5 {x: u8}\"", new: "\"A5 {x: u9}\""), Change(old: "ask: \"", new: "ask: \"G"),
    Change(old: "A6 {x: u8}", new: "A6 {x, u8}"), Change(old: "messages:", new: "message:"),
    Change(old: "\"A5 {x: u8}\"", new: "[A5]"), Change(old: "\"A5 {x: u8}\"", new: "{ txt: A }"),
  ]
  static let tables = [
    Change(old: "total: integer", new: "total: int"), Change(old: "data:", new: "dta:"),
    Change(old: "key: [day]", new: "key: [dya]"), Change(old: "columns:", new: "column:"),
  ]
  static let rules = [
    Change(old: "receive: ask", new: "receive: aks"), Change(old: "from: serial", new: "from: serail"),
    Change(old: "{ receive: ask, from: serial }", new: "receive ask"),
    Change(old: "timer: report", new: "timer: reprot"), Change(old: "start: report,", new: "strt: report,"),
    Change(old: "in: busy", new: "in: bsy"), Change(old: "on: { enter: busy }", new: "on: { enter: bsy }"),
    Change(old: "subscribe: other", new: "subscribe: othr"), Change(old: "to: other", new: "to: othr"),
  ]
  static let others = [
    Change(old: "delimiter: 0A", new: "delimiter: 0"), Change(old: "framing:", new: "frmaing:"),
    Change(old: "local-name", new: "localName"), Change(old: "serial: {", new: "serail: {"),
  ]

  @Test func `a device whose parts use one another has no mistakes`() {
    #expect(load(Self.device, others: []).report == "")
  }

  @Test(
    arguments: settings + variables + states + generators + values + services + messages + tables + rules
      + others)
  func `one mistake is one error`(change: Change) {
    let yaml = Self.device.replacing(change.old, with: change.new, maxReplacements: 1)
    #expect(yaml != Self.device)
    let loaded = load(yaml, others: [])
    #expect(loaded.diagnostics.count { $0.severity == .error } == 1, "\(loaded.report)")
    #expect(loaded.definition == nil)
  }
}
