import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import GATTClient

@Suite(.timeLimit(.minutes(10))) struct RequestTests {
  @EventLoop @Test func `one request at a time is with the server`() async throws {
    let (client, peer) = client(
      """
      > 0A 21 00
      < 0B 01
      > 0A 22 00
      < 0B 02
      > 0A 23 00
      < 0B 03
      """)
    // Tasks of the event loop begin in the order in which they are made; 'async let' promises none.
    let requests = [0x21, 0x22, 0x23].map { handle in
      Task { @EventLoop in try await client.read(handle) }
    }
    for (number, request) in requests.enumerated() { #expect(try await request.value == [UInt8(number + 1)]) }
    await peer.finish()
  }

  @EventLoop @Test func `an Error Response is thrown, and the next request is made`() async throws {
    let (client, peer) = client(
      """
      > 12 21 00 05       # write 05 to handle 0x0021
      < 01 12 21 00 03    # the request, the handle, Write Not Permitted
      > 0A 21 00
      < 0B 34
      """)
    let error = await error { () throws(GATTClientError) in try await client.write([5], to: 0x21) }
    #expect(error == .refused(.writeNotPermitted, .writeRequest, 0x21))
    #expect(
      error?.message == "Write Request (0x12) for handle 0x0021 was refused: Write Not Permitted (0x03)")
    #expect(try await client.read(0x21) == [0x34])
    await peer.finish()
  }

  @EventLoop
  @Test(arguments: [
    "0D 34",  // the response to another request
    "01 12 21 00 03",  // the refusal of another request
    "03 17",  // cut short
  ])
  func `a response to something else fails the request`(answer: String) async throws {
    let (client, peer) = client("> 0A 21 00\n< \(answer)\n> 0A 22 00\n< 0B 34")
    let error = await error { () throws(GATTClientError) in _ = try await client.read(0x21) }
    #expect(error == .unexpectedResponse(bytes(answer), .readRequest))
    #expect(error?.message == "'\(answer)' is not a response to Read Request (0x0A)")
    #expect(try await client.read(0x22) == [0x34])
    await peer.finish()
  }

  @EventLoop @Test(arguments: ["41", "1B 21", "52 21 00", "1E"])
  func `a packet that is not a response does not fail the request`(packet: String) async throws {
    let (client, peer) = client("> 0A 21 00\n< \(packet)\n< 0B 34")
    #expect(try await client.read(0x21) == [0x34])
    await peer.finish()
  }

  @EventLoop @Test func `without response in time the link is ended, and every request with it`() async {
    let (client, peer) = client(timeLimit: .milliseconds(1), "> 0A 21 00")
    let record = Arrivals<String>()
    client.onDisconnect = { record.add("\($0)") }
    async let waiting = error { () throws(GATTClientError) in _ = try await client.read(0x22) }
    let first = await error { () throws(GATTClientError) in _ = try await client.read(0x21) }
    let errors = [first, await waiting]
    #expect(errors.contains(.noResponse(.readRequest, within: .milliseconds(1))))
    #expect(record.values == ["the peripheral did not respond to a request"])
    #expect(!client.isConnected)
    let later = await error { () throws(GATTClientError) in _ = try await client.read(0x21) }
    #expect(later == .noResponse(.readRequest, within: .milliseconds(1)))
    _ = peer
  }

  @EventLoop @Test func `the end of the link fails waiting and later requests`() async {
    let (client, peer) = client("> 0A 21 00\nend")
    let record = Arrivals<String>()
    client.onDisconnect = { record.add("\($0)") }
    for _ in 1...2 {
      let error = await error { () throws(GATTClientError) in _ = try await client.read(0x21) }
      #expect(error == .disconnected(.endedByPeer))
    }
    let error = await error { () throws(GATTClientError) in try await client.writeCommand([1], to: 1) }
    #expect(error == .disconnected(.endedByPeer))
    #expect(record.values == ["the peripheral has ended the link"])
    await peer.finish()
  }

  @EventLoop @Test func `disconnecting is reported to the server, not to its own handler`() async throws {
    let (client, peer) = client("> 0A 21 00\n< 0B")
    let record = Arrivals<String>()
    client.onDisconnect = { record.add("client: \($0)") }
    peer.channel.onEnd = { record.add("server: \($0)") }
    _ = try await client.read(0x21)
    await client.disconnect()
    #expect(try await record.wait(for: 1) == ["server: the peripheral has ended the link"])
    let error = await error { () throws(GATTClientError) in _ = try await client.read(0x21) }
    #expect(error == .disconnected(.closed))
  }

  /// Handle 0 does not exist, so only the server itself sees the request.
  @EventLoop
  @Test(arguments: [
    "> 52 21 00 A5\n> 0A 00 00\n< 01 0A 00 00 01",
    "> 0A 21 00\n< 0B\n> 52 21 00 A5\n> 0A 00 00\n< 01 0A 00 00 01",
    "> 52 21 00 A5\n> 0A 00 00\nend",
  ])
  func `a write without response is handled before the link ends`(script: String) async throws {
    let (client, peer) = client(script)
    if script.contains("0B") { _ = try await client.read(0x21) }
    try await client.writeCommand([0xA5], to: 0x21)
    await client.disconnect()
    await peer.finish()
  }

  @EventLoop @Test func `a response to a request from before the write does not say that it is handled`()
    async throws
  {
    let (client, peer) = client(
      """
      > 0A 21 00
      > 52 21 00 A5
      < 0B 01
      > 0A 00 00
      < 01 0A 00 00 01
      """)
    let value = Task { @EventLoop in try await client.read(0x21) }
    await EventLoop.pause(.zero)
    try await client.writeCommand([0xA5], to: 0x21)
    #expect(try await value.value == [1])
    await client.disconnect()
    await peer.finish()
  }

  @EventLoop @Test func `a request that is cancelled gives up, and the next waits for its response`()
    async throws
  {
    let (client, peer) = client(
      """
      > 0A 21 00
      > 0A 23 00
      < 0B 03
      """)
    let first = Task { @EventLoop in
      await error { () throws(GATTClientError) in _ = try await client.read(0x21) }
    }
    await EventLoop.pause(.zero)
    let second = Task { @EventLoop in
      await error { () throws(GATTClientError) in _ = try await client.read(0x22) }
    }
    await EventLoop.pause(.zero)
    second.cancel()
    first.cancel()
    #expect(await second.value == .cancelled)
    #expect(await first.value == .cancelled)
    async let third = client.read(0x23)
    peer.channel.send([0x0B, 0x01])  // the response to the first
    #expect(try await third == [3])
    await peer.finish()
  }

  @EventLoop @Test func `a request of a cancelled task is not made`() async throws {
    let (client, peer) = client("> 0A 22 00\n< 0B")
    let task = Task { @EventLoop in
      while !Task.isCancelled { await Task.yield() }
      return await error { () throws(GATTClientError) in _ = try await client.read(0x21) }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(try await client.read(0x22) == [])
    await peer.finish()
  }
}
