import Bluetooth
import DeviceModel

/// The characteristics and advertising sets whose values follow what they use.
struct LiveValues: Sendable {
  /// Whether there are any.
  fileprivate let hasAttributes: Bool
  /// Whether something is computed after each event.
  let followsEvents: Bool
  /// Those that send their values when they change, by index.
  fileprivate let senders: [Int]
  /// The last value of each sender that was computed.
  fileprivate var latest: [[UInt8]]
  /// Whether the last one could not be computed, which the log says once.
  fileprivate var hasFailed: [Bool]

  init(_ definition: PeripheralDefinition) {
    senders = definition.characteristics.indices.filter {
      definition.characteristics[$0].live == .yes && definition.characteristics[$0].canNotify
    }
    hasAttributes = definition.characteristics.contains {
      $0.live != .no || $0.descriptors.contains(where: \.isLive)
    }
    let advertisement = definition.advertisement
    followsEvents =
      !senders.isEmpty || advertisement.isLive || advertisement.furtherSets.contains(where: \.isLive)
    latest = Array(repeating: [], count: senders.count)
    hasFailed = Array(repeating: false, count: senders.count)
  }
}

extension Engine {
  func isLive(_ attribute: AttributeReference) -> Bool {
    guard live.hasAttributes else { return false }
    switch attribute {
    case .characteristic(let index): return definition.characteristics[index].live != .no
    case .descriptor(let index, let characteristic):
      return definition.characteristics[characteristic].descriptors[index].isLive
    }
  }

  private func template(of attribute: AttributeReference) -> ValueTemplate {
    switch attribute {
    case .characteristic(let index): definition.characteristics[index].value
    case .descriptor(let index, let characteristic):
      definition.characteristics[characteristic].descriptors[index].value
    }
  }

  /// The bytes that a live attribute has now.
  func liveValue(of attribute: AttributeReference) throws -> [UInt8] {
    try template(of: attribute).render(in: context, limit: CharacteristicDefinition.maximumValueSize)
  }

  /// Gives a live attribute the value that it has now.
  mutating func refresh(_ attribute: AttributeReference) {
    context.random.step &+= 1
    do { attributes[attribute] = try liveValue(of: attribute) } catch {
      remark(.logged("'\(definition.name(of: attribute))' keeps its value: \(error)"))
    }
  }

  /// Notes the values from which the changes count for a central that has connected, or subscribed to a characteristic, before
  /// the device counts it.
  mutating func beginFollowing(_ subscribed: Int? = nil) {
    for (index, characteristic) in live.senders.enumerated()
    where !hasRecipients(characteristic) && subscribed ?? characteristic == characteristic {
      if let value = try? liveValue(of: .characteristic(characteristic)) { live.latest[index] = value }
    }
  }

  /// Sends and advertises what the turn has changed.
  mutating func followValues() {
    sendLiveValues()
    if !turn.hasReset { renewLiveSets() }
  }

  /// Sends the live values that have changed, unless a rule has sent them.
  private mutating func sendLiveValues() {
    for (index, characteristic) in live.senders.enumerated() where hasRecipients(characteristic) {
      do {
        let value = try liveValue(of: .characteristic(characteristic))
        live.hasFailed[index] = false
        guard value != live.latest[index] else { continue }
        live.latest[index] = value
        if !hasSent(value, to: characteristic) { send(value, to: .characteristic(characteristic)) }
      } catch {
        if !live.hasFailed[index] {
          remark(.logged("'\(definition.characteristics[characteristic].id)' keeps its value: \(error)"))
        }
        live.hasFailed[index] = true
      }
    }
  }

  /// Whether a rule has already sent a value to all in this turn.
  private func hasSent(_ value: [UInt8], to characteristic: Int) -> Bool {
    turn.actions.contains {
      if case .notify(characteristic, value, _, to: nil) = $0 { true } else { false }
    }
  }

  private func hasRecipients(_ characteristic: Int) -> Bool {
    if context.subscribers[characteristic] > 0 { return true }
    return !links.centrals.isEmpty && definition.characteristics[characteristic].unconditionalDelivery != nil
  }
}
