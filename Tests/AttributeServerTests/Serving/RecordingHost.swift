import AttributeServer
import Behavior
import Bluetooth
import EventLoop
import Peripheral

/// A device that writes down what it is told, and accepts every request.
@EventLoop
final class RecordingHost: BaseHost {
  var events: [Event] = []
  /// The bonds after each change.
  var kept: [[Bond]] = []
  var warnings: [String] = []

  func receive(_ event: Event, respond: Responder?) {
    events.append(event)
    respond?(.accepted)
  }

  func congestionChanged(_ isCongested: Bool, of characteristic: Int) {}
  func fellOffAir(_ reason: String) {}
  func cameBackOnAir() {}
  func keep(_ bonds: [Bond]) { kept.append(bonds) }
  func warn(_ message: String) { warnings.append(message) }
}

/// The channel of a central that the test plays: it keeps what the server sends.
@EventLoop
final class TestChannel: PacketChannel {
  var onReceive: (@EventLoop ([UInt8]) -> Void)?
  var onEmpty: (@EventLoop () -> Void)?
  var isCongested = false
  var security = LinkSecurity.none
  var hasBondKey = true
  var sent: [[UInt8]] = []

  func send(_ packet: [UInt8]) { sent.append(packet) }
  func close() { onReceive = nil }
}
