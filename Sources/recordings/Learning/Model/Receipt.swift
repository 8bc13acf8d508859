import Bluetooth
import DeviceModel
import Framing

/// What a device sends from a characteristic after each value that a central writes there, whatever messages the values
/// make up: how many bytes it has taken.
struct Receipt: Hashable, Sendable {
  /// The handle of the characteristic's value.
  let handle: AttributeHandle
  fileprivate let id: String
  /// How it counts: `u16le`.
  fileprivate let type: String
  /// The values that are such a number, by conversation: the indices of their exchanges.
  fileprivate private(set) var exchanges: [Int: Set<Int>] = [:]
  fileprivate private(set) var writes = 0

  fileprivate var count: Int { exchanges.values.reduce(0) { $0 + $1.count } }

  /// Those of which the recording has enough: sizes of more than one kind, in nine of ten writes.
  static func all(
    in conversations: [Conversation], _ table: ObservedTable, except excluded: Set<AttributeHandle>
  ) -> [Receipt] {
    table.characteristics.compactMap { characteristic -> Receipt? in
      guard let handle = characteristic.valueHandle, characteristic.sendsValues, !excluded.contains(handle)
      else { return nil }
      return forms.lazy.compactMap { form in
        Receipt(handle, table.id(of: characteristic), form, conversations)
      }.first
    }
  }

  /// The ways to count, by their names in the language.
  private static let forms: [(type: String, width: Int, order: ByteOrder)] = [
    ("u8", 1, .littleEndian), ("u16le", 2, .littleEndian), ("u16be", 2, .bigEndian),
  ]

  private init?(
    _ handle: AttributeHandle, _ id: String, _ form: (type: String, width: Int, order: ByteOrder),
    _ conversations: [Conversation]
  ) {
    (self.handle, self.id, type) = (handle, id, form.type)
    var sizes: Set<Int> = []
    for (number, conversation) in conversations.enumerated() {
      var waiting: [Int] = []
      for (index, exchange) in conversation.exchanges.enumerated() where exchange.handle == handle {
        switch exchange.kind {
        case .write(_, _, .refused), .read: break
        case .write(let value, _, _):
          writes += 1
          waiting.append(value.count)
        case .value(let value, _):
          let place = waiting.firstIndex { form.order.bytes(of: UInt64($0), width: form.width) == value }
          guard let place else { break }
          sizes.insert(waiting.remove(at: place))
          exchanges[number, default: []].insert(index)
        }
      }
    }
    guard count >= 5, sizes.count > 1, count * 10 >= writes * 9 else { return nil }
  }
}

extension LearntDefinition {
  mutating func add(_ receipt: Receipt) {
    guard let index = characteristic(receipt.id) else { return }
    let size = ValueTemplate(learnt: "{size(value): \(receipt.type)}", .call(.size, [.known(.value)]))
    device.rules.append(
      Rule(
        on: .written(.characteristic(index)), [.send(.template(size), to: .endpoint(.characteristic(index)))])
    )
    evidence.append(
      Evidence(
        "each value is answered with its size (\(receipt.type))", at: "\(receipt.id) ->",
        agreeing: receipt.count, of: receipt.writes))
  }
}

extension [Conversation] {
  /// The conversations without the values that are receipts.
  func without(_ receipts: [Receipt]) -> [Conversation] {
    enumerated().map { number, conversation in
      let own = receipts.reduce(into: Set<Int>()) { $0.formUnion($1.exchanges[number] ?? []) }
      var rest = conversation
      rest.exchanges = conversation.exchanges.enumerated().filter { !own.contains($0.offset) }.map(\.element)
      return rest
    }
  }
}
