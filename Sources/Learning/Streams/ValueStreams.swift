import Bluetooth

extension [ValueStream] {
  /// What the centrals wrote to each characteristic, and what the device sent from it, in the order of handles. Values of
  /// descriptors and refused writes are not in it.
  package init(_ conversations: [Conversation], _ table: ObservedTable) {
    let descriptors = Set(table.characteristics.flatMap(\.descriptors).compactMap(\.handle))
    var streams: [ValueStream] = []
    for (number, conversation) in conversations.enumerated() {
      for (index, exchange) in conversation.exchanges.enumerated()
      where !descriptors.contains(exchange.handle) {
        guard let (bytes, direction) = exchange.streamed else { continue }
        let item = ValueStream.Item(bytes, at: exchange.time, conversation: number, exchange: index)
        let place = streams.firstIndex { $0.handle == exchange.handle && $0.direction == direction }
        if let place {
          streams[place].values.append(item)
        } else {
          let id = table.id(of: exchange.handle) ?? exchange.handle.hexadecimal(digits: 4)
          let uuid = table.characteristic(of: exchange.handle)?.uuid.uuid
          streams.append(ValueStream(exchange.handle, id: id, uuid: uuid, direction))
          streams[streams.count - 1].values = [item]
        }
      }
    }
    self = streams.sorted { $0.handle < $1.handle }
  }
}

extension Exchange {
  /// The value that was written or sent.
  fileprivate var streamed: (bytes: [UInt8], ValueStream.Direction)? {
    switch kind {
    case .read, .write(_, _, .refused): nil
    case .write(let bytes, _, _): (bytes, .fromCentral)
    case .value(let bytes, _): (bytes, .fromDevice)
    }
  }
}
