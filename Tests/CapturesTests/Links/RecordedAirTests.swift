import Bluetooth
import Captures
import TestSupport
import Testing

@Suite struct RecordedAirTests {
  /// Wireshark counts 156 ATT PDUs; one of them is sent twice.
  @Test func `a sniffer's recording has one link with a pairing`() throws {
    let capture = try Capture(path: recording("pairing-decrypted.pcap"))
    let device = try #require(capture.devices.first)
    #expect(capture.devices.count == 1)
    #expect(device.address == LinkAddress(DeviceAddress("74:DA:EA:91:47:E3")!))
    #expect(device.advertisements == [])
    let connection = try #require(device.connections.first)
    #expect(device.connections.count == 1)
    #expect(connection.central == LinkAddress(DeviceAddress("63:5B:46:E8:B3:81")!, .random))
    #expect(connection.start == capture.start)
    #expect(connection.end == nil)
    #expect(connection.attributePDUs.count == 155)
    // WHAD takes some of the central's packets for the peripheral's.
    for (bytes, sender) in connection.attributePDUs {
      let isRequest = AttributeOpcode(rawValue: bytes[0]).kind == .request
      #expect(isRequest == (sender == .central), "\(hexadecimal(bytes))")
    }
    let security = connection.events.compactMap {
      if case .security(let bytes, let sender) = $0.kind { "\(sender) \(bytes[0])" } else { nil }
    }
    // Pairing Request to Pairing Random, and then both ends' keys
    let keys = [6, 7, 8, 9, 10]
    #expect(
      security == [
        "central 1", "peripheral 2", "central 3", "peripheral 3", "central 4", "peripheral 4",
      ] + keys.map { "peripheral \($0)" } + keys.map { "central \($0)" })
    #expect(connection.parameters.map(\.interval) == [36, 6, 36, 6, 36])
    #expect(connection.events.contains { $0.kind == .encryption(true) })
    #expect(capture.notes.map(\.kind) == [.loss])
  }
}
