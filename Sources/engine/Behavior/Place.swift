import DeviceModel
import Framing

/// A characteristic or the wire side: the properties that the engine needs for each frame, and the rules that wait for its
/// messages. A lookup in the definition would copy these for each frame; a reference costs nothing to pass on.
final class Place: Sendable {
  /// The id of a characteristic, or `wire`.
  let name: String
  /// How its bytes become frames; nil: each value is one.
  let framing: FramingRule?
  /// Whether it has a framing. A look at `framing` itself would copy that.
  let isFramed: Bool
  /// The encoding of its bytes; nil: they are not encoded.
  let coding: StreamCoding?
  /// The place to which rules answer a frame.
  let answers: Endpoint
  /// Whether what an event of a central causes goes to that central alone.
  let isForAsker: Bool
  /// The rules that wait for messages, in the order of the file.
  let receivers: [Receiver]
  /// Finds those with a message, by their index in `receivers`.
  private let messages: RuleIndex
  /// The indices of those that take any frame.
  private let any: [Int]

  /// A rule that may take a frame.
  struct Receiver: Sendable {
    let rule: Int
    /// The message that it waits for; nil: any frame.
    let message: Int?
    /// The message's fields in the order of the rule's; nil: they are the rule's.
    let fields: [Int]?
  }

  init(_ endpoint: Endpoint, _ receivers: [Receiver], in definition: PeripheralDefinition) {
    name = definition.name(of: endpoint)
    framing = definition.framing(of: endpoint)
    isFramed = framing != nil
    coding = definition.coding(of: endpoint)
    answers = definition.answeringEndpoint(endpoint)
    isForAsker =
      if case .characteristic(let index) = endpoint {
        definition.characteristics[index].recipients == .asker
      } else {
        false
      }
    self.receivers = receivers
    messages = RuleIndex(
      receivers.indices.compactMap { index in
        receivers[index].message.map { (rule: index, message: definition.messages[$0]) }
      })
    any = receivers.indices.filter { receivers[$0].message == nil }
  }

  /// Whether rules wait for messages.
  var hasReceivers: Bool { !receivers.isEmpty }

  /// The indices of the receivers that may take a frame, in the order of the file.
  func candidates(for frame: [UInt8]) -> [Int] {
    guard hasReceivers else { return [] }
    let candidates = messages.candidates(for: frame)
    return any.isEmpty ? candidates : (candidates + any).sorted()
  }
}
