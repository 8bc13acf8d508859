import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// Splits a device's values to fit the links to centrals.
@EventLoop
struct ValueSender {
  let definition: PeripheralDefinition
  let transport: any Transport

  /// Sends a value in pieces. Each fits the links to all recipients, the device's own MTU and an attribute.
  ///
  /// - Parameter sent: called with each piece and its outcome.
  func send(
    _ value: [UInt8], from characteristic: Int, to recipients: Recipients,
    _ sent: (_ piece: ArraySlice<UInt8>, SendOutcome) -> Void
  ) {
    let longest = CharacteristicDefinition.maximumValueSize
    let limit = min(
      transport.maximumValue(of: characteristic, to: recipients) ?? longest,
      definition.link.maximumValue ?? longest, longest)
    for piece in Chunker(value, size: max(1, limit)) {
      sent(piece, transport.send(piece, from: characteristic, to: recipients))
    }
  }
}
