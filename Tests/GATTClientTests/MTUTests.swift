import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import GATTClient

@Suite(.timeLimit(.minutes(10))) struct MTUTests {
  /// Ours, the server's, and what both can do.
  @EventLoop @Test(arguments: [(517, 185, 185), (185, 517, 185), (48, 48, 48), (517, 22, 23), (517, 0, 23)])
  func `the smaller of both is agreed on, whichever side asks`(ours: Int, theirs: Int, agreed: Int)
    async throws
  {
    func hex(_ mtu: Int) -> String { hexadecimal([UInt8(mtu & 0xFF), UInt8(mtu >> 8)]) }
    let (asking, first) = client(mtu: ours, "> 02 \(hex(ours))\n< 03 \(hex(theirs))")
    #expect(try await asking.exchangeMTU() == agreed)
    #expect(asking.mtu == agreed)
    #expect(asking.longestWrite == agreed - 3)
    await first.finish()
    let (asked, second) = client(mtu: ours, "< 02 \(hex(theirs))\n> 03 \(hex(ours))")
    await second.finish()
    #expect(asked.mtu == agreed)
  }

  @EventLoop @Test func `with 23 the client does not ask, and refuses the server's request`() async throws {
    let (client, peer) = client(
      mtu: 23,
      """
      < 02 05 02          # Exchange MTU Request, 517
      > 01 02 00 00 06    # Request Not Supported
      """)
    #expect(try await client.exchangeMTU() == 23)
    await peer.finish()
    #expect(client.mtu == 23)
  }

  @EventLoop @Test func `a client asks once`() async throws {
    let (client, peer) = client(mtu: 100, "> 02 64 00\n< 03 40 00\n> 0A 01 00\n< 0B")
    #expect(try await client.exchangeMTU() == 64)
    #expect(try await client.exchangeMTU() == 64)
    #expect(try await client.read(1) == [])
    await peer.finish()
  }

  @EventLoop @Test func `a server that knows no exchange leaves 23`() async throws {
    let (client, peer) = client(mtu: 100, "> 02 64 00\n< 01 02 00 00 06")
    #expect(try await client.exchangeMTU() == 23)
    await peer.finish()
  }

  @EventLoop @Test func `another refusal is thrown`() async throws {
    let (client, peer) = client(mtu: 100, "> 02 64 00\n< 01 02 00 00 0E")
    let error = await error { () throws(GATTClientError) in try await client.exchangeMTU() }
    #expect(error == .refused(.unlikelyError, .exchangeMTURequest, 0))
    #expect(error?.message == "Exchange MTU Request (0x02) was refused: Unlikely Error (0x0E)")
    await peer.finish()
  }

  @EventLoop @Test func `both may ask at once, and the last agreement counts`() async throws {
    let (client, peer) = client(
      mtu: 200,
      """
      > 02 C8 00
      < 02 40 00    # the server's own
      > 03 C8 00
      < 03 50 00    # its answer
      """)
    #expect(try await client.exchangeMTU() == 80)
    await peer.finish()
  }
}
