import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import GATTClient

@Suite(.timeLimit(.minutes(10))) struct ValueTests {
  static let part = (1...22).map { UInt8($0) }

  @EventLoop
  @Test(
    arguments: [
      // 22 bytes fill a Read Response at an MTU of 23, so there may be more
      ("> 0C 21 00 16 00\n< 0D AA BB", [0xAA, 0xBB]),
      ("> 0C 21 00 16 00\n< 0D", []),
      ("> 0C 21 00 16 00\n< 01 0C 21 00 07", []),  // Invalid Offset
      ("> 0C 21 00 16 00\n< 01 0C 21 00 0B", []),  // Attribute Not Long
      (
        "> 0C 21 00 16 00\n< 0D \(hexadecimal(part))\n> 0C 21 00 2C 00\n< 0D CC",
        part + [0xCC]
      ),
    ] as [(String, [UInt8])])
  func `a long value is read to its end`(script: String, rest: [UInt8]) async throws {
    let (client, peer) = client("> 0A 21 00\n< 0B \(hexadecimal(Self.part))\n" + script)
    #expect(try await client.read(0x21) == Self.part + rest)
    await peer.finish()
  }

  @EventLoop @Test func `another refusal in the middle of a value is thrown`() async {
    let (client, peer) = client(
      "> 0A 21 00\n< 0B \(hexadecimal(Self.part))\n> 0C 21 00 16 00\n< 01 0C 21 00 02")
    let error = await error { () throws(GATTClientError) in _ = try await client.read(0x21) }
    #expect(error == .refused(.readNotPermitted, .readBlobRequest, 0x21))
    await peer.finish()
  }

  /// The part that came at the larger MTU must not be taken for the last.
  @EventLoop @Test func `an MTU that grows while a value is read loses nothing`() async throws {
    let (client, peer) = client(
      mtu: 100,
      """
      > 0A 21 00
      < 02 40 00    # the server asks for an MTU of 64 first
      > 03 64 00
      < 0B \(hexadecimal(Self.part))
      > 0C 21 00 16 00
      < 0D AA
      """)
    #expect(try await client.read(0x21) == Self.part + [0xAA])
    await peer.finish()
  }

  @EventLoop @Test func `a server whose value never ends is not read for ever`() async throws {
    let (ours, theirs) = pairOfChannels()
    let client = GATTClient(over: ours, mtu: 23)
    theirs.onReceive = { theirs.send([$0[0] + 1] + Self.part) }
    #expect(try await client.read(0x21).count <= 65_536 + 22)
    theirs.close()
  }

  @EventLoop @Test func `values are written with response and without`() async throws {
    let (client, peer) = client(
      """
      > 12 21 00 A5 06
      < 13
      > 52 21 00 A5
      > 52 21 00
      """)
    try await client.write([0xA5, 0x06], to: 0x21)
    try await client.writeCommand([0xA5], to: 0x21)
    try await client.writeCommand([], to: 0x21)
    await peer.finish()
  }

  @EventLoop @Test func `a value that does not fit is not written`() async throws {
    let (client, peer) = client("> 12 21 00 \(hexadecimal(Self.part.prefix(20)))\n< 13")
    try await client.write(Array(Self.part.prefix(20)), to: 0x21)
    let value = Array(Self.part.prefix(21))
    let request = await error { () throws(GATTClientError) in try await client.write(value, to: 0x21) }
    #expect(request == .valueTooLong(21, maximum: 20, .writeRequest))
    #expect(
      request?.message == "21 bytes do not fit into a Write Request (0x12), which carries 20 on this link")
    let command = await error { () throws(GATTClientError) in
      try await client.writeCommand(value, to: 0x21)
    }
    #expect(command == .valueTooLong(21, maximum: 20, .writeCommand))
    await peer.finish()
  }

  @EventLoop @Test func `a long value is written in parts, then executed`() async throws {
    let value = Array(Self.part.prefix(20))
    let (client, peer) = client(
      """
      > 16 21 00 00 00 \(hexadecimal(value.prefix(18)))
      < 17 21 00 00 00 \(hexadecimal(value.prefix(18)))
      > 16 21 00 12 00 13 14
      < 17 21 00 12 00 13 14
      > 18 01
      < 19
      """)
    try await client.writeLong(value, to: 0x21)
    await peer.finish()
  }

  @EventLoop @Test func `an empty long value is one empty part`() async throws {
    let (client, peer) = client("> 16 21 00 00 00\n< 17 21 00 00 00\n> 18 01\n< 19")
    try await client.writeLong([], to: 0x21)
    await peer.finish()
  }

  @EventLoop
  @Test(
    arguments: [
      ("17 21 00 00 00 01 03", .partChanged(0x21, offset: 0)),  // other bytes
      ("17 21 00 00 00 01", .partChanged(0x21, offset: 0)),
      ("17 22 00 00 00 01 02", .partChanged(0x21, offset: 0)),
      ("01 16 21 00 09", .refused(.prepareQueueFull, .prepareWriteRequest, 0x21)),
    ] as [(String, GATTClientError)])
  func `a part that is refused or changed cancels all`(answer: String, expected: GATTClientError) async {
    let (client, peer) = client("> 16 21 00 00 00 01 02\n< \(answer)\n> 18 00\n< 19")
    let error = await error { () throws(GATTClientError) in try await client.writeLong([1, 2], to: 0x21)
    }
    #expect(error == expected)
    await peer.finish()
  }

  @EventLoop @Test func `a value longer than offsets reach is not written`() async throws {
    let (client, peer) = client("> 0A 21 00\n< 0B")
    let value = [UInt8](repeating: 0, count: 65_537)
    let error = await error { () throws(GATTClientError) in try await client.writeLong(value, to: 0x21) }
    #expect(error == .valueTooLong(65_537, maximum: 65_536, .prepareWriteRequest))
    _ = try await client.read(0x21)
    await peer.finish()
  }
}
