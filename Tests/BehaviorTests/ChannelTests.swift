import Behavior
import Bluetooth
import DeviceModel
import TestSupport
import Testing

/// Channels that centrals open.
@Suite struct ChannelTests {
  private static let device = definition(
    """
    services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, id: control, properties: [write, notify] }] }]
    channels: { stream: { psm: 0x80 } }
    framing: { stream: { delimiter: "0A" } }
    rules:
      - { on: { open: stream }, do: { send: { text: hi } } }
      - { on: { receive: any, from: stream }, do: [{ send: { bytes: "{frame}" } }, { wait: 1s }, { close: stream }] }
      - { on: { write: control }, do: [{ send: { text: all }, to: stream }, { close: stream }] }
      - { on: { close: stream }, do: { log: closed } }
    """)
  private static let one = DeviceAddress("00:00:00:00:00:01")!
  private static let other = DeviceAddress("00:00:00:00:00:02")!

  private static func engine() throws -> Engine {
    try Engine(device, settings: [], address: DeviceAddress("00:00:00:00:00:09")!)
  }

  /// What goes out: the bytes with their central, and the centrals whose channel closes.
  private static func output(_ outcome: Outcome) -> [String] {
    outcome.actions.compactMap { action in
      switch action {
      case .transmit(0, let bytes, _, let central):
        "\(String(decoding: bytes, as: UTF8.self)) to \(central?.description ?? "all")"
      case .close(0, let central): "close \(central?.description ?? "all")"
      case .remark(.logged(let text)): text
      default: nil
      }
    }
  }

  @Test func `a rule answers the central that has caused it, and each has frames of its own`() throws {
    var engine = try Self.engine()
    for central in [Self.one, Self.other] {
      _ = engine.handle(.connected(central), at: .milliseconds(0))
      let opened = engine.handle(.channelOpened(central, channel: 0), at: .milliseconds(1))
      #expect(Self.output(opened) == ["hi to \(central)"])
    }
    let first = engine.handle(.channelReceived(Self.one, channel: 0, Array("ab".utf8)), at: .milliseconds(2))
    #expect(Self.output(first) == [])
    let second = engine.handle(
      .channelReceived(Self.other, channel: 0, Array("c\n".utf8)), at: .milliseconds(3))
    #expect(Self.output(second) == ["c to \(Self.other)"])
    let third = engine.handle(.channelReceived(Self.one, channel: 0, Array("\n".utf8)), at: .milliseconds(4))
    #expect(Self.output(third) == ["ab to \(Self.one)"])
  }

  @Test func `a rule that has nothing to do with the channel's centrals sends to all of them`() throws {
    var engine = try Self.engine()
    for central in [Self.one, Self.other] { _ = engine.handle(.connected(central), at: .milliseconds(0)) }
    _ = engine.handle(.channelOpened(Self.one, channel: 0), at: .milliseconds(1))
    let written = engine.handle(
      .writeRequested(Self.other, .characteristic(0), value: [1], offset: 0, .request), at: .milliseconds(2))
    #expect(Self.output(written) == ["all to all", "close all"])
  }

  @Test func `a channel closes, and what rules wait for goes on`() throws {
    var engine = try Self.engine()
    _ = engine.handle(.connected(Self.one), at: .milliseconds(0))
    _ = engine.handle(.channelOpened(Self.one, channel: 0), at: .milliseconds(1))
    _ = engine.handle(.channelReceived(Self.one, channel: 0, Array("ab".utf8)), at: .milliseconds(2))
    let closed = engine.handle(.channelClosed(Self.one, channel: 0), at: .milliseconds(3))
    #expect(Self.output(closed) == ["closed"])
    #expect(Self.output(engine.handle(.channelClosed(Self.one, channel: 0), at: .milliseconds(4))) == [])
  }
}
