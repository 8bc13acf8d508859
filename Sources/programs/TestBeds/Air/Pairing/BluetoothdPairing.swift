import BlueZ
import Bluetooth
import DBus
import EventLoop
import Transcripts

/// The central's side of pairing through bluetoothd, which asks the agent of the program that has called Device1.Pair (bluez:
/// doc/device-api.txt). So the device keeps the default agent.
@EventLoop
final class BluetoothdPairing {
  /// Answers the questions to the central's user.
  typealias Answering = @EventLoop (PairingQuestion) async -> PairingAnswer

  private static let device = "org.bluez.Device1"
  private static let adapter = "org.bluez.Adapter1"
  private static let properties = "org.freedesktop.DBus.Properties"
  /// How long bluetoothd may take to know a device to which the kernel is connected, or to end an earlier pairing.
  private static let patience = Duration.seconds(5)
  /// How long it may take to make the adapters bondable.
  private static let settling = Duration.milliseconds(500)

  private let connection: DBusConnection
  private let path: ObjectPath
  private let agent: PairingAgent

  init(_ connection: DBusConnection, _ path: ObjectPath) {
    (self.connection, self.path) = (connection, path)
    agent = PairingAgent(on: connection, for: path)
  }

  /// nil: no bluetoothd runs.
  static func open(for controller: LocalController) async -> BluetoothdPairing? {
    guard let connection = try? await DBusConnection.connect() else { return nil }
    guard (try? await connection.callBus("GetNameOwner", [.string(PairingAgent.service)])) != nil else {
      connection.close()
      return nil
    }
    return BluetoothdPairing(connection, ObjectPath(adapter: controller))
  }

  func end() { connection.close() }

  private func call(
    _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
    timeout: Duration = .seconds(25)
  ) async throws(DBusError) -> [DBusValue] {
    try await connection.call(
      destination: PairingAgent.service, path: path, interface: interface, member: member, arguments,
      timeout: timeout)
  }
}

// MARK: Pairing

extension BluetoothdPairing {
  /// Prepares to answer for the central's user, who can show and enter as much as this. It comes before ``setBondable(_:)``: where
  /// this agent is the only one, bluetoothd makes all adapters bondable a moment after it has registered.
  ///
  /// - Returns: whether the central's adapter wanted to keep keys before.
  func prepare(as capability: IOCapability) async throws(TestBedError) -> Bool {
    do throws(DBusError) {
      let wasPairable = try await isPairable()
      try await agent.register(capability, asDefault: false, with: PairingAgent.service)
      let deadline = EventLoop.now + Self.settling.microseconds
      while try await !isPairable(), EventLoop.now < deadline { await EventLoop.pause(.milliseconds(10)) }
      return wasPairable
    } catch {
      throw TestBedError("bluetoothd does not take the central's agent: \(error.message)")
    }
  }

  /// Pairs with a device to which the central's adapter is connected.
  ///
  /// - Returns: whether both have paired. bluetoothd may tell so long after it, or not at all.
  func pair(
    _ peer: LinkAddress, as capability: IOCapability, answer: @escaping Answering
  ) async throws(TestBedError) -> Bool {
    agent.onQuestion = { _, question, respond in
      EventLoop.start { respond(await answer(question)) }
    }
    let isPaired = await pair(peer.address)
    await agent.unregister(from: PairingAgent.service)
    return isPaired
  }

  private func pair(_ address: DeviceAddress) async -> Bool {
    let device = ObjectPath(device: address, below: path)
    let deadline = EventLoop.now + Self.patience.microseconds
    while !Task.isCancelled {
      do throws(DBusError) {
        _ = try await call(device, Self.device, "Pair", timeout: .seconds(60))
        return true
      } catch {
        if error.name == "org.bluez.Error.AlreadyExists" { return true }
        guard error.mayPass, EventLoop.now < deadline else { return false }
      }
      await EventLoop.pause(.milliseconds(50))
    }
    return false
  }

  /// Sets whether the central's adapter wants to keep keys.
  func setBondable(_ isWanted: Bool) async throws(TestBedError) {
    do throws(DBusError) {
      guard try await isPairable() != isWanted else { return }
      let value = DBusValue.variant(.bool(isWanted))
      _ = try await call(path, Self.properties, "Set", [.string(Self.adapter), "Pairable", value])
    } catch {
      throw TestBedError("bluetoothd does not set whether the central keeps keys: \(error.message)")
    }
  }

  private func isPairable() async throws(DBusError) -> Bool {
    let value = try await call(path, Self.properties, "Get", [.string(Self.adapter), "Pairable"])
    return value.first?.bool == true
  }

  /// Forgets the keys that an adapter has with a peer.
  func forget(_ peer: DeviceAddress, of controller: LocalController) async {
    let adapter = ObjectPath(adapter: controller)
    let device = ObjectPath(device: peer, below: adapter)
    _ = try? await call(adapter, Self.adapter, "RemoveDevice", [.objectPath(device)])
  }
}

extension DBusError {
  /// bluetoothd does not know the device yet, or still has to do with it.
  fileprivate var mayPass: Bool {
    [
      "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod",
      "org.bluez.Error.InProgress",
    ].contains(name)
  }
}
