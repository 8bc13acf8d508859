import Behavior
import DeviceModel
import EventLoop
import Framing

/// Slows a wire side down to the speed of the device's UART.
///
/// Input reaches the device in whole values, and at the end of a burst the rest. If the device reads frames, input
/// arrives a few bytes at a time, with the times at which a line would have carried them. A wire side without a speed is as
/// fast as the transport takes values, or as a link carries them if the transport queues values without a limit.
@EventLoop
package final class PacedWire: WireAttachment {
  /// About the speed of LE 2M with values of 20 bytes. A tenth of a second may be ahead.
  static let unpaced = LinePace(baud: 400_000, headStart: 4_000)
  /// Faster than any controller takes values.
  static let unlimited = LinePace(baud: 8_000_000, headStart: 80_000)
  /// The most output bytes that wait for the line.
  static let capacity = 1 << 20
  private static let grain = Duration.milliseconds(5)

  package weak var host: (any WireHost)?
  private let wire: any WireAttachment
  private var pace: LinePace
  private let incoming: PacedQueue
  /// nil if the output is not paced.
  private let outgoing: PacedQueue?
  /// Whether the device divides input at silences of the line.
  private let isFramed: Bool
  private var hasOverflowed = false

  /// - Parameters:
  ///   - baud: the initial speed, bits per second; nil for no limit, now or later.
  ///   - transport: sends the values, and limits their length.
  package init(
    _ wire: any WireAttachment, baud: Int?, for definition: PeripheralDefinition, on transport: any Transport,
    scheduler: any Scheduler = EventLoopScheduler()
  ) {
    let pace =
      baud.map { LinePace(baud: $0) }
      ?? (transport.connections.hasFlowControl ? Self.unlimited : Self.unpaced)
    self.pace = pace
    self.wire = wire
    isFramed = definition.wire.framing != nil
    incoming = PacedQueue(pace, scheduler, portion: Self.portion(definition, transport))
    outgoing = baud.map { _ in PacedQueue(pace, scheduler) { $0.bytes(in: Self.grain) } }
    wire.host = self
    incoming.onDue = { [weak self] in self?.arrive($0, during: $1) }
    outgoing?.onDue = { [weak self] bytes, _ in self?.output(bytes) }
  }

  package var label: String { outgoing == nil ? wire.label : "\(wire.label), \(pace.baud) baud" }

  package var isReading = false {
    didSet {
      incoming.isHeld = !isReading
      updateReading()
    }
  }

  package func start() { wire.start() }

  package func changeSpeed(to baud: Int) {
    wire.changeSpeed(to: baud)
    guard let outgoing, baud != pace.baud else { return }
    pace = LinePace(baud: baud)
    incoming.change(to: pace)
    outgoing.change(to: pace)
  }

  package func catchUp() {
    if isFramed { incoming.deliverDue() }
  }

  package func discard() -> Int { incoming.takeAll().count + wire.discard() }

  package func close() async {
    if let rest = outgoing?.takeAll(), !rest.isEmpty { wire.write(rest) }
    await wire.close()
  }
}

// MARK: Input

extension PacedWire: WireHost {
  package func receiveFromWire(_ bytes: [UInt8]) {
    incoming.append(bytes)
    updateReading()
  }

  private func arrive(_ bytes: [UInt8], during times: ClosedRange<Instant>) {
    // Without a line, bytes arrive when they are written.
    if outgoing == nil { host?.receiveFromWire(bytes) } else { host?.receiveFromWire(bytes, during: times) }
    updateReading()
  }

  private func updateReading() { wire.isReading = isReading && incoming.count < reserve }

  /// The number of bytes below which the wire is read again.
  private var reserve: Int {
    max(2 * CharacteristicDefinition.maximumValueSize, pace.bytes(in: .milliseconds(50)))
  }

  package func warn(_ message: String) { host?.warn(message) }

  package func report(_ event: WireEvent) { host?.report(event) }

  /// The number of bytes delivered at once: a value if they cross the bridge; few if they are framed, so that silences
  /// between frames remain.
  private static func portion(
    _ definition: PeripheralDefinition, _ transport: any Transport
  ) -> @EventLoop (LinePace) -> Int {
    let longest = min(definition.link.maximumValue ?? .max, CharacteristicDefinition.maximumValueSize)
    if let framing = definition.wire.framing {
      let time = min(grain, (framing.silence ?? grain * 2) / 2)
      let frame = framing.size ?? .max
      return { min($0.bytes(in: time), frame) }
    }
    guard case .characteristic(let outlet) = definition.wire.bridge?.outlet else { return { _ in longest } }
    return { [weak values = transport.values] _ in
      min(values?.maximumValue(of: outlet, to: .subscribers) ?? longest, longest)
    }
  }
}

// MARK: Output

extension PacedWire {
  package var backlog: Int { (outgoing?.count ?? 0) + wire.backlog }

  package func wireTookBytes() { host?.wireTookBytes() }

  private func output(_ bytes: [UInt8]) {
    wire.write(bytes)
    host?.wireTookBytes()
  }

  package func write(_ bytes: [UInt8]) {
    guard let outgoing else { return wire.write(bytes) }
    guard outgoing.count + bytes.count <= Self.capacity else { return overflow() }
    hasOverflowed = false
    outgoing.append(bytes)
  }

  private func overflow() {
    if !hasOverflowed {
      host?.warn("wire side: \(Self.capacity) bytes wait for the line; blemu drops more until there is room")
    }
    hasOverflowed = true
  }
}
