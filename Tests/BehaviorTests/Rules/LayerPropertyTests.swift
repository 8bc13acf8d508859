import Bluetooth
import DeviceModel
import Framing
import TestSupport
import Testing

@testable import Behavior

/// Layers on layers, as nobody has stacked them: what they build is read, and built again, byte for byte.
@Suite struct LayerPropertyTests {
  @Test(arguments: Sample.part([1, 2], of: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64]))
  func `what goes out of layers comes back through them`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<10 {
      let yaml = random.stack()
      var link = try LinkOfTwo(device(yaml))
      for _ in 0..<10 {
        let messages = [random.message(), random.message()]
        let built = messages.map { link.write($0, to: "say", by: 0) }
        #expect(built.allSatisfy { !$0.isEmpty }, "\(yaml)")
        // Both centrals send what the device has built, each in its own time.
        var (rest, answers) = (built.map { $0[...] }, [[[UInt8]]](repeating: [], count: 2))
        while let central = rest.indices.filter({ !rest[$0].isEmpty }).randomElement(using: &random) {
          answers[central] += link.write(rest[central].removeFirst(), to: "link", by: central)
        }
        #expect(answers == built, "\(messages.map { HexText.format($0) }) in \(yaml)")
        #expect(link.problems == [], "\(yaml)")
      }
    }
  }
}

/// A device with two centrals, whose answers go to the one that asks.
private struct LinkOfTwo {
  private var engine: Engine
  private let definition: PeripheralDefinition
  private(set) var problems: [String] = []

  init(_ definition: PeripheralDefinition) throws {
    self.definition = definition
    engine = try Engine(
      definition, settings: definition.settings.map(\.initial), address: Conversation.centrals[0])
    for central in Conversation.centrals { _ = engine.handle(.connected(central), at: Instant()) }
  }

  /// Returns the values that this central gets.
  mutating func write(_ value: [UInt8], to id: String, by central: Int) -> [[UInt8]] {
    let attribute = AttributeReference.characteristic(definition.characteristics.firstIndex { $0.id == id }!)
    let event = Event.writeRequested(
      Conversation.centrals[central], attribute, value: value, offset: 0, .request)
    return engine.handle(event, at: Instant()).actions.compactMap { action in
      switch action {
      case .notify(_, let value, _, Conversation.centrals[central]): return value
      case .remark(.passedLayer), .remark(.plain), .startTimer, .stopTimer: return nil
      default:
        problems.append("\(action)")
        return nil
      }
    }
  }
}

/// How a layer changes what passes through it.
private enum Kind: CaseIterable {
  case lengths, cipher, escapes

  /// The framing of the layer at a level.
  func framing(_ level: Int) -> String {
    switch self {
    case .lengths: "{ start: 9*, length: { at: 1, width: 2, counts: rest }, max: 4096 }"
    case .cipher:
      "{ decode: 'aes-ctr(fill(\(level), 16), fill(1, 16), value)', encode: 'aes-ctr(fill(\(level), 16), fill(1, 16), value)' }"
    case .escapes: "{ delimiter: C0, decode-frame: unslip(frame), encode-frame: slip(frame), max: 4096 }"
    }
  }

  /// What a frame of the layer is for the layer above it, an expression, and the reverse, a template.
  var forms: (content: String, frame: String) {
    self == .lengths ? ("slice(frame, 3, 4096)", "9A {frame.size: u16be} {frame}") : ("frame", "{frame}")
  }
}

extension SplitMix64 {
  fileprivate mutating func message() -> [UInt8] { bytes(Int.random(in: 1...40, using: &self)) }

  /// A device with fragments, and up to four layers in them. It sends what is written to `say` out of the highest one, and sends
  /// back what arrives there.
  fileprivate mutating func stack() -> String {
    let kinds = (0..<1 + next() % 4).map { _ in Kind.allCases.randomElement(using: &self)! }
    let (top, size) = (kinds.count, Int.random(in: 1...17, using: &self))
    let levels = kinds.enumerated().map { ($0.offset + 1, $0.element) }
    let rules = levels.flatMap { level, _ in
      let below = level == 1 ? ("frame", "{frame}") : kinds[level - 2].forms
      return [
        "{ on: { receive: any, from: layer\(level - 1) }, do: { receive: '\(below.0)', from: layer\(level) } }",
        "{ on: { send: any, from: layer\(level) }, do: { send: { bytes: '\(below.1)' }, to: layer\(level - 1) } }",
      ]
    }
    return """
      link: { centrals: 2 }
      layers: [\((0...top).map { "layer\($0)" }.joined(separator: ", "))]
      services:
        - uuid: FFE0
          characteristics:
            - { id: say, uuid: FFE1, properties: [write] }
            - { id: link, uuid: FFE2, properties: [write, notify], recipients: asker }
      variables: { parts: { type: bytes, max: 4096, default: "", per: central } }
      framing:
        \(levels.map { "layer\($0): \($1.framing($0))" }.joined(separator: "\n  "))
      messages: { part: "{bits(more: 1, index: 7)} {data: bytes}" }
      rules:
        - { on: { receive: any, from: say }, do: { send: { bytes: '\(kinds[top - 1].forms.1)' }, to: layer\(top) } }
        - { on: { receive: any, from: layer\(top) }, do: { send: { bytes: "{frame}" } } }
        - on: { receive: part, from: link }
          do:
            - set: { parts: parts + data }
            - { if: more == 0, then: [{ receive: parts, from: layer0 }, { set: { parts: "bytes('')" } }] }
        - on: { send: any, from: layer0 }
          do:
            repeat: ceil(frame.size / \(size))
            index: i
            do:
              send: part
              to: link
              with:
                more: number((i + 1) * \(size) < frame.size)
                index: i % 128
                data: slice(frame, i * \(size), \(size))
        - \(rules.joined(separator: "\n  - "))
      """
  }
}
