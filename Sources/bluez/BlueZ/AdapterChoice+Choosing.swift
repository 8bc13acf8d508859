import Bluetooth
import Kernel
import Peripheral

extension AdapterChoice {
  /// The chosen adapter, which can be a peripheral.
  func peripheral(of adapters: [Adapter]) throws(TransportError) -> Adapter {
    let asked = try candidates(of: adapters)
    guard let able = asked.first(where: \.canBePeripheral) else {
      throw TransportError(.cannotBePeripheral(asked.map(\.name)))
    }
    return able
  }

  /// The adapters that match the choice; at least one.
  func candidates(of adapters: [Adapter]) throws(TransportError) -> [Adapter] {
    guard !adapters.isEmpty else { throw TransportError(.noAdapter) }
    switch self {
    case .first: return adapters
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
