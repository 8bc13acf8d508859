import BlemuControl
import BlemuJSON
import EventLoop
import Loopback
import TestSupport
import Testing

@testable import ControlServer

/// Programs that play a central by the handles of attributes.
@Suite struct CentralTests {
  private static let definition = TestSupport.definition(
    """
    advertisement: { local-name: Lamp, services: [FFE0], tx-power: 4 }
    settings: { secret: { type: boolean, default: true } }
    services:
      - uuid: FFE0
        characteristics:
          - { id: switch, uuid: FFE1, properties: [read, write, write-without-response, notify], value: "00" }
          - { id: twin, uuid: FFE1, properties: [read], value: "07", descriptors: [{ uuid: 2901, value: "41" }] }
          - { id: cell, uuid: FFE2, properties: [indicate] }
          - { id: locked, uuid: FFE3, properties: [read], permissions: [encrypt-authenticated-read], value: "2A" }
      - { uuid: FFF0, primary: false, characteristics: [{ id: part, uuid: FFF1, properties: [read] }] }
    security: { io-capability: display-only, passkey: "123456" }
    messages: { turn: "01 {state: u8}" }
    rules:
      - on: { receive: turn, from: switch }
        do: [{ send: turn, to: switch }, { send: turn, to: cell }]
    """)

  /// A program, and the handles of the lamp's attributes by the ids of their characteristics.
  private func connected(
    _ lamp: ControlledLamp, _ parameters: JSONValue = [:]
  ) throws -> (program: AskedProgram, values: [Int], configurations: [Int]) {
    let program = try AskedProgram(lamp.path)
    _ = try program.central("connect", parameters)
    let table = try program.central("discover")
    let found = (table["services"]?.elements ?? []).filter { $0["uuid"] == "FFE0" }
      .flatMap { $0["characteristics"]?.elements ?? [] }
    let configurations = found.flatMap { $0["descriptors"]?.elements ?? [] }.filter { $0["uuid"] == "2902" }
    return (
      program, found.compactMap { $0["handle"]?.wholeNumber },
      configurations.compactMap { $0["handle"]?.wholeNumber }
    )
  }

  @Test func `discovery finds all attributes, also two with one UUID`() async throws {
    let lamp = try await ControlledLamp(Self.definition)
    let program = try AskedProgram(lamp.path)
    #expect(try program.central("connect", ["mtu": 100]) == ["as": "00:00:00:00:00:02", "mtu": 100])
    let services = try program.central("discover")["services"]?.elements ?? []
    try #require(services.map { $0["uuid"]?.text } == ["1800", "1801", "FFE0", "FFF0"])
    #expect(services.map { $0["primary"] } == [true, true, true, false])
    let own = services[2]["characteristics"]?.elements ?? []
    #expect(own.map { $0["uuid"]?.text } == ["FFE1", "FFE1", "FFE2", "FFE3"])
    #expect(own[0]["properties"] == ["read", "write-without-response", "write", "notify"])
    #expect(own[1]["descriptors"]?.elements?.map { $0["uuid"] } == ["2901"])
    let last = try #require(services[2]["end"]?.wholeNumber)
    #expect(services[3]["handle"] == .integer(last + 1))
    await lamp.close()
  }

  @Test func `values are read, written and received by their handles`() async throws {
    let lamp = try await ControlledLamp(Self.definition)
    let (program, values, configurations) = try connected(lamp)
    #expect(try program.read(values[1]) == ["response": "value", "value": "07"])
    #expect(try program.write("01 00", to: configurations[0]) == ["response": "accepted"])
    #expect(try program.write("02 00", to: configurations[1]) == ["response": "accepted"])
    let before = try program.notification { $0["event"] == "value" }
    #expect(before == nil)
    #expect(try program.write("01 05", to: values[0], "command") == ["response": "accepted"])
    let notified = try #require(try program.notification { $0["delivery"] == "notification" })
    #expect(notified["handle"] == .integer(values[0]))
    #expect(notified["value"] == "01 05" && notified["attribute"] == "switch")
    #expect(notified["message"] == "turn" && notified["fields"] == ["state": 5])
    let indicated = try #require(try program.notification { $0["delivery"] == "indication" })
    #expect(indicated["handle"] == .integer(values[2]))
    await lamp.close()
  }

