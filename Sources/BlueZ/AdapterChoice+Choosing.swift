import Bluetooth
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
      if asked.isEmpty { throw TransportError(.noSuchAdapter(name, known: adapters.map(\.known))) }
      return asked
    case .address(let address):
      let asked = adapters.filter { $0.address == address }
      if asked.isEmpty {
        throw TransportError(.noSuchAdapter(address.description, known: adapters.map(\.known)))
      }
      return asked
    }
  }
}
