import Bluetooth
import EventLoop
import Kernel
import Peripheral

extension AdapterChoice {
  /// The chosen adapter, which can be a peripheral, and the lock that keeps other devices from it. If it is named, the device
  /// locks it later.
  ///
  /// - Parameters:
  ///   - records: the folder of each ``AdapterRecord``.
  ///   - kernel: the adapters of the kernel, also those that a program has for itself.
  func peripheral(
    of adapters: [Adapter], in records: String = AdapterRecord.folder,
    kernel: [LocalController] = KernelAdapters.all
  ) throws(TransportError) -> (Adapter, lock: LockedFile?) {
    let asked = try candidates(of: adapters, in: records, kernel: kernel)
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
  /// - Parameters:
  ///   - records: the folder of each ``AdapterRecord``.
  ///   - kernel: the adapters of the kernel, also those that a program has for itself.
  func candidates(
    of adapters: [Adapter], in records: String = AdapterRecord.folder,
    kernel: [LocalController] = KernelAdapters.all
  ) throws(TransportError) -> [Adapter] {
    let isFree = { (address: DeviceAddress) in !AdapterRecord.isInUse(address, in: records) }
    guard !adapters.isEmpty else {
      let meant = kernel.filter(chooses)
      if let free = meant.first(where: { isFree($0.address.address) }) {
        throw TransportError(.adapterIsNotServed(free.name))
      }
      guard meant.isEmpty else { throw TransportError(.noneFree(meant.map(\.name))) }
      throw TransportError(
        kernel.isEmpty ? .noAdapter : .noSuchAdapter(name, known: kernel.map { .init($0) }))
    }
    let asked = adapters.filter { chooses($0) }
    guard !asked.isEmpty else {
      throw TransportError(
        .absent(name, held: kernel.first(where: chooses), known: adapters.map(\.known), for: .bluez))
    }
    return asked.filter { isFree($0.address) } + asked.filter { !isFree($0.address) }
  }

  private func chooses(_ adapter: Adapter) -> Bool {
    switch self {
    case .first: true
    case .named(let name): adapter.name == name
    case .address(let address): adapter.address == address
    }
  }
}
