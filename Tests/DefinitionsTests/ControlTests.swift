import Testing

@testable import Definitions
@testable import DeviceModel

/// What a person can operate.
@Suite struct ControlTests {
  private static let device = """
    settings: { level: { type: integer, min: 0, max: 9, default: 5 } }
    variables: { lamp: { type: boolean, default: false } }
    controls:
      button: { label: "The button", do: [{ log: "{level} {lamp}" }] }
      lamp: { set: lamp }
      slider: { set: level }
      quiet: {}
    rules:
      - { on: { control: quiet }, do: { log: quiet } }
      - { on: { set: level }, do: { log: set } }

    """

  @Test func `a control is a button, or sets a setting or a variable`() throws {
    let device = try DecoderTests.definition(Self.device)
    #expect(
      device.controls == [
        ControlDefinition(name: "button", label: "The button", kind: .button),
        ControlDefinition(name: "lamp", label: "lamp", kind: .bound(.variable(0))),
        ControlDefinition(name: "slider", label: "slider", kind: .bound(.setting(0))),
        ControlDefinition(name: "quiet", label: "quiet", kind: .button),
      ])
    #expect(device.control(named: "slider")?.index == 2)
    #expect(device.control(named: "level") == nil)
  }

  @Test func `rules wait for controls, and for what is set from outside`() throws {
    let device = try DecoderTests.definition(Self.device)
    #expect(device.rules.map(\.triggers) == [[.control(3)], [.set(.setting(0))], [.control(0)]])
    #expect(device.rules.map(\.source.event) == ["control quiet", "set level", "control button"])
    #expect(device.rules.map(\.source.actions) == [["log quiet"], ["log set"], ["log {level} {lamp}"]])
    #expect(device.rules.map(\.line) == [9, 10, 4])
  }

  @Test(arguments: [
    ("boolean, default: true", ControlDefinition.Form.switch), ("integer, default: 1", .field),
    ("integer, min: 0, default: 1", .field), ("integer, min: 0, max: 9, default: 1", .slider),
    ("decimal, max: 9, default: 1", .field), ("decimal, min: 0.5, max: 9, default: 1", .slider),
    ("text, default: a", .field), ("text, one-of: [a, b], default: a", .choice),
    ("integer, one-of: [1, 2], default: 1", .choice), ("bytes, default: 01", .field),
  ])
  func `the type and the limits of what it sets decide what it looks like`(
    _ setting: String, _ form: ControlDefinition.Form
  ) throws {
    let device = try DecoderTests.definition(
      "settings: { a: { type: \(setting) } }\ncontrols: { b: { set: a } }")
    #expect(device.form(of: device.controls[0]) == form)
  }

  @Test func `there are settings and variables by their names`() throws {
    let device = try DecoderTests.definition(Self.device)
    #expect(device.slot(named: "lamp")?.slot == .variable(0))
    #expect(device.slot(named: "level")?.definition.initial == .integer(5))
    #expect(device.slot(named: "button") == nil)
    #expect(device.initialContext.value(of: .setting(0)) == .integer(5))
    #expect(device.initialContext.value(of: .variable(0)) == .boolean(false))
  }
}

/// Controls of a definition that extends another.
@Suite struct ControlExtendingTests {
  private static let base = """
    blemu: 1
    name: Base
    services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [write, notify] }] }]
    settings: { is-on: { type: boolean, default: true } }
    controls:
      button: { label: Button, do: { log: pressed } }
      switch: { set: is-on }

    """

  private func load(_ yaml: String) -> LoadedDefinition {
    DefinitionsTests.load("extends: base\n" + yaml, bundled: ["base": Self.base])
  }

  @Test func `keep what is not changed`() throws {
    let loaded = load("controls: { button: { label: Knob }, switch: ~, bell: { do: { log: ring } } }")
    let device = try #require(loaded.definition, "\(loaded.report)")
    #expect(loaded.report == "")
    #expect(device.controls.map(\.name) == ["button", "bell"])
    #expect(device.controls.map(\.label) == ["Knob", "bell"])
    #expect(device.rules.map(\.source.actions) == [["log pressed"], ["log ring"]])
  }

  @Test func `a rule takes the event, under a condition or always`() throws {
    for condition in ["", ", if: is-on"] {
      let loaded = load("rules: [{ on: { control: button }\(condition), do: { log: other } }]")
      let device = try #require(loaded.definition, "\(loaded.report)")
      #expect(loaded.report == "")
      #expect(device.rules.map(\.source.actions) == [["log other"], ["log pressed"]])
    }
  }

  @Test func `a button becomes a switch without its actions`() {
    #expect(load("controls: { button: { set: is-on, do: ~ } }").report == "")
    #expect(
      load("controls: { button: { set: is-on } }").report.contains(
        "'set' and 'do' cannot be combined"))
  }
}