  @Test func `a refused request has the name and the code of its ATT error`() async throws {
    let lamp = try await ControlledLamp(Self.definition)
    let (program, values, _) = try connected(lamp)
    #expect(
      try program.read(values[2]) == ["response": "refused", "error": "read-not-permitted", "code": 2])
    #expect(try program.read(values[3])["response"] == "refused")
    #expect(try program.read(999)["error"] == "invalid-handle")
    await lamp.close()
  }

  @Test func `pairing with the passkey lets it read, and a wrong one ends the link`() async throws {
    let lamp = try await ControlledLamp(Self.definition)
    let (program, values, _) = try connected(lamp)
    #expect(try program.central("pair", ["passkey": 123_456]) == ["response": "paired", "bonded": true])
    #expect(try program.read(values[3]) == ["response": "value", "value": "2A"])
    let other = try AskedProgram(lamp.path)
    #expect(try other.central("connect")["as"] == "00:00:00:00:00:03")
    #expect(try other.central("pair", ["passkey": 1])["error"] == "confirm-value-failed")
    #expect(try other.central("discover")["code"] == -32002)
    await lamp.close()
  }

  @Test func `the end of the link, from either side, is told and frees the central`() async throws {
    let lamp = try await ControlledLamp(Self.definition)
    let (program, _, _) = try connected(lamp)
    _ = try program.call(.disconnect, ["reason": "remote-low-resources"])
    let told = try program.notification { $0["event"] == "disconnected" }
    #expect(told?["reason"] == "remote-low-resources")
    #expect(try program.central("read", ["handle": 3])["message"] == "00:00:00:00:00:02 is not connected")
    #expect(try program.central("connect")["as"] == "00:00:00:00:00:02")
    #expect(try program.central("disconnect") == ["response": "accepted"])
    #expect(try program.call(.status)["centrals"] == [])
    await lamp.close()
  }

  @Test func `a request that waits when the link ends fails`() async throws {
    let lamp = try await ControlledLamp(Self.definition)
    let (program, values, _) = try connected(lamp)
    _ = try program.call(.faults, ["add": "answer never on switch"])
    let read = program.request(.central, ["do": "read", "handle": .integer(values[0])])
    _ = try program.call(.disconnect)
    #expect(try program.result(of: read)["message"] == "the connection has ended")
    await lamp.close()
  }

  @Test func `a central leaves with its program`() async throws {
    let lamp = try await ControlledLamp(Self.definition)
    let witness = try AskedProgram(lamp.path)
    do { _ = try connected(lamp) }
    _ = try witness.call(.expect, ["lines": ["disconnect"], "within": 10_000, "after": 0])
    #expect(try witness.call(.status)["centrals"] == [])
    await lamp.close()
  }

  @Test func `a scan tells what is advertised, and each change`() async throws {
    let lamp = try await ControlledLamp(Self.definition)
    let program = try AskedProgram(lamp.path)
    let heard = try program.central("scan")
    #expect(heard["address"] == "00:00:00:00:00:01" && heard["address-type"] == "public")
    #expect(heard["advertising"]?["connectable"] == true && heard["advertising"]?["rssi"] == -50)
    _ = try program.call(.advertise, ["on": false])
    #expect(try program.notification { $0["event"] == "advertising" }?["advertising"] == .null)
    #expect(
      try program.central("connect")["message"] == "the device is not advertising: no central can connect")
    _ = try program.call(.advertise, ["on": true])
    #expect(try program.notification { $0["event"] == "advertising" }?["advertising"]?["rssi"] == -50)
    _ = try program.call(.faults, ["add": "fade to -80 dBm"])
    #expect(try program.notification { $0["event"] == "advertising" }?["advertising"]?["rssi"] == -80)
    await lamp.close()
  }

  @Test func `an address that changes is one that falls silent and a new one`() async throws {
    let lamp = try await ControlledLamp(
      TestSupport.definition(
        """
        advertisement: { local-name: Lamp, address: { kind: resolvable, every: 1min } }
        services: [{ uuid: FFE0, characteristics: [{ id: switch, uuid: FFE1, properties: [read] }] }]
        """), on: AdvancingScheduler(isHeld: true))
    let program = try AskedProgram(lamp.path)
    let first = try program.central("scan")
    _ = try program.call(.advance, ["by": 61_000])
    let silent = try #require(try program.notification { $0["event"] == "advertising" })
    #expect(silent["address"] == first["address"] && silent["advertising"] == .null)
    let next = try #require(try program.notification { $0["event"] == "advertising" })
    #expect(next["address"] != first["address"] && next["advertising"]?["connectable"] == true)
    await lamp.close()
  }

  @Test func `what is missing or wrong is said`() async throws {
    let lamp = try await ControlledLamp(Self.definition)
    let (program, values, _) = try connected(lamp)
    #expect(try program.central("read")["message"] == "'handle' is missing: read and write need it")
    #expect(
      try program.central("write", ["handle": .integer(values[0])])["message"]
        == "'value' is missing: write needs it")
    #expect(try program.central("sing")["code"] == -32602)
    let other = try AskedProgram(lamp.path)
    #expect(
      try other.central("connect", ["as": "00:00:00:00:00:02"])["message"]
        == "another program has the central 00:00:00:00:00:02")
    await lamp.close()
  }

  @Test func `a program cannot end the central of another one`() async throws {
    let lamp = try await ControlledLamp(Self.definition)
    let (program, values, _) = try connected(lamp)
    do {
      let other = try AskedProgram(lamp.path)
      #expect(try other.central("connect", ["as": "00:00:00:00:00:02"])["code"] == -32002)
      #expect(try other.central("disconnect")["message"] == "the central is not connected")
    }
    let witness = try AskedProgram(lamp.path)
    #expect(try witness.call(.status)["centrals"] == ["00:00:00:00:00:02"])
    #expect(try program.read(values[1])["value"] == "07")
    await lamp.close()
  }

  @Test func `a value that comes at once after the connection is not lost`() async throws {
    let lamp = try await ControlledLamp(
      TestSupport.definition(
        """
        services: [{ uuid: FFE0, characteristics: [{ id: greeting, uuid: FFE1, properties: [notify], cccd: none }] }]
        rules: [{ on: connect, do: { send: { bytes: "01" }, to: greeting } }]
        """))
    let program = try AskedProgram(lamp.path)
    _ = try program.central("connect")
    #expect(try program.notification { $0["event"] == "value" }?["value"] == "01")
    await lamp.close()
  }
}

