import BlemuControl
import BlueZLimits
import EventLoop
import Faults
import Loopback
import BlemuJSON
import TestSupport
import Testing

@testable import ControlServer

/// Each method, by a program on the socket.
@Suite struct MethodTests {
  private func with(_ body: (ControlConnection, ControlledLamp) async throws -> Void) async throws {
    let lamp = try await ControlledLamp()
    try await body(ControlConnection(to: lamp.path), lamp)
    await lamp.close()
  }

  @Test func `a phone is known by its identity, and by the private address of its link`() async throws {
    try await with { client, _ in
      let identity: JSONValue = "00:00:00:00:00:02"
      for line in ["connect as phone", "bond"] { _ = try client.call(.act, ["line": .string(line)]) }
      let address = try #require(try client.call(.status)["centrals"]?.elements?.first)
      #expect(address != identity)
      #expect(try client.call(.act, ["line": "read level", "as": address])["response"] == "value")
      #expect(try client.call(.act, ["line": "read level", "as": identity])["response"] == "value")
      _ = try client.call(.disconnect, ["central": identity])
      #expect(try client.call(.status)["centrals"] == [])
      _ = try client.call(.act, ["line": "connect as phone"])
      #expect(try client.call(.status)["centrals"] == [identity])
      _ = try client.call(.forget, ["central": identity])
      for line in ["disconnect", "connect as phone", "bond"] {
        _ = try client.call(.act, ["line": .string(line)])
      }
      let last = try #require(try client.call(.status)["centrals"]?.elements?.first)
      #expect(last != identity && last != address)
      _ = try client.call(.forget, ["central": last])
      #expect(throws: ControlFailure.self) { try client.call(.forget, ["central": last]) }
      _ = try client.call(.disconnect, ["central": last])
      #expect(try client.call(.status)["centrals"] == [])
    }
  }

