import Bluetooth
import Captures
import Framing

/// Bytes in which the device's own address is that of any device with the definition.
struct AddressedBytes {
  /// nil: the bytes stay as they are.
  let address: DeviceAddress?

  /// As a definition writes them, as in `02 15 {address}`.
  func text(_ bytes: [UInt8]) -> String {
    guard let (form, place) = place(in: bytes) else { return HexText.format(bytes) }
    let parts = [bytes[..<place], bytes[(place + 6)...]].map { HexText.format(Array($0)) }
    return [parts[0], "{\(form)}", parts[1]].filter { !$0.isEmpty }.joined(separator: " ")
  }

  func contain(_ bytes: [UInt8]) -> Bool { place(in: bytes) != nil }

  private func place(in bytes: [UInt8]) -> (form: String, place: Int)? {
    guard let address, bytes.count >= 6 else { return nil }
    for (form, sought) in [("address", address.bytes), ("reverse(address)", address.bytes.reversed())] {
      if let place = bytes.indices.first(where: { bytes[$0...].starts(with: sought) }) {
        return (form, place)
      }
    }
    return nil
  }
}

extension CapturedDevice {
  /// Its address, if it is that of its adapter: a random one is the device's own choice.
  package var publicAddress: DeviceAddress? {
    guard let address, address.kind == .public, !address.address.isZero else { return nil }
    return address.address
  }
}
