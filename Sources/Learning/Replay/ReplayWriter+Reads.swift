import Bluetooth
import DefinitionWriter
import Framing

// Values that were read with several results.
extension ReplayWriter {
  mutating func addReads(_ conversations: [Conversation], except explained: Set<AttributeHandle>) {
    var (order, results): ([AttributeHandle], [AttributeHandle: [[UInt8]]]) = ([], [:])
    for exchange in conversations.flatMap(\.exchanges) {
      guard case .read(.success(let value)) = exchange.kind else { continue }
      if results[exchange.handle] == nil { order.append(exchange.handle) }
      results[exchange.handle, default: []].append(value)
    }
    for handle in order where !explained.contains(handle) {
      guard let id = table.id(of: handle), let values = results[handle], Set(values).count > 1,
        table.characteristic(of: handle)?.valueHandle == handle
      else { continue }
      addReads(of: id, values)
    }
  }

  private mutating func addReads(of id: String, _ values: [[UInt8]]) {
    let (read, step) = (names.unique("read-\(id)"), names.unique("step-read-\(id)"))
    addVariable(step, isPerCentral: false)
    let written = RecordedTable(
      name: read,
      columns: [
        (name: "step", type: FieldType.integer(width: 4, .littleEndian, isSigned: false)),
        (name: "value", type: .bytes(nil)),
      ],
      rows: values.enumerated().map {
        ["\($0.offset + 1)", $0.element.map { $0.hexadecimal(digits: 2) }.joined()]
      }
    ).written
    definition.data.append(written.entry)
    if let file = written.file { definition.dataFiles.append(file) }
    definition.rules.append(
      Self.rule(
        .object([.init("read", .text(id))], .flow),
        [
          .object(
            [
              .init("set", .map([.init(step, .text("min(\(step) + 1, \(values.count))"))], .flow)),
              .init("if", .text("offset == 0")),
            ], .flow),
          .object(
            [.init("respond", .object([.init("bytes", .quoted("{\(read)[\(step)].value}"))], .flow))], .flow),
        ]))
  }
}
