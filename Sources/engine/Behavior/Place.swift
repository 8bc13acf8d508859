import DeviceModel
import Framing

/// A characteristic, the wire side or the like: the properties that the engine needs for each frame, and the rules that wait for its
/// messages. A lookup in the definition would copy these for each frame; a reference costs nothing to pass on.
final class Place: Sendable {
  /// Its index among the device's places.
  let number: Int
  /// The id of a characteristic, the name of a layer, or `wire`.
  let name: String
  /// How its bytes become frames; nil: each value is one.
  let framing: FramingRule?
  /// Whether it has a framing. A look at `framing` itself would copy that.
  let isFramed: Bool
  /// The encoding of its bytes; nil: they are not encoded.
  let coding: StreamCoding?
  /// Whether its bytes are encoded.
  let isCoded: Bool
  /// The place to which rules answer a frame.
  let answers: Endpoint
  /// The other end of the bridge; nil: it is at no end.
  let bridged: Endpoint?
  /// Whether what an event of a central causes goes to that central alone.
  let isForAsker: Bool
  /// Whether it is a layer, to which only rules hand bytes.
  let isLayer: Bool
  /// The rules that wait for messages, in the order of the file.
  let receivers: [Receiver]
  /// For each receiver that waits for a message: its fields in the order of the rule's. Empty: they are the rule's.
  let commonFields: [[Int]]
  /// Finds receivers by their index.
  let index: RuleIndex

  /// A rule that may take a frame.
  struct Receiver: Sendable {
    let rule: Int
    /// The message that it waits for; nil: any frame.
    let message: Int?
    /// Whether the message's fields have another order than the rule's (``Place/commonFields``).
    let reorders: Bool
  }

  init(
    _ endpoint: Endpoint, number: Int, _ triggers: [(rule: Int, message: Int?)],
    in definition: PeripheralDefinition
  ) {
    self.number = number
    name = definition.name(of: endpoint)
    framing = definition.framing(of: endpoint)
    isFramed = framing != nil
    coding = definition.coding(of: endpoint)
    isCoded = coding != nil
    answers = definition.answeringEndpoint(endpoint)
    bridged = definition.wire.bridge.flatMap { bridge in
      endpoint == .wire ? bridge.outlet : endpoint == bridge.inlet ? .wire : nil
    }
    isLayer = if case .layer = endpoint { true } else { false }
    isForAsker =
      if case .characteristic(let index) = endpoint {
        definition.characteristics[index].recipients == .asker
      } else {
        false
      }
    let fields = triggers.map { rule, message in message.flatMap { definition.rules[rule].commonFields[$0] } }
    commonFields = fields.contains { $0 != nil } ? fields.map { $0 ?? [] } : []
    receivers = zip(triggers, fields).map { trigger, fields in
      Receiver(rule: trigger.rule, message: trigger.message, reorders: fields != nil)
    }
    index = RuleIndex(
      triggers.enumerated().map { ($0.offset, $0.element.message.map { definition.messages[$0] }) })
  }

  /// Whether rules wait for messages.
  var hasReceivers: Bool { !receivers.isEmpty }
}
