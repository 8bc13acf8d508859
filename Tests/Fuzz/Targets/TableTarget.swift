import Bluetooth
import Captures
import Definitions
import Framing
import Learning
import TestSupport

extension FuzzTarget {
  /// Any packets of a device and its central, as a recording that becomes a definition. Each packet has a byte that says what
  /// it is, and a byte with its length.
  static let table = FuzzTarget(
    name: "table",
    run: { bytes in
      let device = recordedDevice(bytes)
      let conversations = device.connections.map { Conversation(connection: $0) }
      let table = ObservedTable(connections: device.connections)
      for exchange in conversations.flatMap(\.exchanges) {
        let isDeclared = table.characteristic(of: exchange.handle) != nil
        try guarantee(
          isDeclared == (table.id(of: exchange.handle) != nil), "\(exchange.handle) has an id or is unknown")
      }
      let learnt = learn(device, table)
      let loaded = DefinitionLoader.load(
        SourceText(name: "learnt.yaml", text: try learnt.written().text), folder: MemoryFolder(files: [:]))
      try guarantee(loaded.definition != nil, "the learnt definition is not valid\n\(loaded.report)")
    },
    describe: { bytes in
      let device = recordedDevice(bytes)
      return learn(device, ObservedTable(connections: device.connections)).described
    })

  private static func learn(_ device: CapturedDevice, _ table: ObservedTable) -> LearntDefinition {
    var learnt = LearntDefinition(name: "Learnt", summary: "")
    learnt.addServices(table)
    learnt.addAdvertisement(of: device, table)
    learnt.addLink(device.connections)
    return learnt
  }

  static func recordedDevice(_ bytes: [UInt8]) -> CapturedDevice {
    var input = FuzzInput(bytes)
    var device = CapturedDevice(address: nil)
    var connection = CapturedConnection(central: nil, start: Instant())
    var time = Instant()
    while let kind = input.byte() {
      time.microseconds += 30_000
      let packet = input.bytes(max(1, input.number(below: 64)))
      switch UnicodeScalar(kind) {
      case ">": connection.events.append(.init(.attribute(packet, from: .central), at: time))
      case "<": connection.events.append(.init(.attribute(packet, from: .peripheral), at: time))
      case "s": connection.events.append(.init(.security(packet, from: .peripheral), at: time))
      case "l": connection.events.append(.init(.signalling(packet, from: .peripheral), at: time))
      case "c": device.advertisements.append(.init(time: time, kind: .connectable, data: packet))
      case "r": device.advertisements.append(.init(time: time, kind: .scanResponse, data: packet))
      case "n": device.advertisements.append(.init(time: time, kind: .nonConnectable, data: packet))
      case "x":
        let kind = CapturedAdvertisement.Kind.extended(
          isConnectable: true, isScannable: false, isDirected: false)
        device.advertisements.append(.init(time: time, kind: kind, data: packet))
      default:  // the next link
        device.connections.append(connection)
        connection.events = []
      }
    }
    device.connections.append(connection)
    return device
  }
}

extension LearntDefinition {
  /// Its text, or why it has none.
  var described: String { (try? written().text) ?? "\(device)" }
}
