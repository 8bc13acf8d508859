import DeviceModel
import EventLoop
import Framing

/// A serial side that is no faster than a line: bytes pass when a UART of that speed would have brought them.
///
/// Towards the air they come as the module behind the UART would have them: as whole values, and the rest of a burst
/// when it ends; where the module looks for frames, a few at a time, with the times at which the line brought them.
/// A wire without a speed is held back only where somebody puts in more than a link can carry: BlueZ takes everything
/// at once and keeps it, without a limit and without a word.
@EventLoop
package final class PacedWire: WireAttachment {
  /// What LE 2M carries in values of 20 bytes, about; a tenth of a second of it may be ahead.
  static let unpaced = LinePace(baud: 400_000, headStart: 4_000)
  /// Bytes for the wire that may wait for the line.
  static let capacity = 1 << 20
  private static let grain = Duration.milliseconds(5)

  package weak var host: (any WireHost)?
  private let wire: any WireAttachment
  private var pace: LinePace
  private let incoming: PacedQueue
  /// nil: what goes out is not paced.
  private let outgoing: PacedQueue?
  /// Whether it matters to the device when the line is silent.
  private let isFramed: Bool
  private var hasOverflowed = false

  /// - Parameters:
  ///   - baud: bits a second, at first; nil: no line limits it, now or later.
  ///   - transport: where values leave, which are as long as it says.
  package init(
    _ wire: any WireAttachment, baud: Int?, for definition: PeripheralDefinition, on transport: any Transport,
    scheduler: any Scheduler = EventLoopScheduler()
  ) {
    let pace = baud.map { LinePace(baud: $0) } ?? Self.unpaced
    self.pace = pace
    self.wire = wire
    isFramed = definition.wire.framing != nil
    incoming = PacedQueue(pace, scheduler, portion: Self.portion(definition, transport))
    outgoing = baud.map { _ in PacedQueue(pace, scheduler) { $0.bytes(in: Self.grain) } }
    wire.host = self
    incoming.onDue = { [weak self] in self?.arrive($0, during: $1) }
    outgoing?.onDue = { [weak self] bytes, _ in self?.leave(bytes) }
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
    if isFramed { incoming.handOutDue() }
  }

  package func discard() -> Int { incoming.takeAll().count + wire.discard() }

  package func close() async {
    if let rest = outgoing?.takeAll(), !rest.isEmpty { wire.write(rest) }
    await wire.close()
  }
}

// MARK: Towards the air

extension PacedWire: WireHost {
  package func receiveFromWire(_ bytes: [UInt8]) {
    incoming.append(bytes)
    updateReading()
  }

  private func arrive(_ bytes: [UInt8], during times: ClosedRange<Instant>) {
    // Without a line, bytes come when they are put in.
    if outgoing == nil { host?.receiveFromWire(bytes) } else { host?.receiveFromWire(bytes, during: times) }
    updateReading()
  }

  private func updateReading() { wire.isReading = isReading && incoming.count < stock }

  /// Bytes that are in stock before the wire is read again.
  private var stock: Int {
    max(2 * CharacteristicDefinition.maximumValueSize, pace.bytes(in: .milliseconds(50)))
  }

  package func warn(_ message: String) { host?.warn(message) }

  package func report(_ event: WireEvent) { host?.report(event) }

  /// Bytes that come at once: a value where they cross the bridge as they come; few where they are framed, so that
  /// a silence between frames is one.
  private static func portion(
    _ definition: PeripheralDefinition, _ transport: any Transport
  ) -> @EventLoop (LinePace) -> Int {
    let longest = min(definition.link.maximumValue ?? .max, CharacteristicDefinition.maximumValueSize)
    if let framing = definition.wire.framing {
      let time = min(grain, (framing.silence ?? grain * 2) / 2)
      let frame = framing.size ?? .max
      return { min($0.bytes(in: time), frame) }
    }
    guard let outlet = definition.wire.bridge?.outlet else { return { _ in longest } }
    return { [weak transport] _ in
      min(transport?.maximumValue(of: outlet, to: .subscribers) ?? longest, longest)
    }
  }
}

// MARK: Out of the wire

extension PacedWire {
  package var backlog: Int { (outgoing?.count ?? 0) + wire.backlog }

  package func wireTookBytes() { host?.wireTookBytes() }

  private func leave(_ bytes: [UInt8]) {
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
      host?.warn("wire side: \(Self.capacity) bytes wait for the line; bytes are dropped until there is room")
    }
    hasOverflowed = true
  }
}
