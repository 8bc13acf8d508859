import BlueZ
import Bluetooth
import BusSupport
import DBus
import EventLoop
import Testing

@testable import TestBeds

/// The central's side of pairing with a program in the place of bluetoothd.
@EventLoop @Suite(.timeLimit(.minutes(10))) struct BluetoothdPairingTests {
  private static let peer = LinkAddress(DeviceAddress("00:AA:01:01:00:01")!)
  private static let adapter: ObjectPath = "/org/bluez/hci1"
  private static let device: ObjectPath = "/org/bluez/hci1/dev_00_AA_01_01_00_01"

  private let bus: PrivateBus
  private let bluetoothd: Bluetoothd
  private let pairing: BluetoothdPairing

  init() async throws {
    bus = try PrivateBus()
    bluetoothd = try await Bluetoothd(bus, Self.adapter, Self.device)
    pairing = BluetoothdPairing(try await bus.connect(), Self.adapter)
  }

  @Test func `its agent is not the default, answers while it pairs, and then goes`() async throws {
    bluetoothd.question = ("RequestConfirmation", [.objectPath(Self.device), .uint32(42)])
    _ = try await pairing.prepare(as: .displayYesNo)
    let isPaired = try await pairing.pair(Self.peer, as: .displayYesNo) { $0 == .compare(42) ? .yes : .no }
    #expect(isPaired)
    #expect(
      bluetoothd.calls == [
        "RegisterAgent DisplayYesNo", "Pair", "RequestConfirmation: yes", "UnregisterAgent",
      ])
  }

  @Test func `the user's no reaches bluetoothd, and the pairing fails`() async throws {
    bluetoothd.question = ("RequestConfirmation", [.objectPath(Self.device), .uint32(42)])
    bluetoothd.errors = ["org.bluez.Error.AuthenticationFailed"]
    #expect(try await pairing.pair(Self.peer, as: .displayYesNo) { _ in .no } == false)
    #expect(bluetoothd.calls.suffix(2) == ["RequestConfirmation: no", "UnregisterAgent"])
  }

  @Test func `a device that bluetoothd is busy with is asked for again, and one that has paired counts`()
    async throws
  {
    bluetoothd.errors = ["org.bluez.Error.InProgress", "org.bluez.Error.AlreadyExists"]
    #expect(try await pairing.prepare(as: .noInputNoOutput))
    #expect(try await pairing.pair(Self.peer, as: .noInputNoOutput) { _ in .no })
    #expect(bluetoothd.calls == ["RegisterAgent NoInputNoOutput", "Pair", "Pair", "UnregisterAgent"])
  }

  @Test func `whether it keeps keys is set only if it changes, and can be put back`() async throws {
    try await pairing.setBondable(true)
    #expect(bluetoothd.calls == [])
    try await pairing.setBondable(false)
    try await pairing.setBondable(true)
    #expect(bluetoothd.calls == ["Pairable false", "Pairable true"])
  }
}

/// Takes an agent, and pairs one device, in the place of bluetoothd.
@EventLoop
private final class Bluetoothd {
  var calls: [String] = []
  /// What it asks the agent during `Pair`.
  var question: (member: String, arguments: [DBusValue])?
  /// The errors of the next calls of `Pair`.
  var errors: [String] = []
  private var isPairable = true
  private let connection: DBusConnection
  private var exports = Exports()

  private struct Exports: ~Copyable {
    var manager: Registration?
    var adapter: Registration?
    var device: Registration?
  }

  init(_ bus: PrivateBus, _ adapter: ObjectPath, _ device: ObjectPath) async throws {
    connection = try await bus.connect()
    _ = try await connection.callBus("RequestName", [.string(PairingAgent.service), .uint32(4)])
    exports.manager = export(
      .bluetoothd, "org.bluez.AgentManager1", "RegisterAgent", "RequestDefaultAgent", "UnregisterAgent")
    exports.adapter = export(adapter, "org.freedesktop.DBus.Properties", "Get", "Set")
    exports.device = export(device, "org.bluez.Device1", "Pair")
  }

  private func export(_ path: ObjectPath, _ interface: String, _ members: String...) -> Registration {
    let methods = members.map { member in DBusMethod(member) { [weak self] in self?.take($0) } }
    return connection.export(
      ExportedObject(path: path, interfaces: [DBusInterface(interface, methods: methods)]))
  }

  private func take(_ call: consuming MethodCall) {
    let member = call.member
    let agent = call.sender ?? ""
    var reader = call.reader()
    var arguments: [DBusValue] = []
    while !reader.isAtEnd, let value = try? reader.value() { arguments.append(value) }
    switch member {
    case "Get": return call.reply([.variant(.bool(isPairable))])
    case "Set":
      isPairable = arguments[2].bool == true
      calls.append("Pairable \(isPairable)")
    case "RegisterAgent": calls.append("\(member) \(arguments[1].string ?? "")")
    case "Pair":
      calls.append(member)
      return pair(DeferredCall(call), asking: agent)
    default: calls.append(member)
    }
    call.reply()
  }

  private func pair(_ call: DeferredCall, asking agent: String) {
    EventLoop.start { [self] in
      if let question { calls.append("\(question.member): \(await ask(agent, question) ? "yes" : "no")") }
      if errors.isEmpty {
        call.take()?.reply()
      } else {
        call.take()?.fail(name: errors.removeFirst(), message: "")
      }
    }
  }

  private func ask(_ agent: String, _ question: (member: String, arguments: [DBusValue])) async -> Bool {
    let reply = try? await connection.call(
      destination: agent, path: "/blemu/agent", interface: "org.bluez.Agent1", member: question.member,
      question.arguments)
    return reply != nil
  }
}
