import Bluetooth
import Framing

/// The values of one characteristic in one direction, over all conversations, in order.
package struct ValueStream: Hashable, Sendable {
  package enum Direction: Hashable, Sendable {
    case fromCentral, fromDevice
  }

  package struct Item: Hashable, Sendable {
    package var time: Instant
    /// The index of its conversation.
    package var conversation: Int
    /// The index of its exchange there.
    package var exchange: Int
    package var bytes: [UInt8]

    package init(_ bytes: [UInt8], at time: Instant, conversation: Int, exchange: Int) {
      (self.bytes, self.time) = (bytes, time)
      (self.conversation, self.exchange) = (conversation, exchange)
    }
  }

  package var handle: AttributeHandle
  /// The name of the characteristic in the definition.
  package var id: String
  package var uuid: BluetoothUUID?
  package var direction: Direction
  package var values: [Item] = []

  package init(_ handle: AttributeHandle, id: String, uuid: BluetoothUUID?, _ direction: Direction) {
    (self.handle, self.id, self.uuid, self.direction) = (handle, id, uuid, direction)
  }
}

extension [ValueStream] {
  /// What the centrals wrote to each characteristic, and what the device sent from it, in the order of handles. Values of
  /// descriptors and of undeclared handles, and refused writes, are not in it.
  package init(_ conversations: [Conversation], _ table: ObservedTable) {
    var streams: [ValueStream] = []
    for (number, conversation) in conversations.enumerated() {
      for (index, exchange) in conversation.exchanges.enumerated() {
        guard let (bytes, direction) = exchange.streamed,
          let characteristic = table.characteristic(of: exchange.handle),
          characteristic.valueHandle == exchange.handle
        else { continue }
        let item = ValueStream.Item(bytes, at: exchange.time, conversation: number, exchange: index)
        let place = streams.firstIndex { $0.handle == exchange.handle && $0.direction == direction }
        if let place {
          streams[place].values.append(item)
        } else {
          streams.append(
            ValueStream(
              exchange.handle, id: table.id(of: characteristic), uuid: characteristic.uuid.uuid, direction))
          streams[streams.count - 1].values = [item]
        }
      }
    }
    self = streams.sorted { $0.handle < $1.handle }
  }
}

extension Exchange {
  /// The value that was written or sent.
  var streamed: (bytes: [UInt8], ValueStream.Direction)? {
    switch kind {
    case .read, .write(_, _, .refused): nil
    case .write(let bytes, _, _): (bytes, .fromCentral)
    case .value(let bytes, _): (bytes, .fromDevice)
    }
  }
}