  @Test func `values are set and read`() async throws {
    try await with { client, _ in
      #expect(
        try client.call(.get) == ["values": ["level": 50, "title": "Lamp", "lit": false, "state": "idle"]])
      let result = try client.call(.set, ["values": ["level": 3, "lit": true]])
      #expect(result["warnings"] == [])
      #expect(
        try client.call(.get, ["names": ["level", "level * 2", "title + '!'", "state == 'idle'"]])
          == ["values": ["level": 3, "level * 2": 6, "title + '!'": "Lamp!", "state == 'idle'": true]])
      _ = try client.call(.act, ["line": "connect"])
      #expect(try client.call(.act, ["line": "read level"]) == ["response": "value", "value": "03"])
    }
  }

  @Test func `controls are operated`() async throws {
    try await with { client, _ in
      _ = try client.call(.press, ["control": "lamp"])
      #expect(try client.call(.get, ["names": ["lit", "lit"]]) == ["values": ["lit": true]])
      _ = try client.call(.press, ["control": "lamp", "value": false])
      #expect(try client.call(.get, ["names": ["lit"]]) == ["values": ["lit": false]])
      _ = try client.call(.press, ["control": "button"])
      _ = try client.call(
        .expect, ["lines": ["press lamp", "press lamp=false", "press button", "* \"pressed\""], "after": 0])
    }
  }

  @Test(
    arguments: [
      (["message": "turned", "fields": ["state": 1, "note": "AB"]], "81 01 AB"), (["bytes": "0102"], "01 02"),
      (["message": "turned", "fields": ["state": 1, "note": ["bytes": "AB 00"]]], "81 01 AB 00"),
      (["text": "OK"], "4F 4B"), (["value": "turned state=2 note=\"x\""], "81 02 78"),
      (["value": "\"OK\""], "4F 4B"),
    ] as [(JSONValue, String)])
  func `values are sent`(content: JSONValue, bytes: String) async throws {
    try await with { client, _ in
      _ = try client.call(.act, ["line": "connect"])
      _ = try client.call(.act, ["line": "subscribe switch"])
      _ = try client.call(.send, (["from": "switch"] as JSONValue).adding(content.members!))
      let (met, events) = (
        try client.call(.expect, ["lines": .array([.string("< switch \(bytes)")])]),
        try client.call(.journal)["events"]?.elements ?? []
      )
      let sent = try #require(events.first { $0["event"] == "control" })
      #expect(sent["command"] == .string("send switch \(bytes)"))
      #expect(met["events"] == .array([.integer((sent["number"]?.wholeNumber ?? 0) + 1)]))
      #expect((sent["fields"] == nil) == (sent["message"] == nil))
    }
  }

  @Test func `bytes are told from text`() async throws {
    let device = TestSupport.definition(
      """
      settings: { key: { type: bytes, default: "00", max: 4 }, title: { type: text, default: "00", max: 4 } }
      services: [{ uuid: FFE0, characteristics: [{ id: out, uuid: FFE1, properties: [write] }] }]
      messages:
        cells: "A5 {count(cells): u8} {repeat cells}{serial: bytes(2)}{end} {note: bytes}"
      """)
    let lamp = try await ControlledLamp(device)
    let client = try ControlConnection(to: lamp.path)
    _ = try client.call(.set, ["values": ["key": ["bytes": "0A 0B"]]])
    #expect(
      try client.call(.get, ["names": ["key", "title"]]) == [
        "values": ["key": "0A 0B", "title": "00"], "bytes": ["key"],
      ])
    _ = try client.call(.act, ["line": "connect"])
    _ = try client.call(.act, ["line": "> out A5 01 0C 0D FF"])
    let events = try client.call(.journal)["events"]?.elements ?? []
    let write = try #require(events.first { $0["event"] == "write" })
    #expect(write["byte-fields"] == ["cells.serial", "note"])
    await lamp.close()
  }

  @Test(arguments: ["FFE1", "ffe1", "0000FFE1-0000-1000-8000-00805f9b34fb"])
  func `a UUID stands for the id`(uuid: String) async throws {
    try await with { client, _ in
      for line in ["connect", "subscribe \(uuid)", "> \(uuid) turn state=1"] {
        _ = try client.call(.act, ["line": .string(line)])
      }
      _ = try client.call(.expect, ["lines": [.string("> \(uuid)"), "< switch turned"]])
      _ = try client.call(.send, ["from": .string(uuid), "bytes": "07"])
      _ = try client.call(.expect, ["lines": [.string("< \(uuid) 07")]])
    }
  }

  @Test func `a UUID of several characteristics is none's`() async throws {
    let device = TestSupport.definition(
      """
      services:
        - uuid: FFE0
          characteristics:
            - { id: left, uuid: FFE1, properties: [read, notify] }
            - { id: right, uuid: FFE1, properties: [read, notify] }
      """)
    let lamp = try await ControlledLamp(device)
    let client = try ControlConnection(to: lamp.path)
    _ = try client.call(.act, ["line": "connect"])
    let (problem, hint) = ("2 characteristics have the UUID 'FFE1'", "name one by its id: left, right")
    #expect(
      throws: ControlFailure.refused(ControlError(.badParameters, "'read FFE1': \(problem)", hint: hint))
    ) {
      try client.call(.act, ["line": "read FFE1"])
    }
    #expect(throws: ControlFailure.refused(ControlError(.badParameters, problem, hint: hint))) {
      try client.call(.send, ["from": "FFE1", "bytes": "00"])
    }
    await lamp.close()
  }

  @Test func `what cannot be encoded is not sent, and the answer says so`() async throws {
    let device = TestSupport.definition(
      """
      services: [{ uuid: FFE0, characteristics: [{ id: out, uuid: FFE1, properties: [notify] }] }]
      framing: { out: { encode: "if(1 / (value.size - 2) == 0, value, value)" } }
      """)
    let lamp = try await ControlledLamp(device)
    let client = try ControlConnection(to: lamp.path)
    _ = try client.call(.act, ["line": "connect"])
    _ = try client.call(.act, ["line": "subscribe out"])
    _ = try client.call(.send, ["from": "out", "bytes": "01 02 03"])
    let problem = "'out' sends nothing: division by zero"
    #expect(throws: ControlFailure.refused(ControlError(.notPossible, problem))) {
      try client.call(.send, ["from": "out", "bytes": "01 02"])
    }
    await lamp.close()
  }

  @Test func `the wire side gets bytes`() async throws {
    try await with { client, _ in
      _ = try client.call(.act, ["line": "connect"])
      _ = try client.call(.act, ["line": "subscribe stream"])
      _ = try client.call(.wire, ["text": "hello"])
      _ = try client.call(.expect, ["lines": ["] wire \"hello\"", "< stream \"hello\""]])
    }
  }

  @Test func `advertising, connections and the device's life`() async throws {
    try await with { client, lamp in
      _ = try client.call(.advertise, ["on": false])
      #expect(await lamp.transport.advertisement == nil)
      #expect(
        throws: ControlFailure.refused(
          ControlError(.notPossible, "the device is not advertising: no central can connect"))
      ) {
        try client.call(.act, ["line": "connect"])
      }
      _ = try client.call(.advertise, ["on": true])
      _ = try client.call(.act, ["line": "connect", "as": "00:00:00:00:00:07"])
      #expect(try client.call(.status)["centrals"] == ["00:00:00:00:00:07"])
      _ = try client.call(.disconnect, ["central": "00:00:00:00:00:07"])
      #expect(try client.call(.status)["centrals"] == [])
      _ = try client.call(.set, ["values": ["lit": true, "level": 9]])
      _ = try client.call(.reset)
      #expect(try client.call(.get, ["names": ["lit", "level"]]) == ["values": ["lit": false, "level": 9]])
      _ = try client.call(.stop)
      #expect(await lamp.wasStopped)
    }
  }

  @Test func `bonds are forgotten, by the device and by a central`() async throws {
    try await with { client, _ in
      let (first, second): (JSONValue, JSONValue) = ("00:00:00:00:00:07", "00:00:00:00:00:08")
      func bonds(_ central: JSONValue) throws -> JSONValue? {
        try client.call(.act, ["line": "bond", "as": central])["response"]
      }
      for central in [first, second] {
        _ = try client.call(.act, ["line": "connect", "as": central])
        #expect(try bonds(central) == "paired")
      }
      _ = try client.call(.forget, ["central": first])
      #expect(
        throws: ControlFailure.refused(
          ControlError(
            .badParameters, "there is no bond with '00:00:00:00:00:07'", hint: "bonded: 00:00:00:00:00:08"))
      ) {
        try client.call(.forget, ["central": first])
      }
      for line in ["disconnect", "connect", "bond"] as [JSONValue] {
        _ = try client.call(.act, ["line": line, "as": first])
      }
      _ = try client.call(
        .expect,
        [
          "lines": ["forget", "! \"00:00:00:00:00:07 encrypts the link with a key\" ...", "bond"], "after": 0,
        ])
      _ = try client.call(.forget)
      _ = try client.call(.act, ["line": "unpair", "as": second])
      #expect(try client.call(.status)["centrals"] == [first])
      #expect(throws: ControlFailure.refused(ControlError(.badParameters, "there is no bond with 'me'"))) {
        try client.call(.forget, ["central": "me"])
      }
    }
  }

  @Test func `a central in memory disconnects if pairing fails`() async throws {
    try await with { client, _ in
      _ = try client.call(.faults, ["add": "fail pairing unspecified-reason"])
      _ = try client.call(.act, ["line": "connect"])
      #expect(
        try client.call(.act, ["line": "pair"]) == ["response": "refused", "error": "unspecified-reason"])
      #expect(try client.call(.status)["centrals"] == [])
      #expect(try client.call(.act, ["line": "connect"]) == ["response": "accepted"])
    }
  }

  @Test func `faults are added, strike, and are removed`() async throws {
    try await with { client, _ in
      #expect(try client.call(.faults) == ["faults": []])
      #expect(try client.call(.faults, ["add": "drop in on switch every 2nd"])["number"] == 1)
      for line in ["connect", "> switch turn state=1", "> switch turn state=2"] {
        _ = try client.call(.act, ["line": .string(line)])
      }
      _ = try client.call(.expect, ["lines": ["> switch turn state=1", "fault drop in on switch"]])
      let listed: JSONValue = [
        "number": 1, "fault": "drop in on switch every 2nd", "seen": 2, "struck": 1, "spent": false,
      ]
      #expect(try client.call(.faults) == ["faults": [listed]])
      let events = try client.call(.journal)["events"]?.elements ?? []
      let struck = try #require(events.first { $0["event"] == "fault" })
      #expect(struck["number"]?.wholeNumber == events.firstIndex(of: struck).map { $0 + 1 })
      #expect(struck["fault-number"] == 1)
      #expect(try client.call(.faults, ["remove": 1]) == ["faults": []])
      _ = try client.call(.faults, ["add": "stall on stream"])
      #expect(try client.call(.faults, ["remove-all": true]) == ["faults": []])
    }
  }

  @Test func `a request that a fault refused was refused`() async throws {
    try await with { client, _ in
      _ = try client.call(.faults, ["add": "refuse 0x80 on switch once"])
      for line in ["connect", "> switch turn state=1"] { _ = try client.call(.act, ["line": .string(line)]) }
      _ = try client.call(.expect, ["lines": ["! 0x80"]])
      #expect(throws: ControlFailure.self) { try client.call(.expect, ["lines": ["! 0x81"], "after": 0]) }
    }
  }

  @Test func `a description has what faults make of the device`() async throws {
    let lamp = try await ControlledLamp(limits: BlueZLimits())
    let client = try ControlConnection(to: lamp.path)
    func described(under fault: String) throws -> JSONValue {
      _ = try client.call(.faults, ["add": .string(fault)])
      let description = try client.call(.describe)
      _ = try client.call(.faults, ["remove-all": true])
      return description
    }
    let plain = try client.call(.describe)
    let other = try described(under: "advertise as \"Other\"")
    #expect(other["advertises"]?.line == plain["advertises"]?.line.replacing("Lamp", with: "Other"))
    #expect(other["scan-response"] == "06 09 4F 74 68 65 72")
    let silent = try described(under: "stop advertising")
    #expect(silent["advertises"] == nil && silent["advertising-data"] == nil)
    #expect(silent["on-air"] == true)
    #expect(try described(under: "reboot for 60s")["on-air"] == false)
    #expect(try client.call(.describe)["on-air"] == true)
    await lamp.close()
  }

  @Test @EventLoop func `a central in memory does not keep what it is sent`() async throws {
    let lamp = try await ControlledLamp()
    let control = DeviceControl(
      ControlledDevice(
        name: "lamp", source: .init(file: "", reference: { "" }, settings: [], seed: 0),
        transport: "loopback",
        peripheral: lamp.peripheral, definition: ControlledLamp.definition, journal: lamp.journal,
        faults: FaultStage(of: ControlledLamp.definition, seed: 0), memory: lamp.transport, stop: {}))
    for line in ["connect", "subscribe switch"] {
      try control.act(["line": .string(line)], ControlReply(to: 1) { _ in })
    }
    for _ in 0..<3 { _ = try control.send(["from": "switch", "bytes": "01"]) }
    let central = try #require(control.centrals?.centrals.values.first)
    #expect(
      lamp.journal.entries(after: 0).count { if case .notify = $0.event.kind { true } else { false } } == 3)
    #expect(central.takeValues(from: 0) == [])
    lamp.close()
  }

  @Test(arguments: ["read switch", "> switch turn state=1"])
  func `a central in memory leaves when the device has not responded within 30 s`(line: String) async throws {
    let scheduler = await ManualScheduler()
    let lamp = try await ControlledLamp(on: scheduler)
    let client = try RawClient(lamp.path)
    let parameters = [
      ("faults", "{\"add\": \"answer never\"}"), ("act", "{\"line\": \"connect\"}"),
      ("act", "{\"line\": \"\(line)\"}"), ("faults", "{\"remove-all\": true}"),
    ]
    for (index, (method, parameters)) in parameters.enumerated() {
      client.send(
        "{\"jsonrpc\": \"2.0\", \"id\": \(index), \"method\": \"\(method)\", \"params\": \(parameters)}\n")
    }
    for id in [0, 1, 3] { #expect(try client.nextLine()["id"] == .integer(id)) }
    await scheduler.advance(by: .milliseconds(29_999))
    #expect(await lamp.peripheral.centrals.count == 1)
    await scheduler.advance(by: .milliseconds(1))
    let answer = try client.nextLine()
    #expect(answer["id"] == 2)
    #expect(answer["error"] == ["code": -32002, "message": "the device has not responded within 30 s"])
    #expect(await lamp.peripheral.centrals.isEmpty)
    await lamp.close()
  }

  @Test func `a central in memory speaks in lines`() async throws {
    try await with { client, _ in
      let accepted: JSONValue = ["response": "accepted"]
      for line in [
        "connect mtu=100", "subscribe switch", "> switch turn state=5", ">! switch 01 06",
        "unsubscribe switch",
      ] {
        #expect(try client.call(.act, ["line": .string(line)]) == accepted, "\(line)")
      }
      #expect(try client.call(.act, ["line": "pair"]) == ["response": "paired", "bonded": false])
      #expect(try client.call(.act, ["line": "disconnect reason=supervision-timeout"]) == accepted)
      #expect(throws: ControlFailure.self) { try client.call(.act, ["line": "read switch"]) }
      _ = try client.call(
        .expect,
        [
          "lines": [
            "connect", "subscribe switch", "> switch turn state=5", "< switch turned state=5",
            ">! switch 01 06", "pair", "disconnect",
          ]
        ])
    }
  }

  @Test(
    arguments: [
      (.get, ["names": ["levle"]], "'levle': unknown name 'levle'", "did you mean 'level'?"),
      (
        .set, ["values": ["levle": 3]], "the definition has no setting or variable 'levle'",
        "did you mean 'level'?"
      ),
      (.set, ["values": ["title": "x", "level": 101]], "level: 101 is not in 0…100", nil),
      (.set, ["values": [:]], "'values' has no value", nil),
      (
        .set, ["values": ["level": [1]]],
        "'values' must be an object whose values are numbers, texts, true, false, or objects with 'bytes' in hex",
        "new values, by the name of the setting or variable"
      ),
      (
        .set, ["values": ["title": ["bytes": "4C 61"]]], "'title' has the type text, which takes no bytes",
        nil
      ),
      (.press, ["control": "buton"], "the definition has no control 'buton'", "did you mean 'button'?"),
      (
        .send, ["from": "level", "text": "x"], "'level' neither notifies nor indicates",
        "known: switch, stream, wire"
      ),
      (
        .send, ["from": "swtich", "text": "x"], "no characteristic has the id 'swtich'",
        "did you mean 'switch'?"
      ),
      (
        .send, ["from": "switch"], "there is no value",
        "give one of 'message', 'bytes', 'text' and 'value'"
      ),
      (
        .send, ["from": "switch", "text": "x", "bytes": "00"], "'bytes' and 'text' cannot be combined",
        "give one of 'message', 'bytes', 'text' and 'value'"
      ),
      (
        .send, ["from": "switch", "bytes": "0"], "'0' is not hex: a byte needs two hexadecimal digits",
        "as in A5 06 83"
      ),
      (
        .send, ["from": "switch", "message": "trun"], "the definition has no message 'trun'",
        "did you mean 'turn'?"
      ),
      (.send, ["from": "switch", "message": "turn"], "'turn' needs values for: state", nil),
      (
        .send, ["from": "switch", "message": "turn", "fields": ["stat": 1]], "'turn' has no field 'stat'",
        "did you mean 'state'?"
      ),
      (
        .send, ["from": "switch", "text": "x", "fields": ["state": 1]], "only a message has fields",
        "give its name as 'message'"
      ),
      (
        .send, ["from": "switch", "text": "x", "central": "00:00:00:00:00:02"],
        "no central has the address '00:00:00:00:00:02'", "no central is connected"
      ),
      (.send, ["from": "switch", "text": "x"], "not sent: no central has subscribed", nil),
      (
        .send, ["from": "switch", "message": "turned", "fields": ["state": ["bytes": "01"], "note": "00"]],
        "'state' must be a whole number", "as in 17 or 0x11"
      ),
      (
        .advance, ["by": 1000],
        "the clock of a device on the air cannot be advanced: its centrals and its adapter stay in real time",
        "run it with --on loopback"
      ),
      (
        .advance, ["by": -1], "'by' must be a whole number, 0 to 31536000000",
        "the time in milliseconds; at most a year"
      ),
      (.disconnect, [:], "no central is connected", nil),
      (
        .disconnect, ["reason": "remote-low-resourcs"], "there is no HCI error 'remote-low-resourcs'",
        "did you mean 'remote-low-resources'?"
      ),
      (
        .act, ["line": "+5s"], "'+5s' is not an action of a central",
        "a central can: connect, disconnect, parameters, phy, refuse parameters, pair, bond, unpair, lose keys, subscribe, unsubscribe, read, serve, unserve, >, >! or >?"
      ),
      (.act, ["line": "connect", "as": "x"], "'x' is not an address", "as in 00:00:00:00:00:02"),
      (.expect, ["lines": []], "'lines' has no line", nil),
      (
        .expect, ["lines": ["> swtich"]], "'> swtich': no characteristic has the id 'swtich'",
        "did you mean 'switch'?"
      ),
      (.expect, ["lines": ["+5s"]], "'+5s': unknown line", nil),
      (
        .expect, ["lines": ["fault drpo on switch"], "at-most": 0],
        "'fault drpo on switch': no fault is called 'drpo'", "did you mean 'drop'?"
      ),
      (
        .expect, ["lines": ["fault drop on swtich"], "at-most": 0],
        "'fault drop on swtich': no characteristic has the id 'swtich'", "did you mean 'switch'?"
      ),
      (
        .expect, ["lines": ["fault corrupt on switch"]],
        "'fault corrupt on switch': expected a whole number, found 'on'", nil
      ),
      (
        .expect, ["lines": ["set levle=3"], "at-most": 0],
        "'set levle=3': the definition has no setting or variable 'levle'", "did you mean 'level'?"
      ),
      (
        .expect, ["lines": ["set levle"], "at-most": 0],
        "'set levle': the definition has no setting or variable 'levle'", "did you mean 'level'?"
      ),
      (.expect, ["lines": ["set level=999"], "at-most": 0], "'set level=999': 999 is not in 0…100", nil),
      (.expect, ["lines": ["set level title=A"]], "'set level title=A': expected the end of the line", nil),
      (
        .expect, ["lines": ["press buton"], "at-most": 0],
        "'press buton': the definition has no control 'buton'", "did you mean 'button'?"
      ),
      (
        .expect, ["lines": ["advertise maybe"], "at-most": 0],
        "'advertise maybe': expected 'advertise on' or 'advertise off'", nil
      ),
      (
        .expect, ["lines": ["reset now"], "at-most": 0], "'reset now': expected the end of the line", nil
      ),
      (
        .expect, ["lines": ["connect", "disconnect"], "at-least": 2], "only a single line can be counted",
        "expect each line by itself, or leave the count out"
      ),
      (
        .expect, ["lines": ["connect"], "at-least": 2, "at-most": 1], "at least 2 is more than at most 1", nil
      ),
      (
        .expect, ["lines": ["* level == 1"], "at-most": 1],
        "a condition is true or not, and cannot be counted", nil
      ),
      (
        .expect, ["lines": ["connect"], "within": -1], "'within' must be a whole number, 0 to 86400000",
        "how long to wait, milliseconds; by default 0"
      ),
      (
        .faults, ["add": "dorp on switch"], "'dorp on switch': no fault is called 'dorp'",
        "did you mean 'drop'?"
      ),
      (.faults, ["remove": 3], "no fault has the number 3", "the device has no faults"),
      (.journal, ["afetr": 1], "'journal' has no parameter 'afetr'", "did you mean 'after'?"),
      (.advertise, [:], "'advertise' needs 'on'", "true: starts; false: stops"),
      (.cancel, ["id": true], "'id' must be a text or a whole number", "the id of the request"),
      (
        .watch, ["format": "xml"], "'format' must be json or text",
        "json (default): objects; text: the lines of the log"
      ),
    ] as [(ControlMethod, JSONValue, String, String?)])
  func `a mistake changes nothing`(
    method: ControlMethod, parameters: JSONValue, message: String, hint: String?
  ) async throws {
    try await with { client, lamp in
      let error = #expect(throws: ControlFailure.self) { try client.call(method, parameters) }
      guard case .refused(let error) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(error.message == message)
      #expect(error.hint == hint)
      let unchanged: JSONValue = ["values": ["level": 50, "title": "Lamp", "lit": false, "state": "idle"]]
      let present = try client.call(.get)
      #expect(present == unchanged)
      #expect(await lamp.transport.advertisement != nil)
    }
  }
}
