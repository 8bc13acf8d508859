import Bluetooth
import Framing

@testable import Learning

/// A recording of a device with one characteristic, FFE1, from lines such as
///
///     0 connect
///     20 subscribe
///     100 > request-01 01 07      the central writes, at 100 ms; the name is that of its message
///     130 < answer-01 81 07       the device sends a value
struct SpokenDevice {
  static let handle: AttributeHandle = 3

  private(set) var conversations: [Conversation] = []
  var streams = [
    StreamAnalysis(unexamined: ValueStream(handle, id: "FFE1", uuid: 0xFFE1, .fromCentral)),
    StreamAnalysis(unexamined: ValueStream(handle, id: "FFE1", uuid: 0xFFE1, .fromDevice)),
  ]

  var table: ObservedTable {
    var table = ObservedTable()
    var service = ObservedTable.Service(.init(0xFFE0, isLong: false))
    var characteristic = ObservedTable.Characteristic(.init(0xFFE1, isLong: false))
    characteristic.valueHandle = Self.handle
    characteristic.properties = [.write, .writeWithoutResponse, .notify]
    var configuration = ObservedTable.Descriptor(0x2902)
    configuration.handle = Self.handle + 1
    characteristic.descriptors = [configuration]
    service.characteristics = [characteristic]
    table.services = [service]
    return table
  }

  /// - Parameter messages: the parts of the messages that the lines name.
  init(_ lines: String, _ messages: KeyValuePairs<String, [LearntMessage.Part]>) {
    for (name, parts) in messages {
      streams[name.hasPrefix("request") ? 0 : 1].messages.append(LearntMessage(name, parts, frames: []))
    }
    for line in lines.split(separator: "\n") { add(line.split(separator: " ").map(String.init)) }
  }

  private mutating func add(_ words: [String]) {
    let time = Instant.milliseconds(Int64(words[0])!)
    switch words[1] {
    case "connect": conversations.append(Conversation(start: time))
    case "subscribe": exchange(.write([1, 0], .request, .success(nil)), Self.handle + 1, time)
    default:
      let (bytes, isRequest) = (words[3...].map { UInt8($0, radix: 16)! }, words[1] == ">")
      let stream = isRequest ? 0 : 1
      exchange(
        isRequest ? .write(bytes, .command, .unknown) : .value(bytes, .notification), Self.handle, time)
      let place = conversations.count - 1
      let number = streams[stream].frames.count
      streams[stream].stream.values.append(
        .init(bytes, at: time, conversation: place, exchange: conversations[place].exchanges.count - 1))
      streams[stream].frames.append(.init(bytes, at: time, conversation: place, values: number..<number + 1))
      let message = streams[stream].messages.firstIndex { $0.name == words[2] }!
      streams[stream].messages[message].frames.append(number)
    }
  }

  private mutating func exchange(_ kind: Exchange.Kind, _ handle: AttributeHandle, _ time: Instant) {
    conversations[conversations.count - 1].exchanges.append(Exchange(kind, handle: handle, at: time))
  }

  /// What is learnt of it.
  var definition: LearntDefinition {
    var definition = LearntDefinition(name: "Spoken", summary: "")
    definition.addServices(table)
    _ = definition.addModel(streams, of: conversations, table)
    return definition
  }
}
