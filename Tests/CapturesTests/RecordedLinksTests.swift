import Bluetooth
import Captures
import Testing

/// The counts are those of Wireshark (`Captures/README.md`), without the two frames of jk-b5a24s in which it sees ATT although the
/// controller's log is in them.
@Suite struct RecordedLinksTests {
  @Test func `the treadmill has one link, from its start on`() throws {
    let capture = try Capture(path: recording("treadmill.btsnoop"))
    #expect(capture.notes == [])
    #expect(capture.packetCount == 1729)
    let device = try #require(capture.devices.first)
    #expect(capture.devices.count == 1)
    #expect(device.address == LinkAddress(DeviceAddress("C0:FF:EE:00:00:01")!, .random))
    #expect(device.advertisements.count == 62)
    #expect(device.advertisements.prefix(2).map(\.kind) == [.connectable, .scanResponse])
    let connection = try #require(device.connections.first)
    #expect(device.connections.count == 1)
    #expect(connection.start != nil)
    #expect(connection.end == nil)
    #expect(connection.attributePDUs.count == 1659)
    #expect(connection.count(of: 0x12, from: .central) == 261)
    #expect(connection.count(of: 0x13, from: .peripheral) == 261)
    #expect(connection.count(of: 0x1B, from: .peripheral) == 1047)
    #expect(connection.parameters.count == 3)
  }

  @Test(
    arguments: [
      // two links, one after the other
      ("jk-b1a20s15p.btsnoop", [55, 65], 79), ("jk-b5a24s.btsnoop", [684], 614),
      ("jk-bd6a24s10p.btsnoop", [233], 171),
    ])
  func `a link that began earlier is that of an unknown device`(
    name: String, counts: [Int], notifications: Int
  ) throws {
    let capture = try Capture(path: recording(name))
    #expect(capture.notes == [])
    #expect(capture.devices.map(\.address) == [nil])
    let connections = capture.devices.flatMap(\.connections)
    #expect(connections.map(\.attributePDUs.count) == counts)
    #expect(connections.allSatisfy { $0.start == nil && $0.central == nil })
    #expect(
      connections.map { $0.count(of: 0x1B, from: .peripheral) }.reduce(0, +) == notifications)
    #expect(connections.map { $0.count(of: 0x1B, from: .central) }.reduce(0, +) == 0)
  }
}

extension CapturedConnection {
  var attributePDUs: [(bytes: [UInt8], sender: LinkRole)] {
    events.compactMap { if case .attribute(let bytes, let sender) = $0.kind { (bytes, sender) } else { nil } }
  }

  var parameters: [ConnectionParameters] {
    events.compactMap { if case .parameters(let parameters) = $0.kind { parameters } else { nil } }
  }

  func count(of opcode: UInt8, from sender: LinkRole) -> Int {
    attributePDUs.count { $0.bytes.first == opcode && $0.sender == sender }
  }
}
