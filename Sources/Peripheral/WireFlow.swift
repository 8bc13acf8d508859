import DeviceModel
import EventLoop

/// Lets bytes flow between a device and its wire side only as fast as the other end takes them.
///
/// Bytes that come in wait outside the device until a central can get them, so that none is lost, unless rules say what
/// becomes of them. Centrals that write more than the wire side takes wait for their responses.
@EventLoop
final class WireFlow {
  /// Bytes for the wire side that may wait before centrals do, where they can be made to.
  static let backlogLimit = 1 << 16

  private let wire: (any WireAttachment)?
  /// The characteristic that carries what comes in, if there is a bridge.
  private let outlet: Int?
  private let isReadByRules: Bool
  private var subscriptionCount = 0
  private var isCongested = false
  private var isBehind = false

  init(_ wire: (any WireAttachment)?, of definition: PeripheralDefinition) {
    self.wire = wire
    outlet = definition.wire.bridge?.outlet
    isReadByRules = definition.readsWire
    wire?.isReading = hasRoom
  }

  private var hasReader: Bool { outlet == nil || subscriptionCount > 0 || isReadByRules }

  private var hasRoom: Bool { hasReader && !isCongested }
}

// MARK: In

extension WireFlow {
  /// Takes note of a subscription.
  func subscribed(to characteristic: Int) {
    if characteristic == outlet { subscriptionCount += 1 }
  }

  /// Takes note of a subscription's end. With the last one, what came in for it goes: it is not for the next central.
  /// What comes from now on waits for that one.
  ///
  /// - Returns: the number of bytes that were dropped.
  func unsubscribed(from characteristic: Int) -> Int {
    guard characteristic == outlet else { return 0 }
    subscriptionCount = max(0, subscriptionCount - 1)
    close()
    return hasReader ? 0 : wire?.discard() ?? 0
  }

  /// Takes note of values that pile up on their way to centrals, or have left.
  func congestionChanged(_ isNow: Bool, of characteristic: Int) {
    guard characteristic == outlet else { return }
    isCongested = isNow
    close()
  }

  private func close() {
    if !hasRoom { wire?.isReading = false }
  }

  /// Lets bytes in if there is room for them. They may come at once, so this is for when nothing else is being done.
  func open() {
    if hasRoom, wire?.isReading == false { wire?.isReading = true }
  }
}

// MARK: Out

extension WireFlow {
  /// Whether the wire side has fallen behind (true) or has caught up (false) since the last call; nil: neither.
  func backlogChange() -> Bool? {
    let isNow = (wire?.backlog ?? 0) > Self.backlogLimit
    defer { isBehind = isNow }
    return isNow == isBehind ? nil : isNow
  }
}
