import Bluetooth
import DefinitionWriter
import Framing

// Values that were read with several results.
extension ReplayWriter {
  mutating func addReads(_ conversations: [Conversation], except explained: Set<AttributeHandle>) {
    var (order, results): ([AttributeHandle], [AttributeHandle: [RecordedRead]]) = ([], [:])
    for (index, conversation) in conversations.enumerated() {
      for (number, exchange) in conversation.exchanges.enumerated() {
        guard case .read(.success(let value)) = exchange.kind else { continue }
        if results[exchange.handle] == nil { order.append(exchange.handle) }
        let place = history.place(after: number, in: index)
        results[exchange.handle, default: []].append(RecordedRead(value: value, place: place))
      }
    }
    for handle in order {
      guard let id = table.id(of: handle), let reads = results[handle], Set(reads.map(\.value)).count > 1,
        let characteristic = table.characteristic(of: handle), characteristic.valueHandle == handle,
        !explained.contains(handle) || !characteristic.sendsValues
      else { continue }
      addReads(of: id, reads)
    }
  }

  private mutating func addReads(of id: String, _ reads: [RecordedRead]) {
    let (read, step) = (names.unique("read-\(id)"), names.unique("step-read-\(id)"))
    addVariable(step, isPerCentral: false)
    let places = history.isUsable ? reads.places : nil
    let values = places == nil ? reads.map(\.value) : reads.map(\.value).unique
    let next = "min(\(step) + 1, \(values.count))"
    var choice = next
    if let places {
      let numbers = places.compactMapValues { value in values.firstIndex(of: value).map { $0 + 1 } }
      let place = definition.add(numbers, as: names.unique("places-read-\(id)"))
      choice = "if(\(place) > 0, \(place), \(next))"
    }
    definition.add(
      RecordedTable(
        name: read,
        columns: [
          (name: "step", type: FieldType.integer(width: 4, .littleEndian, isSigned: false)),
          (name: "value", type: .bytes(nil)),
        ],
        rows: values.enumerated().map {
          ["\($0.offset + 1)", $0.element.map { $0.hexadecimal(digits: 2) }.joined()]
        }))
    definition.rules.append(
      Self.rule(
        .object([.init("read", .text(id))], .flow),
        [
          .object(
            [.init("set", .map([.init(step, .text(choice))], .flow)), .init("if", .text("offset == 0"))],
            .flow),
          .object(
            [.init("respond", .object([.init("bytes", .quoted("{\(read)[\(step)].value}"))], .flow))], .flow),
        ]))
  }
}

/// A value that was read, and where in the recorded history.
private struct RecordedRead {
  var value: [UInt8]
  var place: Int
}

extension [RecordedRead] {
  /// The value at each place; nil: several were read at one place, so the history does not determine them.
  fileprivate var places: [Int: [UInt8]]? {
    var places: [Int: [UInt8]] = [:]
    for read in self
    where places.updateValue(read.value, forKey: read.place).map({ $0 != read.value }) == true {
      return nil
    }
    return places
  }
}
