import Bluetooth
import EventLoop
import Kernel
import Peripheral

extension AdapterChoice {
  /// The chosen adapter, which can be a peripheral, and the lock that keeps other devices from it. If it is named, the device
  /// locks it later.
  ///
  /// - Parameter records: the folder of each ``AdapterRecord``.
  func peripheral(
    of adapters: [Adapter], in records: String = AdapterRecord.folder
  ) throws(TransportError) -> (Adapter, lock: LockedFile?) {
    let asked = try candidates(of: adapters, in: records)
    let able = asked.filter(\.canBePeripheral)
    guard let first = able.first else { throw TransportError(.cannotBePeripheral(asked.map(\.name))) }
    guard self == .first else { return (first, nil) }
    for adapter in able {
      do throws(LockedFile.Failure) {
        return (adapter, try AdapterRecord.lock(adapter.address, in: records))
      } catch {
        if error != .inUse { return (adapter, nil) }
      }
    }
    throw TransportError(.noneFree(able.map(\.name)))
  }

  /// The adapters that match the choice; at least one. Those that a device of blemu uses come after the others.
  ///
  /// - Parameter records: the folder of each ``AdapterRecord``.
  func candidates(
    of adapters: [Adapter], in records: String = AdapterRecord.folder
  ) throws(TransportError) -> [Adapter] {
    let isFree = { (address: DeviceAddress) in !AdapterRecord.isInUse(address, in: records) }
    guard !adapters.isEmpty else {
      let taken = KernelAdapters.all.filter { !isFree($0.address.address) }.map(\.name)
      throw TransportError(taken.isEmpty ? .noAdapter : .noneFree(taken))
    }
    switch self {
    case .first:
      let free = adapters.filter { isFree($0.address) }
      return free + adapters.filter { !free.contains($0) }
    case .named(let name):
      let asked = adapters.filter { $0.name == name }
      if asked.isEmpty { throw absent(name, adapters) { $0.name == name } }
      return asked
    case .address(let address):
      let asked = adapters.filter { $0.address == address }
      if asked.isEmpty { throw absent(address.description, adapters) { $0.address.address == address } }
      return asked
    }
  }

  /// bluetoothd has no adapter that a program has for itself.
  private func absent(
    _ choice: String, _ adapters: [Adapter], _ isChosen: (LocalController) -> Bool
  ) -> TransportError {
    let held = KernelAdapters.all.first(where: isChosen)
    return TransportError(.absent(choice, held: held, known: adapters.map(\.known), for: .bluez))
  }
}
