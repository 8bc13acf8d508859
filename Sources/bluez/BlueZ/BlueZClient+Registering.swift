import BlueZLimits
import DBus
import Peripheral

/// The calls of a registration. They go to one bluetoothd and never to a later one.
extension BlueZClient {
  func perform(
    _ call: RegistrationCall, _ adapter: Adapter, of bluetoothd: BusOwner
  ) async -> RegistrationOutcome {
    do throws(DBusError) {
      if call == .look { return .saw(try await look(adapter, of: bluetoothd)) }
      try await ask(call, adapter, of: bluetoothd)
      return .done
    } catch {
      return .failed(call.problem(adapter, error), mayPass: error.mayPass)
    }
  }

  private func look(_ adapter: Adapter, of bluetoothd: BusOwner) async throws(DBusError) -> Adapter? {
    try await managedObjects(of: bluetoothd).adapters.first {
      $0.address == adapter.address && $0.canBePeripheral
    }
  }

  private func ask(
    _ request: RegistrationCall, _ adapter: Adapter, of bluetoothd: BusOwner
  ) async throws(DBusError) {
    let application = DBusValue.objectPath(BlueZ.applicationRoot)
    let advertisement = DBusValue.objectPath(BlueZ.advertisementPath)
    let patience = Duration.seconds(5)
    // As long as it takes: ``RegistrationEvent/unanswered(_:)``.
    let endless = Duration.seconds(24 * 60 * 60)
    switch request {
    case .look: break
    case .powerOn: try await set("Powered", true, adapter, of: bluetoothd)
    case .setAlias(let alias): try await set("Alias", .string(alias), adapter, of: bluetoothd)
    case .registerApplication:
      _ = try await call(
        adapter.path, BlueZ.gattManager, "RegisterApplication", [application, [:]], of: bluetoothd,
        timeout: endless)
    case .registerAdvertisement:
      _ = try await call(
        adapter.path, BlueZ.advertisingManager, "RegisterAdvertisement", [advertisement, [:]], of: bluetoothd,
        timeout: endless)
    case .unregisterAdvertisement:
      _ = try await call(
        adapter.path, BlueZ.advertisingManager, "UnregisterAdvertisement", [advertisement], of: bluetoothd,
        timeout: patience)
    case .unregisterApplication:
      _ = try await call(
        adapter.path, BlueZ.gattManager, "UnregisterApplication", [application], of: bluetoothd,
        timeout: patience)
    }
  }
}

extension RegistrationCall {
  /// The error for a call that failed.
  fileprivate func problem(_ adapter: Adapter, _ error: DBusError) -> TransportError {
    TransportError(finding(adapter, error))
  }

  private func finding(_ adapter: Adapter, _ error: DBusError) -> AdapterFinding {
    switch self {
    case .look, .unregisterAdvertisement, .unregisterApplication: .ofBlueZ(error)
    case .powerOn: .ofPowering(adapter, error)
    case .setAlias: .ofNaming(adapter, error)
    case .registerApplication: .ofServices(error)
    case .registerAdvertisement: .ofAdvertising(adapter, error)
    }
  }
}

extension DBusError {
  /// Whether the same call may succeed in a moment.
  var mayPass: Bool {
    [BlueZErrorName.failed, BlueZErrorName.busy, BlueZErrorName.inProgress].contains(name)
  }
}
