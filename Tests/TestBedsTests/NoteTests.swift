import Definitions
import DeviceModel
import EventLoop
import Testing
import TestSupport
import Transcripts

@testable import TestBeds

/// Lines about the log, and conditions on the device.
@EventLoop @Suite struct NoteTests {
  private static let meter = try! define(
    """
    blemu: 1
    name: Meter
    settings:
      power: { type: boolean, default: false }
      local-name: { type: text, max: 12, default: "Meter #1" }
    variables:
      count: { type: integer, min: 0, max: 9, default: 0 }
      is-open: { type: boolean, default: false, per: central }
    states: [idle, measuring]
    generators: { level: { shape: ramp, from: 0, to: 100, over: 100s } }
    values: { twice: count * 2 }
    advertisement: { local-name: "{local-name}" }
    services:
      - uuid: FFE0
        characteristics:
          - { id: serial, uuid: FFE1, properties: [write, notify] }
    messages: { switch: "01 {state: u8}", later: "02" }
    rules:
      - on: { receive: switch }
        do:
          - { set: { power: state == 1, count: count + 1, is-open: true } }
          - { enter: measuring }
          - { log: "the power is {power}" }
          - { log: "switched {count} times" }
      - { on: { receive: later }, do: [{ wait: 2s }, { log: "two seconds later" }] }
    """)

  private static func failure(_ lines: String...) async throws -> String? {
    let text = "connect\n" + lines.joined(separator: "\n")
    return try await TestBedsTests.failure(of: text, with: meter)
  }

  @Test(
    arguments: [
      "* \"the power is true\"", "* \"the power is \" ...", "* \"switched 1 times\"", "* \"\" ...",
      "* \"the power is true\"\n* \"switched 1 times\"", "* \"switched 1 times\"  # a comment",
    ])
  func `the log has a message of a rule`(line: String) async throws {
    #expect(try await Self.failure("> serial  switch state=1", line) == nil)
  }

  @Test func `messages that no line expects are permitted`() async throws {
    #expect(try await Self.failure("> serial  switch state=1", "silence 1s") == nil)
  }

  @Test func `a message is expected once, and in order`() async throws {
    let message = "3: the log did not say this within 5 s"
    #expect(
      try await Self.failure("> serial  switch state=1", "* \"switched 1 times\"", "* \"the power is true\"")
        == "4" + message.dropFirst())
    #expect(try await Self.failure("> serial  switch state=1", "* \"the power\"") == message)
  }

  @Test func `a message comes on time`() async throws {
    #expect(try await Self.failure("> serial  later", "* \"two seconds later\"  after 2s") == nil)
    #expect(try await Self.failure("> serial  later", "* \"two \" ... within 3s after 1s..2s") == nil)
    #expect(
      try await Self.failure("> serial  later", "* \"two seconds later\"  after 1s")
        == "3: arrived 2 s after line 2, not 1 s")
    #expect(
      try await Self.failure("> serial  later", "* \"two seconds later\"  within 1s")
        == "3: the log did not say this within 1 s")
  }

  @Test(arguments: [
    "not power", "power == false and count == 0", "state == 'idle'", "local-name == 'Meter #1'", "twice == 0",
    "local-name == \"Meter #1\"  # a comment", "level >= 0", "centrals == 1", "not subscribed(serial)",
    "not is-open", "address.size == 6", "uptime == 0", "mtu == 23", "1 < 2",
  ])
  func `a condition is true`(condition: String) async throws {
    #expect(try await Self.failure("* " + condition) == nil)
  }

  @Test func `conditions see what rules have set`() async throws {
    #expect(
      try await Self.failure(
        "* power == false", "> serial  switch state=1", "* power and count == 1 and state == 'measuring'",
        "* is-open", "disconnect", "connect", "* not is-open", "+10s", "* level == 10 and uptime == 10s")
        == nil)
  }

  @Test func `a condition that is false shows the values in it`() async throws {
    #expect(
      try await Self.failure("* state == 'measuring' and (count == 3 or count > 5)")
        == "2: this is not true: state is \"idle\", count is 0")
    #expect(try await Self.failure("* 1 > 2") == "2: this is not true")
    #expect(try await Self.failure("* 10 / count > 1") == "2: this has no value: division by zero")
  }

  @Test func `a person at the prompt asks whether a condition is true`() async throws {
    let player = Player(Self.meter, settings: Self.meter.settings.map(\.initial))
    _ = try await player.start()
    #expect(
      await player.take("* count == 1") == ["    0.000  not met: * count == 1; this is not true: count is 0"])
    #expect(await player.take("* count == 0") == ["    0.000  met: * count == 0; count is 0"])
    #expect(player.recording.text == "== A conversation\n* count == 0\n")
    await player.stop()
  }
}

/// The device's address in values.
@EventLoop @Suite struct AddressTests {
  private static let tag = try! define(
    """
    blemu: 1
    name: Tag
    advertisement: { manufacturer-data: { 4D48: "01 {address}" } }
    services:
      - uuid: FFE0
        characteristics:
          - { id: own, uuid: FFE1, properties: [read], value: "{address}" }
          - { id: serial, uuid: FFE2, properties: [write, notify] }
    messages:
      ask: { text: "AT+ADDR?" }
      answer: { text: "OK+ADDR:{digits: text}" }
      give: "01 {it: bytes(6)}"
      result: "02 {is-own: u8}"
    rules:
      - { on: { receive: ask }, do: { send: answer, with: { digits: "hex(address)" } } }
      - { on: { receive: give }, do: { send: result, with: { is-own: "if(it == address, 1, 0)" } } }
    """)

  @Test func `values have the address of the device`() async throws {
    let text = """
      advertises manufacturer-data=4D48:01{address}
      connect
      read own
      = {address}
      subscribe serial
      > serial  give it={address}
      < serial  result is-own=1
      > serial  give it={address:le}
      < serial  02 00
      > serial  01{address}
      < serial  result is-own=1
      > serial  ask
      < serial  "OK+ADDR:" {address:hex}
      """
    #expect(try await failure(of: text, with: Self.tag) == nil)
  }

  @Test func `the address is written in either order`() throws {
    let parser = LineParser(Self.tag, address: [1, 2, 3, 4, 5, 6])
    for (line, bytes) in [
      ("{address}", [1, 2, 3, 4, 5, 6]), ("{address:le}", [6, 5, 4, 3, 2, 1]),
      ("FF {address: le}00", [0xFF, 6, 5, 4, 3, 2, 1, 0]), ("{ address:hex }", Array("010203040506".utf8)),
      ("give it={address:le}", [1, 6, 5, 4, 3, 2, 1]),
    ] as [(String, [UInt8])] {
      guard case .step(let step) = try parser.parse("> serial  " + line),
        case .write(let value, _, _) = step.action
      else {
        Issue.record("not a write")
        continue
      }
      #expect(value == bytes)
    }
  }

  @Test func `another address fails`() async throws {
    let found = try await failure(of: "connect\nread own\n= {address:le}", with: Self.tag)
    #expect(found?.hasPrefix("3: byte 0 is ") == true)
  }
}
