import Bluetooth
import DBus
import EventLoop

/// The device's agent of bluetoothd, registered again each time bluetoothd starts.
@EventLoop
package final class PairingAgency {
  private let connection: DBusConnection
  /// Whether the connection is its own.
  private let isOwnConnection: Bool
  private let agent: PairingAgent
  private let onChange: @EventLoop () -> Void
  private let warn: @EventLoop (String) -> Void
  private var watch: Registration?
  private var capability: IOCapability?
  /// The unique name of the present bluetoothd; nil: none runs.
  private var bluetoothd: String?
  package private(set) var isRegistered = false
  private var worker: Task<Void, Never>?
  private var repetitions: [EventLoop.Timer] = []

  private init(
    _ connection: DBusConnection, isOwn: Bool, _ agent: PairingAgent,
    onChange: @escaping @EventLoop () -> Void,
    warn: @escaping @EventLoop (String) -> Void
  ) {
    (self.connection, isOwnConnection, self.agent) = (connection, isOwn, agent)
    (self.onChange, self.warn) = (onChange, warn)
  }

  /// - Parameters:
  ///   - shared: the connection for it; nil: one of its own. bluetoothd's messages on one connection come in order.
  ///   - answer: answers for a device.
  ///   - onChange: called when bluetoothd has set how its adapters pair.
  /// - Returns: nil if this machine has no bus, and so no bluetoothd.
  package static func open(
    for adapter: ObjectPath, on shared: DBusConnection? = nil,
    answer: @escaping @EventLoop (DeviceAddress, PairingQuestion) -> PairingAnswer,
    onChange: @escaping @EventLoop () -> Void, warn: @escaping @EventLoop (String) -> Void
  ) async -> PairingAgency? {
    var connection = shared
    if connection == nil { connection = try? await DBusConnection.connect() }
    guard let connection else { return nil }
    let agent = PairingAgent(on: connection, for: adapter)
    agent.onQuestion = { path, question, respond in
      respond(DeviceAddress(devicePath: path.string).map { answer($0, question) } ?? .no)
    }
    agent.onStranger = { path in
      let device = DeviceAddress(devicePath: path.string)?.description ?? path.string
      warn(
        "blemu refused to pair \(device) with another adapter: while it runs, blemu is bluetoothd's default agent"
      )
    }
    let agency = PairingAgency(
      connection, isOwn: shared == nil, agent, onChange: onChange, warn: warn)
    agent.onOther = { [weak agency] in agency?.otherChanged(to: $0) }
    await agency.follow()
    return agency
  }

  /// The adapter whose devices it answers for.
  package var adapter: ObjectPath {
    get { agent.adapter }
    set { agent.adapter = newValue }
  }

  /// Called when bluetoothd needs no answer any more: pairing has ended.
  package var onCancel: (@EventLoop () -> Void)? {
    get { agent.onCancel }
    set { agent.onCancel = newValue }
  }

  package var isBesideBluetoothd: Bool { bluetoothd != nil }

  /// Registers the agent, again if it has had another capability.
  package func register(_ capability: IOCapability) async {
    guard capability != self.capability else { return }
    self.capability = capability
    await update()
  }

  package func end() async {
    watch = nil
    repetitions = []
    await worker?.value
    if isRegistered, let bluetoothd { await agent.unregister(from: bluetoothd) }
    isRegistered = false
    if isOwnConnection { connection.close() }
  }
}

// MARK: Other devices of this process

extension PairingAgency {
  /// bluetoothd has set how all of its adapters pair, for another device. An agency with its own connection restores this for
  /// its adapter; bluetoothd cannot.
  ///
  /// - Parameter other: what the other device has to show and enter a passkey; nil: it has ended.
  private func otherChanged(to other: IOCapability?) {
    if let other, let capability, other != capability, !isOwnConnection {
      warn(
        "bluetoothd uses the IO capability of the last device for all adapters: \(other.name), not "
          + "\(capability.name); use '--on exact' for one of them")
    }
    onChange()
    guard isOwnConnection else { return }
    repetitions = Self.pauses.map { pause in EventLoop.after(pause) { [weak self] in self?.onChange() } }
  }

  /// bluetoothd answers the other agent before it sets that agent's capability on all adapters, and does not report when it has.
  private static let pauses: [Duration] = [.milliseconds(100), .milliseconds(300), .seconds(1), .seconds(3)]
}

// MARK: bluetoothd

extension PairingAgency {
  /// Follows bluetoothd; returns once it is known whether one runs.
  private func follow() async {
    let reply = try? await connection.callBus("GetNameOwner", [.string(PairingAgent.service)])
    bluetoothd = reply?.first?.string
    watch = try? connection.watchName(PairingAgent.service) { [weak self] in self?.changed(to: $0) }
  }

  private func changed(to owner: String?) {
    guard owner != bluetoothd else { return }
    bluetoothd = owner
    isRegistered = false
    let earlier = worker
    worker = EventLoop.start { [weak self] in
      await earlier?.value
      await self?.update()
    }
  }

  private func update() async {
    guard let capability, let bluetoothd else { return onChange() }
    if isRegistered { await agent.unregister(from: bluetoothd) }
    do throws(DBusError) {
      try await agent.register(capability, with: bluetoothd)
      isRegistered = bluetoothd == self.bluetoothd
    } catch {
      isRegistered = false
      if bluetoothd == self.bluetoothd {
        warn("bluetoothd rejected blemu's agent and may refuse to pair: \(error.message)")
      }
    }
    onChange()
  }
}
