import EventLoop
import Glibc
import Testing

@testable import BlueZ

/// The transitions of the state machine: a state, an event, the state after it and the effects.
@Suite struct ValueGateStateTests {
  struct Row: CustomTestStringConvertible {
    var state: ValueGateState
    var event: ValueGateState.Event
    var next: ValueGateState
    var effects: [ValueGateState.Effect]

    init(
      _ state: ValueGateState, _ event: ValueGateState.Event, _ next: ValueGateState,
      _ effects: ValueGateState.Effect...
    ) {
      (self.state, self.event, self.next, self.effects) = (state, event, next, effects)
    }

    var testDescription: String { "\(state), \(event)" }
  }

  private static let fresh = ValueGateState.open(valuesLeft: 32, senders: [])

  @Test(arguments: [
    // A stream pauses by itself, for the messages of other processes.
    Row(fresh, .value(by: 1, isEarly: false), .open(valuesLeft: 31, senders: [])),
    Row(
      .open(valuesLeft: 1, senders: []), .value(by: 1, isEarly: false), .held(.first, late: []), .hold,
      .catchUp([1])),
    Row(.open(valuesLeft: 2, senders: []), .value(by: 1, isEarly: true), .open(valuesLeft: 1, senders: [])),
    Row(.open(valuesLeft: 1, senders: []), .value(by: 1, isEarly: true), fresh),
    Row(
      .open(valuesLeft: 1, senders: [2]), .value(by: 1, isEarly: true), .held(.first, late: []), .hold,
      .catchUp([2])),
    // A message holds the values of all connections, and bluetoothd must have read it.
    Row(fresh, .message(by: 2, hasUnread: true), .held(.first, late: []), .hold, .catchUp([2])),
    Row(fresh, .message(by: 2, hasUnread: false), .open(valuesLeft: 8, senders: [2])),
    Row(
      .open(valuesLeft: 3, senders: [2]), .message(by: 1, hasUnread: false),
      .open(valuesLeft: 3, senders: [1, 2])),
    Row(
      .open(valuesLeft: 3, senders: [2]), .message(by: 1, hasUnread: true), .held(.first, late: []), .hold,
      .catchUp([1, 2])),
    Row(
      .open(valuesLeft: 8, senders: [2]), .value(by: 1, isEarly: false), .open(valuesLeft: 7, senders: [2])),
    Row(
      .open(valuesLeft: 1, senders: [2]), .value(by: 1, isEarly: false), .held(.first, late: []), .hold,
      .catchUp([2])),
    // While values wait, they do not count.
    Row(.held(.first, late: []), .value(by: 1, isEarly: false), .held(.first, late: [])),
    Row(.held(.first, late: []), .caughtUp, fresh, .release),
    Row(.held(.second, late: []), .caughtUp, fresh, .release),
    // Messages sent meanwhile are read, too, but do not hold values forever.
    Row(.held(.first, late: []), .message(by: 2, hasUnread: true), .held(.first, late: [2])),
    Row(.held(.first, late: [2]), .message(by: 1, hasUnread: false), .held(.first, late: [1, 2])),
    Row(.held(.first, late: [1, 2]), .caughtUp, .held(.second, late: []), .catchUp([1, 2])),
    Row(.held(.second, late: []), .message(by: 2, hasUnread: true), .held(.second, late: [2])),
    Row(.held(.second, late: [2]), .caughtUp, .open(valuesLeft: 8, senders: [2]), .release),
  ])
  func `an event leads to a state and has effects`(row: Row) {
    var state = row.state
    let effects = state.handle(row.event)
    #expect(state == row.next)
    #expect(effects == row.effects)
  }

  @Test func `it begins open`() {
    #expect(ValueGateState() == Self.fresh)
  }
}

@EventLoop
@Suite(.timeLimit(.minutes(5)))
struct ValueGateTests {
  private let story = Story()
  private let gate = ValueGate()
  private let first: ValueGate.Side
  private let second: ValueGate.Side

  init() {
    first = gate.side { [story] done in
      story.add("first")
      done()
    }
    second = gate.side { [story] done in
      story.add("second")
      done()
    }
  }

  @Test func `a message of one connection holds the values of another until bluetoothd has read it`()
    async throws
  {
    let (socket, theirs) = try #require(NotifySocket.pair(mtu: 23))
    first.sockets = { [socket] }
    socket.send([1])
    second.letMessagesPass()
    #expect(socket.isHeld && first.isHolding)
    await story.expect("second")
    while first.isHolding { await Task.yield() }
    #expect(!socket.isHeld)
    _ = theirs
  }

  @Test func `a connection that has ended holds nothing`() async {
    var ended: ValueGate.Side? = gate.side { [story] done in
      story.add("ended")
      done()
    }
    ended?.letMessagesPass()
    ended = nil
    for _ in 0..<ValueGateState.valuesAfterMessage { first.countValue() }
    #expect(first.isHolding)
    while first.isHolding { await Task.yield() }
    await story.expect()
  }

  @Test func `all connections to one bluetoothd share a gate`() {
    let other = ValueGate.shared(on: "unix:path=/other")
    #expect(ValueGate.shared(on: "unix:path=/one") === ValueGate.shared(on: "unix:path=/one"))
    #expect(ValueGate.shared(on: "unix:path=/one") !== other)
  }

  @Test func `a release that causes a message holds all values again`()
    async throws
  {
    let (socket, theirs) = try #require(NotifySocket.pair(mtu: 23))
    let (other, otherTheirs) = try #require(NotifySocket.pair(mtu: 23))
    let side = gate.side { [story] done in
      story.add("\(socket.isHeld) \(other.isHeld)")
      done()
    }
    side.sockets = { [socket, other] }
    var isCongested = false
    socket.onCongestion = {
      isCongested = $0
      if !isCongested { side.letMessagesPass() }
    }
    while !isCongested { socket.send([1]) }
    side.letMessagesPass()
    readAll(theirs)
    await story.expect("true true", "true true")
    while side.isHolding { await Task.yield() }
    #expect(!socket.isHeld && !other.isHeld)
    withExtendedLifetime(otherTheirs) {}
  }

  private func readAll(_ socket: FileDescriptor) {
    var bytes = [UInt8](repeating: 0, count: 512)
    while recv(socket.rawValue, &bytes, bytes.count, Int32(MSG_DONTWAIT)) >= 0 {}
  }
}
