import Bluetooth
import DeviceModel
import Framing

/// The messages that go out of layers one after the other.
///
/// A rule that sends a message on may wait between its fragments. Until it ends, later messages of its layer wait.
struct LayerMessages: Sendable {
  /// The most messages that wait at a layer.
  static let most = 64

  /// A message on its way out.
  struct Message: Sendable {
    let plain: [UInt8]
    /// As the layer encodes it.
    let bytes: [UInt8]
    let owner: Activation.Owner
    let asker: Central?
    let source: Endpoint?

    var central: Central? { if case .central(let central) = owner { central } else { nil } }
  }

  /// By layer, the messages that wait while a rule sends another one; the layers that are not busy are missing.
  private var waiting: [Int: [Message]] = [:]

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
  mutating func add(_ message: Message, at layer: Int) -> Bool {
    guard waiting[layer]?.count ?? 0 < Self.most else { return false }
    waiting[layer]?.append(message)
    return true
  }

  /// The next message of a layer whose rule has ended; nil: there is none, and the layer is not busy.
  mutating func next(at layer: Int) -> Message? {
    guard waiting[layer]?.isEmpty == false else {
      waiting[layer] = nil
      return nil
    }
    return waiting[layer]?.removeFirst()
  }

  /// The central has left, and with it the messages that it has caused.
  mutating func end(of central: Central) {
    for layer in waiting.keys { waiting[layer]?.removeAll { $0.owner == .central(central) } }
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
    let message = LayerMessages.Message(
      plain: plain, bytes: bytes, owner: activation.owner, asker: activation.asker,
      source: activation.source)
    if layerMessages.isBusy(layer) {
      guard layerMessages.add(message, at: layer) else {
        throw RuleFailure.tooManyInLayer(definition.layers[layer].name)
      }
      return true
    }
    let (event, resetCount) = (context.event, resetCount)
    turn.layerDepth += 1
    pass(message, outOf: layer)
    turn.layerDepth -= 1
    guard self.resetCount == resetCount else { return false }
    context.event = event
    centralVariables.select(event.central, in: &context.variables)
    (turn.asker, turn.source) = (activation.asker, activation.source)
    return true
  }

  /// Fires the rule for a message that goes out of a layer.
  private mutating func pass(_ message: LayerMessages.Message, outOf layer: Int) {
    if options.makesRemarks { remark(.passedLayer(layer, message.plain, isSent: true)) }
    (turn.asker, turn.source) = (message.asker, message.source)
    let place = lookup.exit(of: layer)
    let key = StreamKey(central: message.central, endpoint: .layer(layer))
    if !offer(
      message.plain, as: message.bytes == message.plain ? nil : message.bytes, from: key, at: place,
      outOf: layer, ownedBy: message.owner)
    {
      remark(.unsent(.layer(layer), reason: "no rule sends this message on"))
    }
  }

  /// Sends the next message of a layer, whose rule has ended.
  mutating func empty(_ layer: Int) {
    while let message = layerMessages.next(at: layer) {
      turn.layerDepth += 1
      pass(message, outOf: layer)
      turn.layerDepth -= 1
      if waits.areWaiting(at: layer) { return }
    }
  }

  /// Handles what a rule has handed to a layer.
  mutating func take(_ frame: AssembledFrame, at layer: Int) {
    if options.makesRemarks { remark(.passedLayer(layer, frame.bytes, isSent: false)) }
    (turn.asker, turn.source) = (frame.asker, frame.source)
    receive(frame.bytes, on: StreamKey(central: frame.central, endpoint: .layer(layer)))
  }
}
