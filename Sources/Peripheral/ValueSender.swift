import Behavior
import Bluetooth
import DeviceModel
import EventLoop
import Framing

/// Cuts a device's values for the links that they leave on.
@EventLoop
struct ValueSender {
  let definition: PeripheralDefinition
  let transport: any Transport

  /// Sends a value in pieces that every recipient gets whole: none is longer than a link carries, than the device's own
  /// MTU allows, or than an attribute can be.
  ///
  /// - Parameter sent: called with what became of each piece.
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
