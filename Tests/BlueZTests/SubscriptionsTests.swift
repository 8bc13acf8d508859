import Behavior
import Bluetooth
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import BlueZ

@EventLoop
@Suite(.timeLimit(.minutes(5)))
struct SubscriptionsTests {
  private static let definition = try! define(
    """
    blemu: 1
    name: Device
    services:
      - uuid: FFE0
        characteristics:
          - { uuid: FFE1, properties: [notify] }
          - { uuid: FFE2, properties: [indicate] }
    """)

  private let first = DeviceAddress("02:00:00:00:00:02")!
  private let second = DeviceAddress("02:00:00:00:00:03")!
  private let story = Story()
  private let centrals = KnownCentrals()
  private let subscriptions: Subscriptions

  init() {
    subscriptions = Subscriptions(
      of: Self.definition, by: centrals,
      receive: { [story] in story.add(Self.text($0)) },
      congestionChanged: { [story] in story.add($0 ? "congestion of \($1)" : "no congestion of \($1)") },
      signal: { [story] in story.add("signal \($0) of \($1)") },
      gate: ValueGate().side { [story] done in
        story.add("read")
        done()
      })
    subscriptions.onLastEnd = { [story] in story.add("last") }
  }

  private static func text(_ event: Event) -> String {
    switch event {
    case .subscribed(_, let characteristic, let delivery): "subscribed to \(characteristic): \(delivery)"
    case .unsubscribed(_, let characteristic): "unsubscribed from \(characteristic)"
    default: "\(event)"
    }
  }

  @Test func `the socket carries each notification as one message`() throws {
    let socket = try #require(subscriptions.makeSocket(for: nil, 0, mtu: 23))
    #expect(subscriptions.send([1, 2], from: 0, to: .subscribers) == .notified)
    #expect(subscriptions.send([3], from: 0, to: .subscribers) == .notified)
    #expect([receive(socket), receive(socket), receive(socket)] == [[1, 2], [3], nil])
    #expect(subscriptions.send([4], from: 1, to: .subscribers) == .nobodySubscribed)
  }

  @Test func `a subscription has ended before its congestion, and the last one after all`() async throws {
    var socket = subscriptions.makeSocket(for: nil, 0, mtu: 23)
    #expect(socket != nil)
    subscriptions.begin(nil, 0)
    subscriptions.start(1)
    await story.expect("subscribed to 0: notification", "subscribed to 1: indication")
    socket = nil  // bluetoothd closes its end
    await story.expect("unsubscribed from 0", "no congestion of 0")
    #expect(!subscriptions.isEmpty)
    subscriptions.stop(1)
    await story.expect("unsubscribed from 1", "last")
    #expect(subscriptions.isEmpty)
  }

  @Test func `indications are changes of the property`() async {
    subscriptions.start(1)
    subscriptions.start(1)
    #expect(subscriptions.send([7], from: 1, to: .subscribers) == .indicated)
    await story.expect("subscribed to 1: indication", "signal [7] of 1")
  }

  @Test func `only a central with a socket of its own, or the only central, is addressed`() throws {
    know(first, mtu: 100)
    let shared = try #require(subscriptions.makeSocket(for: nil, 0, mtu: 100))
    #expect(subscriptions.send([1], from: 0, to: .subscriber(first)) == .notified)
    know(second, mtu: 50)
    #expect(subscriptions.send([2], from: 0, to: .subscriber(first)) == .notAddressable)
    let own = try #require(subscriptions.makeSocket(for: second, 0, mtu: 50))
    #expect(subscriptions.send([3], from: 0, to: .subscriber(second)) == .notified)
    #expect([receive(shared), receive(shared)] == [[1], nil])
    #expect([receive(own), receive(own)] == [[3], nil])
  }

  @Test func `a central that has not subscribed gets nothing`() {
    know(first, mtu: 100)
    #expect(subscriptions.send([1], from: 0, to: .central(first)) == .notAddressable)
  }

  @Test func `a value is at most as long as the shortest link carries`() throws {
    #expect(subscriptions.maximumValue(of: 0, to: .subscribers) == nil)
    let socket = try #require(subscriptions.makeSocket(for: nil, 0, mtu: 60))
    #expect(subscriptions.maximumValue(of: 0, to: .subscribers) == 57)
    know(first, mtu: 100)
    know(second, mtu: 50)
    #expect(subscriptions.maximumValue(of: 0, to: .subscribers) == 47)
    #expect(subscriptions.maximumValue(of: 0, to: .subscriber(first)) == 97)
    _ = socket
  }

  @Test func `values wait in the order of sending while bluetoothd reads a message`() async throws {
    let socket = try #require(subscriptions.makeSocket(for: nil, 0, mtu: 23))
    _ = subscriptions.send([1], from: 0, to: .subscribers)
    subscriptions.gate.letMessagesPass()
    _ = subscriptions.send([2], from: 0, to: .subscribers)
    let new = try #require(subscriptions.makeSocket(for: nil, 1, mtu: 23))
    _ = subscriptions.send([3], from: 1, to: .subscribers)
    #expect([receive(socket), receive(socket), receive(new)] == [[1], nil, nil])
    await story.expect("read")
    while subscriptions.gate.isHolding { await Task.yield() }
    #expect([receive(socket), receive(socket), receive(new)] == [[2], nil, [3]])
  }

  private func know(_ central: DeviceAddress, mtu: Int) {
    _ = centrals.central(RequestOptions(from: central, mtu: mtu))
  }

  /// The next message of the socket; nil: none has come.
  private func receive(_ socket: FileDescriptor) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = recv(socket.rawValue, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : Array(bytes.prefix(count))
  }
}
