import Bluetooth
import EventLoop
import TestSupport
import Testing

@testable import GATTClient

@Suite(.timeLimit(.minutes(10))) struct SubscriptionTests {
  static let serial = DiscoveredCharacteristic(
    uuid: 0xFFE1, properties: [.notify, .indicate], declarationHandle: 0x20, handle: 0x21,
    descriptors: [.init(0x22, 0x2901), .init(0x23, 0x2902)])

  @EventLoop @Test func `subscribing writes the configuration`() async throws {
    let (client, peer) = client(
      """
      > 12 23 00 01 00    # notifications
      < 13
      > 12 23 00 02 00    # indications
      < 13
      > 12 23 00 00 00    # neither
      < 13
      """)
    try await client.subscribe(to: Self.serial, by: .notification)
    try await client.subscribe(to: Self.serial, by: .indication)
    try await client.unsubscribe(from: Self.serial)
    await peer.finish()
  }

  @EventLoop @Test func `a characteristic without configuration cannot be subscribed to`() async {
    var characteristic = Self.serial
    characteristic.descriptors.removeLast()
    let (client, _) = client("")
    let error = await error { () throws(GATTClientError) in
      try await client.subscribe(to: characteristic, by: .notification)
    }
    #expect(error == .cannotSubscribe(0xFFE1))
    #expect(
      error?.message
        == "the characteristic FFE1 has no Client Characteristic Configuration, so a central cannot subscribe to it"
    )
  }

  @EventLoop @Test func `values come in order, and indications are confirmed`() async throws {
    let (client, peer) = client(
      """
      < 1B 21 00 01
      < 1D 24 00 02 03
      < 1B 21 00
      < 23 21 00 01 00 04 24 00 00 00    # two in one: 04, and an empty one
      > 1E
      < 1D 24 00 05
      > 1E
      """)
    let values = Arrivals<String>()
    client.onValue = { values.add("\($0) \($2): \(hexadecimal($1))") }
    #expect(
      try await values.wait(for: 6) == [
        "33 notification: 01", "36 indication: 02 03", "33 notification: ", "33 notification: 04",
        "36 notification: ", "36 indication: 05",
      ])
    await peer.finish()
  }

  @EventLoop @Test func `a value that comes before a response is there before it`() async throws {
    let (client, peer) = client("> 12 21 00 A5\n< 1B 21 00 01\n< 13")
    let values = Arrivals<String>()
    client.onValue = { _, value, _ in values.add(hexadecimal(value)) }
    try await client.write([0xA5], to: 0x21)
    #expect(values.values == ["01"])
    await peer.finish()
  }

  @EventLoop @Test func `an indication is confirmed even without a handler`() async {
    let (client, peer) = client("< 1D 24 00 02 03\n> 1E")
    await peer.finish()
    #expect(client.isConnected)
  }
}
