import Bluetooth
import EventLoop
import Management
import Peripheral
import Traffic

// On the air and off.
extension ExactTransport {
  package func open() async throws -> LocalAdapter {
    do throws(AdapterFinding) { return try await findAdapter() } catch { throw TransportError(error) }
  }

  package func goOnAir(_ device: DeviceOnAir) async throws {
    guard let keeper else { preconditionFailure("open() comes before goOnAir(_:)") }
    try checkLimits(of: device)
    do throws(AdapterFinding) {
      let original = try OriginalSettings(of: keeper, in: records)
      self.original = original
      if let warning = original.warning { host?.warn(warning) }
      server.start(device)
      recorder?.begin(device, on: keeper.controller.address.address)
      if let left = original.leftAdvertisement { await keeper.remove(left) }
      if let left = original.leftSets { await keeper.remove(left) }
      try await prepareAddress(of: device, with: keeper, original)
      await preparePairing(of: device, on: keeper)
      try await keeper.goOnAir(device.advertisement, as: device.ownAddress, device.definition.name)
      await pairing?.forget(device.forgottenBonds)
    } catch {
      await leaveAir()
      throw TransportError(error)
    }
  }

  private func prepareAddress(
    of device: DeviceOnAir, with keeper: AdapterKeeper, _ original: OriginalSettings
  ) async throws(AdapterFinding) {
    if device.ownAddress != nil {
      guard original.canChangeAddress else { throw .staticAddressIsUnknown(keeper.controller.name) }
    } else {
      do throws(ManagementError) { try await original.putAddressBack(with: keeper) } catch {
        throw .switchingOn(keeper.controller, error)
      }
    }
  }

  private func preparePairing(of device: DeviceOnAir, on keeper: AdapterKeeper) async {
    if device.pairing != nil { original?.notePairing() }
    let pairing = PairingDesk(server, watch, on: keeper, policy: device.pairing) { [weak self] in
      self?.host?.warn($0)
    }
    self.pairing = pairing
    await pairing.begin(device.bonds)
  }

  /// Pairs as the system is set up, until the device has a way of its own again.
  func putPairingBack() async {
    guard let keeper, let pairing else { return }
    do throws(ManagementError) {
      try await original?.putPairingBack(with: keeper, besideBluetoothd: pairing.isBesideBluetoothd)
    } catch {
      host?.warn("cannot restore how \(keeper.controller.name) pairs: \(error.message)")
    }
  }

  private func findAdapter() async throws(AdapterFinding) -> LocalAdapter {
    let (management, controller, settings) = try await choice.openController()
    keeper = AdapterKeeper(management, controller, settings) { [weak self] in
      self?.connected($0, $1)
    } tell: { [weak self] in
      self?.take($0)
    }
    return LocalAdapter(
      name: controller.name, address: controller.address.address, stack: "exact on \(KernelName.current)")
  }

  package func leaveAir() async {
    guard let keeper else { return }
    self.keeper = nil
    await keeper.leave()
    recorder?.advertise(nil)
    await endAllLinks(on: keeper)
    let isBesideBluetoothd = pairing?.isBesideBluetoothd ?? false
    await pairing?.end()
    pairing = nil
    if let problem = await original?.putBack(with: keeper, besideBluetoothd: isBesideBluetoothd) {
      host?.warn(problem)
    }
    original = nil
    server.stop()
    watch.stop()
    watched = [:]
    keeper.management.close()
  }

  private func take(_ notice: AdapterKeeper.Notice) {
    switch notice {
    case .advertises(let advertisement): recorder?.advertise(advertisement)
    case .fellOffAir(let reason):
      recorder?.advertise(nil)
      host?.fellOffAir(reason)
    case .cameBackOnAir: host?.cameBackOnAir()
    case .listens(let controller): watch.follow(controller)
    case .addsInstance(let number): original?.note(instance: number)
    case .addsSets(let handles): original?.note(sets: handles)
    case .warning(let message): host?.warn(message)
    }
  }
}
