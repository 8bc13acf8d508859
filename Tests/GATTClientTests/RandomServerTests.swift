import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import GATTClient

/// A server that answers with whatever comes to its mind.
@Suite(.timeLimit(.minutes(10))) struct RandomServerTests {
  @EventLoop @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `no server brings the client down`(seed: UInt64) async {
    var random = SplitMix64(seed: seed)
    let (ours, theirs) = pairOfChannels()
    let client = GATTClient(over: ours, mtu: 64, timeLimit: .seconds(10))
    theirs.onReceive = { request in
      // What the client answers is not answered.
      guard AttributeOpcode(rawValue: request[0]).kind == .request else { return }
      for _ in 0..<Int.random(in: 0...3, using: &random) { theirs.send(random.packet()) }
      // Something that the client can take for the response, so that it goes on.
      theirs.send([request[0] &+ 1] + random.packet())
    }
    for _ in 0..<200 {
      _ = try? await client.exchangeMTU()
      _ = try? await client.discover()
      _ = try? await client.read(0x21)
      try? await client.writeLong([UInt8](repeating: 1, count: 100), to: 0x21)
    }
    #expect(client.isConnected)
    #expect((23...64).contains(client.mtu))
    await client.disconnect()
  }
}

extension SplitMix64 {
  fileprivate mutating func packet() -> [UInt8] {
    (0..<Int.random(in: 1...24, using: &self)).map { _ in
      UInt8.random(in: 0...(Bool.random(using: &self) ? 255 : 40), using: &self)
    }
  }
}
