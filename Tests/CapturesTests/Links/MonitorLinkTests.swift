import TestSupport
import Testing

@testable import Captures

@Suite struct MonitorLinkTests {
  /// Length twice, adapter and opcode, no losses, time, bytes.
  private static func record(_ opcode: String, _ text: String) -> [UInt8] {
    let packet = bytes(text)
    let length = [0, 0, 0, UInt8(packet.count)]
    return length + length + bytes("00 01 \(opcode)  00 00 00 00  00 E2 F0 6D 54 89 00 00") + packet
  }

  @Test(
    arguments: [
      // New Index: type, bus, address, name; Index Information: address, manufacturer
      ("00 00", "00 01 01 00 00 DC 1A 00 68 63 69 31 00 00 00 00", "00:1A:DC:00:00:01"),
      ("00 0A", "01 00 00 DC 1A 00 02 00", "00:1A:DC:00:00:01"),
      ("00 00", "00 01 00 00 00 00 00 00", "unknown"),
      ("00 00", "00 01 01", "unknown"),
    ])
  func `the monitor tells the address of an adapter`(opcode: String, adapter: String, address: String) throws
  {
    let file = try CaptureFile(
      bytes("62 74 73 6E 6F 6F 70 00  00 00 00 01  00 00 07 D1") + Self.record(opcode, adapter)
        // LE Set Advertising Enable
        + Self.record("00 02", "0A 20 01 01"))
    #expect(Capture(file).lines.prefix(1) == [address])
  }
}
