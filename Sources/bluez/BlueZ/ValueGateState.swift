/// When values of notifications may pass to bluetoothd, and when they wait for messages:
///
///     open → held   as many values have passed as may, or a connection has sent a message while values are unread
///     held → held   bluetoothd has read the messages, and others came after them
///     held → open   bluetoothd has read the messages, or has had two turns
enum ValueGateState: Hashable {
  /// Values pass: so many, then they wait until bluetoothd has read the messages of these connections.
  case open(valuesLeft: Int, senders: Set<Int>)
  /// Values wait until bluetoothd has read the messages that were sent before. Those connections have sent one since.
  case held(Turn, late: Set<Int>)

  /// A second turn is for messages that were sent during the first. Then values go on, even if more messages follow.
  enum Turn { case first, second }

  /// Connections are numbered.
  enum Event {
    /// A connection is about to send a value; early: a pause would come too soon after the last one.
    case value(by: Int, isEarly: Bool)
    /// A connection has sent a message.
    case message(by: Int, hasUnread: Bool)
    /// bluetoothd has read the messages of ``Effect/catchUp(_:)``.
    case caughtUp
  }

  enum Effect: Hashable {
    /// Hold the values of all connections back.
    case hold
    /// Report when bluetoothd has read the messages of these connections.
    case catchUp(Set<Int>)
    /// Let values pass.
    case release
  }

  /// How many values pass at least before bluetoothd must have been idle, also without a message of this process.
  static let valuesInARow = 32
  /// How many may follow a message. bluetoothd soon reads these; only a longer stream delays the message.
  static let valuesAfterMessage = 8

  init() { self = .open(valuesLeft: Self.valuesInARow, senders: []) }

  var isHeld: Bool { if case .held = self { true } else { false } }
}

extension ValueGateState {
  /// Counts a value, if it passes without any effect.
  mutating func passValue() -> Bool {
    guard case .open(let left, let senders) = self, left > 1 else { return false }
    self = .open(valuesLeft: left - 1, senders: senders)
    return true
  }

  mutating func handle(_ event: Event) -> [Effect] {
    switch (self, event) {
    case (.open(valuesLeft: 2..., _), .value):
      _ = passValue()
      return []
    case (.open(_, senders: []), .value(by: _, isEarly: true)):
      self = .init()
      return []
    case (.open(_, let senders), .value(let connection, isEarly: _)):
      return hold(until: senders.isEmpty ? [connection] : senders)
    case (.open(let left, let senders), .message(let connection, let hasUnread)):
      let senders = senders.union([connection])
      if hasUnread { return hold(until: senders) }
      // bluetoothd may still be reading as fast as the device sends, so the next values count.
      self = .open(valuesLeft: min(left, Self.valuesAfterMessage), senders: senders)
      return []
    case (.open, .caughtUp), (.held, .value):
      return []
    case (.held(let turn, let late), .message(let connection, hasUnread: _)):
      self = .held(turn, late: late.union([connection]))
      return []
    case (.held(_, late: []), .caughtUp):
      self = .init()
      return [.release]
    case (.held(.first, let late), .caughtUp):
      self = .held(.second, late: [])
      return [.catchUp(late)]
    case (.held(.second, let late), .caughtUp):
      self = .open(valuesLeft: Self.valuesAfterMessage, senders: late)
      return [.release]
    }
  }

  private mutating func hold(until senders: Set<Int>) -> [Effect] {
    self = .held(.first, late: [])
    return [.hold, .catchUp(senders)]
  }
}
