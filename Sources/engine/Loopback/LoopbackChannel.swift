import AttributeServer
import Bluetooth
import EventLoop

/// A channel in memory: a PDU arrives at once, or at a connection event.
@EventLoop
final class LoopbackChannel: PacketChannel {
  var onReceive: (@EventLoop ([UInt8]) -> Void)? { didSet { deliverEarly() } }
  /// PDUs that have arrived before ``onReceive`` was set.
  private var early: [[UInt8]] = []
  var onEmpty: (@EventLoop () -> Void)?
  var isCongested: Bool { events?.isFull ?? false }
  var security = LinkSecurity.none
  var hasBondKey = false
  /// Takes the PDUs for the central; nil: the channel is closed.
  private var deliver: (([UInt8]) -> Void)?

  /// When PDUs arrive; nil: at once.
  private let events: ConnectionEvents?

  init(_ events: ConnectionEvents?, deliver: @escaping ([UInt8]) -> Void) {
    (self.events, self.deliver) = (events, deliver)
    events?.onRoom = { [weak self] in self?.onEmpty?() }
  }

  func send(_ packet: [UInt8]) {
    guard let events else { return deliver?(packet) ?? () }
    events.sendFromDevice(bytes: packet.count) { [weak self] in self?.deliver?(packet) }
  }

  /// Sends a PDU of the central to the server.
  func sendFromCentral(_ packet: [UInt8]) {
    guard let events else { return receive(packet) }
    events.sendFromCentral(bytes: packet.count) { [weak self] in self?.receive(packet) }
  }

  private func receive(_ packet: [UInt8]) {
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