/// A device in memory whose clock is held.
@Suite struct HeldClockTests {
  private static let clock = TestSupport.definition(
    """
    services:
      - { uuid: FFE0, characteristics: [{ id: time, uuid: FFE1, properties: [read, write], value: "00" }] }
    rules:
      - { on: start, do: { start: alarm, after: 90s } }
      - { on: { timer: alarm }, do: [{ log: it rings }, { start: again, after: 0s }] }
      - { on: { timer: again }, do: { log: again } }
      - { on: { write: time }, do: { start: again, after: 0s } }
    """)

  @Test func `time stands until it is advanced, to the next timer and beyond`() async throws {
    let device = try await ControlledLamp(Self.clock, on: AdvancingScheduler(isHeld: true))
    let program = try AskedProgram(device.path)
    func advance(_ time: Int) throws -> [JSONValue?] {
      let outcome = try program.call(.advance, ["by": .integer(time)])
      return [outcome["milliseconds"], outcome["next"]]
    }
    #expect(try advance(0) == [0, 90_000])
    #expect(try advance(89_999) == [89_999, 1])
    #expect(try program.call(.journal, ["after": 1])["events"] == [])
    // A timer of no time fires at the same instant.
    #expect(try advance(1) == [90_000, nil])
    let events = try program.call(.journal, ["after": 1])["events"]?.elements ?? []
    #expect(events.map { $0["message"] } == ["it rings", "again"])
    #expect(try advance(0) == [90_000, nil])
    await device.close()
  }

  @Test func `what is due at once needs no advance`() async throws {
    let device = try await ControlledLamp(Self.clock, on: AdvancingScheduler(isHeld: true))
    let program = try AskedProgram(device.path)
    for line in ["connect", "> time 01"] { _ = try program.result(of: program.act(line)) }
    let outcome = try program.call(.expect, ["lines": ["* \"again\""], "within": 10_000, "after": 0])
    #expect(outcome["events"] != nil, "\(outcome)")
    await device.close()
  }
}

extension AskedProgram {
  fileprivate func central(_ act: String, _ parameters: JSONValue = [:]) throws -> JSONValue {
    try call(.central, (["do": .string(act)] as JSONValue).adding(parameters.members ?? []))
  }

  fileprivate func read(_ handle: Int) throws -> JSONValue {
    try central("read", ["handle": .integer(handle)])
  }

  fileprivate func write(_ value: String, to handle: Int, _ kind: String = "request") throws -> JSONValue {
    try central("write", ["handle": .integer(handle), "value": .string(value), "kind": .string(kind)])
  }

  /// The first notification of the central that has come and that this is true of; nil: none has.
  fileprivate func notification(where isWanted: (JSONValue) -> Bool) throws -> JSONValue? {
    _ = try call(.status)
    return take { $0["method"] == "central" && isWanted($0["params"] ?? .null) }?["params"]
  }
}
