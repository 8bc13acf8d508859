import Behavior
import BlueZLimits
import Bluetooth
import DBus
import DeviceModel
import EventLoop
import Peripheral

// MARK: On the air and off

extension BlueZTransport {
  package func open() async throws -> LocalAdapter {
    let client = try await BlueZClient.connect(to: bus)
    self.client = client
    let bluetoothd = try await client.bluetoothd()
    let adapter = try choice.peripheral(of: bluetoothd.adapters)
    let registrar = Registrar(client, scheduler, clock: clock) { [weak self] in
      self?.exported?.prepare(for: $0)
    } tell: { [weak self] in
      self?.take($0)
    }
    self.registrar = registrar
    registrar.send(.opened(bluetoothd: bluetoothd.name, adapter))
    return adapter.local
  }

  package func goOnAir(_ device: DeviceOnAir) async throws {
    guard let client, let registrar, let adapter = registrar.state.adapter else {
      preconditionFailure("open() comes before goOnAir(_:)")
    }
    try checkLimits(of: device)
    if await adapter.hasUnknownAddress() { throw TransportError(.staticAddressHidesBluetoothd(adapter.name)) }
    centrals = ConnectedCentrals(strangers: adapter.connectedCentrals)
    let settings = try AdapterSettings(of: adapter, pairs: device.definition.security != nil, in: records)
    self.settings = settings
    if let warning = settings.warning { host?.warn(warning) }
    export(device.definition, client)
    try watch(adapter)
    if let controller = adapter.controller { hearing.follow(controller.index) }
    warnOfDeviceInformation(device.table, adapter)
    if let warning = HumanInterfaceDevice.warning(about: device.table, of: device.definition) {
      host?.warn(warning)
    }
    await beginPairing(device.pairing, on: adapter)
    let request = RegistrationRequest(
      table: limits.served(device.table), advertisement: device.advertisement?.withoutFurtherSets,
      deviceName: device.deviceName)
    let problem = await withCheckedContinuation { continuation in
      goingOnAir = continuation
      registrar.send(.goOnAir(request))
    }
    if let problem { throw problem }
  }

  package func leaveAir() async {
    guard let client else { return }
    self.client = nil
    let adapter = registrar?.state.adapter
    await takeBack()
    await pairingChange?.value
    await endPairing(client, adapter)
    client.stopWatching()
    application?.reset()
    hearing.stop()
    for central in centrals.all { left(central) }
    if let adapter, let problem = await settings?.putBack(adapter, client, pairing: hasPaired) {
      host?.warn(problem)
    }
    settings = nil
    exported?.withdraw()
    client.close()
  }

  private func takeBack() async {
    guard let registrar else { return }
    await withCheckedContinuation { continuation in
      leavingAir = continuation
      registrar.send(.leave)
    }
  }

  private func export(_ definition: PeripheralDefinition, _ client: BlueZClient) {
    exported = ExportedDevice(on: client.connection) { [weak self, unowned client] table in
      self?.makeApplication(definition, table, client)
    } onRelease: { [weak self] in
      self?.registrar?.send(.adaptersChanged)
    }
  }

  private func warnOfDeviceInformation(_ table: AttributeTable, _ adapter: Adapter) {
    guard adapter.hasDeviceInformation, BlueZLimits.hasDeviceInformation(table) else { return }
    host?.warn(
      "BlueZ serves its own Device Information (180A) before this device's; set 'DeviceID = false' under "
        + "[General] in /etc/bluetooth/main.conf and restart bluetoothd (sudo systemctl restart bluetooth)")
  }
}
