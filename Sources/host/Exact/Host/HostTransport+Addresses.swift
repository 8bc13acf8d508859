import Bluetooth
import DeviceModel
import Peripheral

// The addresses of several devices at one controller.
extension HostTransport {
  /// Only one device has the controller's address. A second device of the same definition has other derived addresses.
  package func addressBasis(of definition: PeripheralDefinition, on adapter: DeviceAddress) -> AddressBasis? {
    guard let seat else { return AddressBasis() }
    switch definition.advertisement.address?.identity {
    case .given(let address): _ = seat.choose(among: [address])
    case .adapter: _ = seat.choose(among: [adapter])
    case .derived: return AddressBasis(number: number(of: definition, on: adapter, at: seat))
    case nil:
      guard definition.advertisement.address == nil, seat.choose(among: [adapter]) == nil else { break }
      return AddressBasis(number: number(of: definition, on: adapter, at: seat), hasAdapter: false)
    }
    return AddressBasis()
  }

  /// The first whose derived address no other device has.
  private func number(
    of definition: PeripheralDefinition, on adapter: DeviceAddress, at seat: HostSeat
  ) -> Int {
    (1...Int.max).first { number in
      let name = AddressBasis(number: number).name(of: definition.name)
      return seat.choose(among: [OwnAddress.derived.address(of: name, on: adapter)]) != nil
    } ?? 1
  }
}
