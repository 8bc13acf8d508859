import Bluetooth
import DeviceModel
import Testing

@testable import AttributeServer

@Suite struct RequestTests {
  static let small = SpecificationCase.small

  @Test(
    arguments: [
      "02", "02 17", "02 17 00 00",
      "04", "04 01 00 FF", "04 01 00 FF FF 00",
      "06", "06 01 00 FF FF 00",
      "08", "08 01 00 FF FF", "08 01 00 FF FF 03", "08 01 00 FF FF 03 28 00", "08 01 00 FF FF 03 28 00 00",
      "08 01 00 FF FF 00*15", "08 01 00 FF FF 00*17",
      "0A", "0A 0A", "0A 0A 00 00",
      "0C", "0C 0A 00 00", "0C 0A 00 00 00 00",
      "0E", "0E 0A 00", "0E 0A 00 10", "0E 0A 00 10 00 0A",
      "10", "10 01 00 FF FF 00", "10 01 00 FF FF 00 28 00",
      "12", "12 0A",
      "16", "16 0A 00 00",
      "18", "18 02", "18 01 00",
      "20", "20 0A 00", "20 0A 00 10", "20 0A 00 10 00 0A",
    ])
  func `a request of a wrong length is an Invalid PDU without a handle`(request: String) throws {
    try expect(Self.small, "> \(request)\n< 01 \(request.prefix(2)) 00 00 04\n> 0A 10 00\n< 0B 33")
  }

  @Test func `a request that is longer than the MTU is an Invalid PDU, and such a command is ignored`() throws
  {
    try expect(
      Self.small,
      """
      > 12 0A 00 41*21
      < 01 12 00 00 04
      > 52 0A 00 41*21
      > 0A 0A 00
      < 0B 01 02 03
      > 12 0A 00 41*20
      < 13
      > 02 18 00
      < 03 05 02
      > 12 0A 00 42*21
      < 13
      > 0A 0A 00
      < 0B 42*21
      """)
  }

  @Test(arguments: (UInt8.min...UInt8.max).filter { !AttributeOpcode(rawValue: $0).hasName })
  func `an unknown opcode has an answer unless it is a command`(opcode: UInt8) {
    let isCommand = opcode & 0x40 != 0
    for count in [0, 1, 12, 22] {
      var server = AttributeServer(of: Self.small)
      let expected = isCommand ? [] : [ServerAction.send([0x01, opcode, 0, 0, 0x06])]
      #expect(server.actions(after: [opcode] + [UInt8](repeating: 1, count: count)) == expected)
    }
  }

  @Test(
    arguments: [
      "", "01", "01 0A 0A 00 01", "03 17 00", "05 01 0A 00 03 28", "07 0A 00 0A 00", "09 03 0A 00 00", "0B",
      "0D",
      "0F", "11 06 0A 00 0A 00 00 28", "13", "17 0A 00 00 00", "19", "19 00", "1B 0A 00 01", "1D 0A 00 01",
      "1E",
      "1E 00", "21 00 00", "23 0A 00 00 00", "52", "52 0A", "D2 0A 00",
    ])
  func `what is no request is ignored`(packet: String) throws {
    try expect(Self.small, "> \(packet)\n> 0A 10 00\n< 0B 33")
  }
}

extension AttributeServer {
  /// The server of a device that answers nothing by itself.
  init(of definition: PeripheralDefinition) {
    let table = try! definition.attributes(in: definition.initialContext)
    let database = AttributeDatabase(definition, table, name: "Device")
    self.init(database, for: ServerConversation.centrals[0])
  }
}
