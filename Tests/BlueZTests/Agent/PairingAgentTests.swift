import Bluetooth
import BusSupport
import DBus
import EventLoop
import TestSupport
import Testing

@testable import BlueZ

/// An agent, and a program in the place of bluetoothd on the same bus.
@EventLoop
@Suite(.timeLimit(.minutes(10))) struct PairingAgentTests {
  private static let device: ObjectPath = "/org/bluez/hci0/dev_00_1A_7D_DA_71_13"
  private static let stranger: ObjectPath = "/org/bluez/hci1/dev_00_1A_7D_DA_71_13"

  private let bus: PrivateBus
  private let bluetoothd: DBusConnection
  private let agent: PairingAgent
  private let agentName: String
  private let calls = Calls()

  final class Calls: Sendable {
    @EventLoop var all: [String] = []
    @EventLoop var questions: [PairingQuestion] = []
  }

  init() async throws {
    bus = try PrivateBus()
    bluetoothd = try await bus.connect()
    let connection = try await bus.connect()
    agent = PairingAgent(on: connection, for: "/org/bluez/hci0")
    agentName = connection.uniqueName
  }

  private func manager() -> Registration {
    let methods = ["RegisterAgent", "RequestDefaultAgent", "UnregisterAgent"].map { name in
      DBusMethod(name) { [calls] call in
        var reader = call.reader()
        let path = try? reader.objectPath()
        calls.all.append("\(name) \(path?.string ?? "")" + ((try? reader.string()).map { " \($0)" } ?? ""))
        call.reply()
      }
    }
    return bluetoothd.export(
      ExportedObject(
        path: "/org/bluez", interfaces: [DBusInterface("org.bluez.AgentManager1", methods: methods)]))
  }

  private func ask(_ member: String, _ arguments: [DBusValue]) async throws(DBusError) -> [DBusValue] {
    try await bluetoothd.call(
      destination: agentName, path: "/blemu/agent", interface: "org.bluez.Agent1", member: member, arguments)
  }

  @Test func `it becomes the default agent, and gives that up`() async throws {
    let manager = manager()
    try await agent.register(.displayYesNo, with: bluetoothd.uniqueName)
    await agent.unregister(from: bluetoothd.uniqueName)
    #expect(
      calls.all == [
        "RegisterAgent /blemu/agent DisplayYesNo", "RequestDefaultAgent /blemu/agent",
        "UnregisterAgent /blemu/agent",
      ])
    _ = consume manager
  }

  @Test func `it passes each question on, and answers`() async throws {
    let manager = manager()
    try await agent.register(.keyboardDisplay, with: bluetoothd.uniqueName)
    agent.onQuestion = { [calls] in
      calls.questions.append($1)
      $2($1 == .passkey ? .enter(123_456) : .yes)
    }
    let device = DBusValue.objectPath(Self.device)
    #expect(try await ask("RequestPasskey", [device]) == [.uint32(123_456)])
    #expect(try await ask("DisplayPasskey", [device, .uint32(7), .uint16(2)]) == [])
    #expect(try await ask("RequestConfirmation", [device, .uint32(42)]) == [])
    #expect(try await ask("RequestAuthorization", [device]) == [])
    #expect(try await ask("AuthorizeService", [device, "1800"]) == [])
    #expect(try await ask("Cancel", []) == [])
    #expect(calls.questions == [.passkey, .show(7, entered: 2), .compare(42), .pair, .use])
    _ = consume manager
  }

  @Test func `it refuses devices of other adapters, and says so once`() async throws {
    let manager = manager()
    try await agent.register(.noInputNoOutput, with: bluetoothd.uniqueName)
    agent.onQuestion = { $2(.yes) }
    agent.onStranger = { [calls] in calls.all.append($0.string) }
    for _ in 0..<2 {
      let error = await #expect(throws: DBusError.self) {
        try await ask("RequestAuthorization", [.objectPath(Self.stranger)])
      }
      #expect(error?.name == "org.bluez.Error.Rejected")
    }
    #expect(calls.all.filter { $0 == Self.stranger.string }.count == 1)
    _ = consume manager
  }

  @Test
  func `the last agent of a process asks the others about their adapters, and tells them of its capability`()
    async throws
  {
    let manager = manager()
    let other = PairingAgent(on: try await bus.connect(), for: "/org/bluez/hci1")
    try await other.register(.keyboardOnly, with: bluetoothd.uniqueName)
    other.onQuestion = { [calls] in
      calls.all.append("\($0.string)")
      $2(.enter(42))
    }
    other.onCancel = { [calls] in calls.all.append("cancelled") }
    var others: [IOCapability?] = []
    other.onOther = { others.append($0) }
    agent.onStranger = { [calls] in calls.all.append("stranger \($0.string)") }
    try await agent.register(.displayOnly, with: bluetoothd.uniqueName)
    #expect(try await ask("RequestPasskey", [.objectPath(Self.stranger)]) == [.uint32(42)])
    _ = try await ask("Cancel", [])
    #expect(calls.all.suffix(2) == [Self.stranger.string, "cancelled"])
    await agent.unregister(from: bluetoothd.uniqueName)
    #expect(others == [.displayOnly, nil])
    await other.unregister(from: bluetoothd.uniqueName)
    #expect(others.count == 2)
    _ = consume manager
  }

  /// bluetoothd has cancelled the first question, or its device has left.
  @Test func `a late answer goes to its own question only, and the first one counts`() async throws {
    let manager = manager()
    try await agent.register(.displayYesNo, with: bluetoothd.uniqueName)
    var answers: [PairingAgent.Answering] = []
    agent.onQuestion = { _, _, answer in answers.append(answer) }
    agent.onCancel = { [calls] in calls.all.append("cancelled") }
    let first = Task { @EventLoop in
      try await ask("RequestConfirmation", [.objectPath(Self.device), .uint32(1)])
    }
    while answers.count < 1 { await EventLoop.pause(.milliseconds(1)) }
    #expect(try await ask("Cancel", []) == [])
    #expect(calls.all.last == "cancelled")
    let second = Task { @EventLoop in try await ask("RequestPasskey", [.objectPath(Self.device)]) }
    while answers.count < 2 { await EventLoop.pause(.milliseconds(1)) }
    answers[0](.no)
    answers[0](.yes)
    answers[1](.enter(42))
    answers[1](.no)
    #expect(try await second.value == [.uint32(42)])
    await #expect(throws: DBusError.self) { try await first.value }
    _ = consume manager
  }

  @Test func `the next bluetoothd gets the agent, too`() async throws {
    let manager = manager()
    let changes = Arrivals<Void>()
    _ = try await bluetoothd.callBus("RequestName", [.string(PairingAgent.service), .uint32(4)])
    let agency = await PairingAgency.open(
      for: "/org/bluez/hci0", on: try await bus.connect(), answer: { _, _, end in end(.no) }, onCancel: {},
      onChange: { changes.add(()) }, warn: { _ in })
    await agency.register(.displayYesNo)
    _ = try await bluetoothd.callBus("ReleaseName", [.string(PairingAgent.service)])
    _ = try await changes.wait(for: 2)
    #expect(agency.bluetoothd == nil)
    _ = try await bluetoothd.callBus("RequestName", [.string(PairingAgent.service), .uint32(4)])
    _ = try await changes.wait(for: 3)
    let registered = ["RegisterAgent /blemu/agent DisplayYesNo", "RequestDefaultAgent /blemu/agent"]
    #expect(calls.all == registered + registered)
    await agency.end()
    _ = consume manager
  }

  @Test func `an answer for a bluetoothd that has gone goes nowhere`() async throws {
    let manager = manager()
    try await agent.register(.displayYesNo, with: bluetoothd.uniqueName)
    var answers: [PairingAgent.Answering] = []
    agent.onQuestion = { _, _, answer in answers.append(answer) }
    let question = Task { @EventLoop in try await ask("RequestAuthorization", [.objectPath(Self.device)]) }
    while answers.isEmpty { await EventLoop.pause(.milliseconds(1)) }
    bluetoothd.close()
    await #expect(throws: DBusError.self) { try await question.value }
    answers[0](.yes)
    let next = try await bus.connect()
    agent.onQuestion = { $2(.yes) }
    let answer = try await next.call(
      destination: agentName, path: "/blemu/agent", interface: "org.bluez.Agent1",
      member: "RequestAuthorization", [.objectPath(Self.device)])
    #expect(answer == [])
    _ = consume manager
  }
}
