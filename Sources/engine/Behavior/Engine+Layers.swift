import Bluetooth
import DeviceModel
import Framing

/// A value on its way into a layer, or out of it.
package struct LayerValue: Hashable, Sendable {
  package let layer: Int
  /// Whether it goes out.
  package let isSent: Bool
  /// What a rule for it compares; of what arrives, the same as its bytes.
  private(set) var plain: [UInt8]
  /// As the layer encodes what goes out; undecoded, what arrives.
  package private(set) var bytes: [UInt8]
  fileprivate let owner: Activation.Owner
  fileprivate let asker: Central?
  fileprivate let source: Endpoint?
  /// Whether the log has it already.
  fileprivate var isTold = false

  fileprivate init(
    _ plain: [UInt8], as bytes: [UInt8], outOf layer: Int, by activation: borrowing Activation
  ) {
    (self.layer, isSent, self.plain, self.bytes) = (layer, true, plain, bytes)
    (owner, asker, source) = (activation.owner, activation.asker, activation.source)
  }

  fileprivate init(_ frame: AssembledFrame, into layer: Int) {
    (self.layer, isSent, plain, bytes) = (layer, false, frame.bytes, frame.bytes)
    (owner, asker, source) = (frame.owner, frame.asker, frame.source)
  }

  /// The central that has caused it; nil: the device has, or an unknown central.
  package var central: Central? { if case .central(let central) = owner { central } else { nil } }

  /// The same value with other bytes.
  package func with(_ bytes: [UInt8]) -> Self {
    var value = self
    if plain == self.bytes { value.plain = bytes }
    value.bytes = bytes
    return value
  }
}

/// What becomes of a value of a layer on its way through something outside of the engine.
package struct LayerPassage: Sendable {
  /// Those that pass now.
  package var values: [LayerValue] = []
  package var strikes: [FaultStrike] = []

  package init() {}
}

/// The values that go out of layers one after the other.
///
/// A rule that sends a message on may wait between its fragments. Until it ends, later messages of its layer wait.
struct LayerMessages: Sendable {
  /// The most messages that wait at a layer.
  static let most = 64

  /// By layer, the messages that wait while a rule sends another one; the layers that are not busy are missing.
  private var waiting: [Int: [LayerValue]] = [:]

  func isBusy(_ layer: Int) -> Bool { !waiting.isEmpty && waiting[layer] != nil }

  /// Notes that a rule for a layer has ended, or waits.
  mutating func note(_ waits: Bool, at layer: Int, in turn: inout Turn) {
    if waits {
      waiting[layer] = waiting[layer] ?? []
    } else if isBusy(layer) {
      turn.consequences.add(.emptied(layer))
    }
  }

  /// Adds a message to those that wait; returns whether there is room.
  mutating func add(_ message: LayerValue) -> Bool {
    guard waiting[message.layer]?.count ?? 0 < Self.most else { return false }
    waiting[message.layer]?.append(message)
    return true
  }

  /// The next message of a layer whose rule has ended; nil: there is none, and the layer is not busy.
  mutating func next(at layer: Int) -> LayerValue? {
    guard waiting[layer]?.isEmpty == false else {
      waiting[layer] = nil
      return nil
    }
    return waiting[layer]?.removeFirst()
  }

  /// The central has left, and with it the messages that it has caused.
  mutating func end(of central: Central) {
    for layer in waiting.keys { waiting[layer]?.removeAll { $0.central == central } }
  }

  mutating func removeAll() { waiting = [:] }
}

/// What rules hand to layers, and send into them.
extension Engine {
  /// Sends a message into a layer: the first rule for it runs now, inside the rule that sends it, so that everything goes out in
  /// order. Returns whether the rule goes on: not if the device has been reset.
  mutating func send(
    _ plain: [UInt8], into layer: Int, by activation: borrowing Activation
  ) throws -> Bool {
    let bytes = try encoded(plain, isMessage: true, for: .layer(layer))
    try turn.spend(output: bytes.count)
    let message = LayerValue(plain, as: bytes, outOf: layer, by: activation)
    let (event, resetCount) = (context.event, resetCount)
    if let messages = struck(message) {
      for message in messages where self.resetCount == resetCount { try passInOrder(message) }
    } else {
      try passInOrder(message)
    }
    guard self.resetCount == resetCount else { return false }
    context.event = event
    centralVariables.select(event.central, in: &context.variables)
    (turn.asker, turn.source) = (activation.asker, activation.source)
    return true
  }

  /// What faults let pass now in place of a value; nil: the value itself.
  private mutating func struck(_ value: LayerValue) -> [LayerValue]? {
    guard let passage = passLayer?(value), !passage.strikes.isEmpty || passage.values != [value] else {
      return nil
    }
    if value.isSent { tell(value) }
    for strike in passage.strikes { remark(.struck(strike)) }
    guard value.isSent else { return passage.values }
    return passage.values.map {
      var value = $0
      value.isTold = true
      return value
    }
  }

  private mutating func tell(_ value: LayerValue) {
    if options.makesRemarks, !value.isTold {
      remark(.passedLayer(value.layer, value.plain, isSent: value.isSent))
    }
  }

  /// Passes a message on, or lets it wait for those before it.
  private mutating func passInOrder(_ message: LayerValue) throws(RuleFailure) {
    guard layerMessages.isBusy(message.layer) else { return pass(message) }
    guard layerMessages.add(message) else {
      throw .tooManyInLayer(definition.layers[message.layer].name)
    }
  }

  /// Fires the rule for a message that goes out of a layer.
  private mutating func pass(_ message: LayerValue) {
    tell(message)
    (turn.asker, turn.source) = (message.asker, message.source)
    let layer = message.layer
    let key = StreamKey(central: message.central, endpoint: .layer(layer))
    turn.layerDepth += 1
    defer { turn.layerDepth -= 1 }
    if !offer(
      message.plain, as: message.bytes == message.plain ? nil : message.bytes, from: key,
      at: lookup.exit(of: layer), outOf: layer, ownedBy: message.owner)
    {
      remark(.unsent(.layer(layer), reason: "no rule sends this message on"))
    }
  }

  /// Sends the next message of a layer, whose rule has ended.
  mutating func empty(_ layer: Int) {
    while let message = layerMessages.next(at: layer) {
      pass(message)
      if waits.areWaiting(at: layer) { return }
    }
  }

  /// Handles what a rule has handed to a layer.
  mutating func take(_ frame: AssembledFrame, at layer: Int) {
    let value = LayerValue(frame, into: layer)
    guard let values = struck(value) else { return arrive(value) }
    let resetCount = resetCount
    for value in values where self.resetCount == resetCount { arrive(value) }
  }

  private mutating func arrive(_ value: LayerValue) {
    tell(value)
    (turn.asker, turn.source) = (value.asker, value.source)
    receive(value.bytes, on: StreamKey(central: value.central, endpoint: .layer(value.layer)))
  }

  /// Handles a value that a fault has let pass later, unless its central has left.
  mutating func passLate(_ value: LayerValue) {
    if let central = value.central, !links.centrals.contains(central) { return }
    if value.isSent {
      var value = value
      value.isTold = true
      do { try passInOrder(value) } catch {
        remark(.unsent(.layer(value.layer), reason: "\(error)"))
      }
    } else {
      arrive(value)
    }
    settle()
  }
}
