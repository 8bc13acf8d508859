import Bluetooth
import DBus
import EventLoop

/// The device's agent of bluetoothd, registered again each time bluetoothd starts.
@EventLoop
final class PairingAgency {
  private let connection: DBusConnection
  private let agent: PairingAgent
  private let onChange: @EventLoop () -> Void
  private let warn: @EventLoop (String) -> Void
  private var watch: Registration?
  private var capability: IOCapability?
  /// The unique name of the present bluetoothd; nil: none runs.
  private(set) var bluetoothd: String?
  private var isRegistered = false
  private var worker: Task<Void, Never>?

  private init(
    _ connection: DBusConnection, _ agent: PairingAgent, onChange: @escaping @EventLoop () -> Void,
    warn: @escaping @EventLoop (String) -> Void
  ) {
    (self.connection, self.agent) = (connection, agent)
    (self.onChange, self.warn) = (onChange, warn)
  }

  /// - Parameters:
  ///   - connection: bluetoothd's messages on one connection come in order.
  ///   - answer: answers for a device.
  ///   - onCancel: called when bluetoothd needs no answer any more: pairing has ended.
  ///   - onChange: called when bluetoothd has set how its adapters pair.
  static func open(
    for adapter: ObjectPath, on connection: DBusConnection,
    answer: @escaping @EventLoop (DeviceAddress, PairingQuestion, @escaping PairingAgent.Answering) -> Void,
    onCancel: @escaping @EventLoop () -> Void, onChange: @escaping @EventLoop () -> Void,
    warn: @escaping @EventLoop (String) -> Void
  ) async -> PairingAgency {
    let agent = PairingAgent(on: connection, for: adapter)
    agent.onCancel = onCancel
    agent.onQuestion = { path, question, respond in
      guard let device = DeviceAddress(devicePath: path.string) else { return respond(.no) }
      answer(device, question, respond)
    }
    agent.onStranger = { path in
      let device = DeviceAddress(devicePath: path.string)?.description ?? path.string
      warn(
        "blemu refused to pair \(device) with another adapter: while it runs, blemu is bluetoothd's default agent"
      )
    }
    let agency = PairingAgency(connection, agent, onChange: onChange, warn: warn)
    agent.onOther = { [weak agency] in agency?.otherChanged(to: $0) }
    await agency.follow()
    return agency
  }

  /// The adapter whose devices it answers for.
  var adapter: ObjectPath {
    get { agent.adapter }
    set { agent.adapter = newValue }
  }

  /// Registers the agent, again if it has had another capability.
  func register(_ capability: IOCapability) async {
    guard capability != self.capability else { return }
    self.capability = capability
    await update()
  }

  func end() async {
    watch = nil
    await worker?.value
    if isRegistered, let bluetoothd { await agent.unregister(from: bluetoothd) }
    isRegistered = false
  }
}

// MARK: Other devices of this process

extension PairingAgency {
  /// bluetoothd has set how all of its adapters pair, for another device.
  ///
  /// - Parameter other: what the other device has to show and enter a passkey; nil: it has ended.
  private func otherChanged(to other: IOCapability?) {
    if let other, let capability, other != capability {
      warn(
        "bluetoothd uses the IO capability of the last device for all adapters: \(other.name), not "
          + "\(capability.name); use '--on exact' for one of them")
    }
    onChange()
  }
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
