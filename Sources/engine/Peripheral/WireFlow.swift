import Behavior
import DeviceModel
import EventLoop

/// Limits the flow between a device and its wire side to the pace of the other end.
///
/// Input waits outside the device until a central can receive it, unless rules read it. Centrals that write faster than
/// the wire side takes bytes wait for their responses.
@EventLoop
final class WireFlow {
  /// The most bytes that wait for the wire side before centrals have to wait.
  static let backlogLimit = 1 << 16

  private let wire: (any WireAttachment)?
  /// The place that carries the input to centrals, if there is a bridge.
  private let outlet: Endpoint?
  private let isReadByRules: Bool
  /// The most bytes that wait for the wire side; nil: centrals wait.
  let buffer: Int?
  private var subscriptionCount = 0
  private var isCongested = false
  private var isBehind = false

  /// - Parameter baud: the speed of the wire side, bits per second; nil: unlimited.
  init(_ wire: (any WireAttachment)?, of definition: PeripheralDefinition, baud: Int?) {
    if let baud { wire?.changeSpeed(to: baud) }
    self.wire = wire
    outlet = definition.wire.bridge?.outlet
    isReadByRules = definition.readsWire
    buffer = definition.wire.buffer
    wire?.isReading = hasRoom
  }

  private var hasReader: Bool { outlet == nil || subscriptionCount > 0 || isReadByRules }

  private var hasRoom: Bool { hasReader && !isCongested }
}

// MARK: Input

extension WireFlow {
  /// Counts a subscription, or a central that has opened a channel.
  func subscribed(to place: Endpoint) {
    if place == outlet { subscriptionCount += 1 }
  }

  /// Counts the end of a subscription. After the last one, drops the input that has not been sent: it is not for the next
  /// central.
  ///
  /// - Returns: the number of bytes that were dropped.
  func unsubscribed(from place: Endpoint) -> Int {
    guard place == outlet else { return 0 }
    subscriptionCount = max(0, subscriptionCount - 1)
    close()
    return hasReader ? 0 : wire?.discard() ?? 0
  }

  /// Stops the input while values pile up on their way to centrals.
  func congestionChanged(_ isNow: Bool, of place: Endpoint) {
    guard place == outlet else { return }
    isCongested = isNow
    close()
  }

  /// Takes the bytes that have arrived (``WireAttachment/catchUp()``).
  func catchUp() { wire?.catchUp() }

  private func close() {
    if !hasRoom { wire?.isReading = false }
  }

  /// Opens the input if there is room. Bytes may arrive at once, so call this only between occurrences.
  func open() {
    if hasRoom, wire?.isReading == false { wire?.isReading = true }
  }
}

// MARK: Output

extension WireFlow {
  /// How many of some bytes the buffer takes.
  func room(for bytes: [UInt8]) -> Int {
    guard let buffer, let wire else { return bytes.count }
    return min(bytes.count, max(0, buffer - wire.backlog))
  }

  func write(_ bytes: [UInt8]) { wire?.write(bytes) }

  func changeSpeed(to baud: Int) { wire?.changeSpeed(to: baud) }

  /// Whether the wire side has fallen behind (true) or caught up (false) since the last call; nil for no change.
  func backlogChange() -> Bool? {
    let isNow = (wire?.backlog ?? 0) > Self.backlogLimit
    defer { isBehind = isNow }
    return isNow == isBehind ? nil : isNow
  }
}
