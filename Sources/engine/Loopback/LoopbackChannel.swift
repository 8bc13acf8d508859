import AttributeServer
import Bluetooth
import EventLoop

/// A channel in memory: a PDU arrives at once.
@EventLoop
final class LoopbackChannel: PacketChannel {
  var onReceive: (@EventLoop ([UInt8]) -> Void)? { didSet { deliverEarly() } }
  /// PDUs that have arrived before ``onReceive`` was set.
  private var early: [[UInt8]] = []
  var onEmpty: (@EventLoop () -> Void)?
  let isCongested = false
  var security = LinkSecurity.none
  var hasBondKey = false
  /// Takes the PDUs for the central; nil: the channel is closed.
  private var deliver: (([UInt8]) -> Void)?

  init(deliver: @escaping ([UInt8]) -> Void) { self.deliver = deliver }

  func send(_ packet: [UInt8]) { deliver?(packet) }

  /// Passes a PDU of the central to the server.
  func receive(_ packet: [UInt8]) {
    if let onReceive { onReceive(packet) } else if deliver != nil { early.append(packet) }
  }

  private func deliverEarly() {
    guard let onReceive else { return }
    let packets = early
    early = []
    for packet in packets { onReceive(packet) }
  }

  func close() {
    deliver = nil
    onReceive = nil
  }
}
