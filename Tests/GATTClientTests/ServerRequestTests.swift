import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import GATTClient

/// What bluetoothd, as a client of every central, is answered.
@Suite(.timeLimit(.minutes(10))) struct ServerRequestTests {
  @EventLoop
  @Test(arguments: [
    ("02 05 02", "03 B9 00"),
    // request, handle, error
    ("04 01 00 FF FF", "01 04 01 00 0A"),
    ("06 01 00 FF FF 00 28 01 18", "01 06 01 00 0A"),
    ("08 01 00 FF FF 03 28", "01 08 01 00 0A"),
    ("10 01 00 FF FF 00 28", "01 10 01 00 0A"),
    ("10 02 00 01 00 00 28", "01 10 02 00 01"),
    ("08 00 00 01 00 00 28", "01 08 00 00 01"),
    ("0A 03 00", "01 0A 03 00 01"),
    ("0C 03 00 01 00", "01 0C 03 00 01"),
    ("0E 03 00 04 00", "01 0E 03 00 01"),
    ("12 03 00 01", "01 12 03 00 01"),
    ("16 03 00 00 00 01", "01 16 03 00 01"),
    ("18 01", "19"),
    ("20 03 00 04 00", "01 20 00 00 06"),
    ("30", "01 30 00 00 06"),
    ("0A 03", "01 0A 00 00 04"),
    ("02", "01 02 00 00 04"),
  ])
  func `a device without attributes answers`(request: String, answer: String) async {
    let (client, peer) = client(mtu: 185, "< \(request)\n> \(answer)")
    await peer.finish()
    #expect(client.isConnected)
  }

  @EventLoop @Test func `is not held up by our own request`() async throws {
    let (client, peer) = client("> 0A 21 00\n< 10 01 00 FF FF 00 28\n> 01 10 01 00 0A\n< 0B 34")
    #expect(try await client.read(0x21) == [0x34])
    await peer.finish()
  }

  /// A command, a confirmation of nothing, a response to nothing, a notification without handle.
  @EventLoop @Test func `is nothing where nothing is asked`() async throws {
    let (client, peer) = client(
      """
      < 52 21 00 01
      < 1E
      < 0B 01
      < 1B 21
      < 1D
      < 0A 03 00
      > 01 0A 03 00 01
      """)
    let nonsense = Arrivals<String>()
    client.onNonsense = { nonsense.add(hexadecimal($0)) }
    await peer.finish()
    #expect(try await nonsense.wait(for: 5) == ["52 21 00 01", "1E", "0B 01", "1B 21", "1D"])
  }
}
