import EventLoop

/// Holds the values of all devices of this process back so that bluetoothd reads messages.
///
/// bluetoothd reads messages only when it is idle, and reads values as long as any socket has one, no matter whose (bluez
/// 5.66 to 5.87: gdbus/mainloop.c dispatches messages from an idle source). While a device streams as fast as the machine
/// can, bluetoothd would see no answer before the end of the stream, and it gives up on each after 5 s.
///
/// A message of this process holds values at once. The messages of other processes cannot be seen, so a stream also pauses
/// by itself, every 40 ms or 32 values, whichever is later, until bluetoothd has been idle. Where several processes stream,
/// each waits in its pause until all others are in theirs, so their pauses fall together.
@EventLoop
final class ValueGate {
  /// By the address of bluetoothd's bus.
  private static var gates: [String: ValueGate] = [:]

  private struct Entry {
    weak var side: Side?
  }

  /// Microseconds from one pause to the next.
  private static let pauseInterval: Int64 = 40_000

  private var state = ValueGateState()
  /// When values began to flow, on the clock of ``EventLoop/now``.
  private var opened = EventLoop.now
  private var entries: [Int: Entry] = [:]
  private var lastNumber = 0
  private lazy var end = EventLoop.Timer { [weak self] in self?.handle(.caughtUp) }

  /// The gate of the bluetoothd on a bus.
  static func shared(on bus: String) -> ValueGate {
    if let gate = gates[bus] { return gate }
    let gate = ValueGate()
    gates[bus] = gate
    return gate
  }

  private var sides: [Side] { entries.values.compactMap(\.side) }

  private func handle(_ event: ValueGateState.Event) {
    for effect in state.handle(event) {
      switch effect {
      case .hold: updateSockets()
      case .release:
        opened = EventLoop.now
        updateSockets()
      case .catchUp(let numbers): catchUp(numbers.sorted().compactMap { entries[$0]?.side }[...])
      }
    }
  }

  /// A socket that is released may send at once so many values that all are held again.
  private func updateSockets() {
    for side in sides { for socket in side.sockets() { socket.isHeld = state.isHeld } }
  }

  /// One connection after the other. The end comes with another turn of the loop, even if there is no connection.
  private func catchUp(_ sides: ArraySlice<Side>) {
    guard let side = sides.first else { return end.fire(after: .zero) }
    side.catchUp { [self] in catchUp(sides.dropFirst()) }
  }
}

// MARK: Connections

extension ValueGate {
  /// The side of one connection to bluetoothd: each has its own, because bluetoothd reads only the messages of one in order.
  @EventLoop
  final class Side {
    private let gate: ValueGate
    private let number: Int
    /// The sockets of the connection's notifications.
    var sockets: () -> [NotifySocket] = { [] }
    /// Calls its argument when bluetoothd has read the messages of the connection, or after a time limit.
    fileprivate let catchUp: CatchUp

    fileprivate init(_ gate: ValueGate, _ number: Int, catchUp: @escaping CatchUp) {
      (self.gate, self.number, self.catchUp) = (gate, number, catchUp)
    }

    /// Whether values wait; a new socket begins like this.
    var isHolding: Bool { gate.state.isHeld }

    /// Makes bluetoothd read the messages that the connection has sent so far before it reads many more values.
    func letMessagesPass() {
      let hasUnread = gate.sides.contains { $0.sockets().contains(where: \.hasUnread) }
      gate.handle(.message(by: number, hasUnread: hasUnread))
    }

    /// To be called before each value.
    func countValue() {
      if gate.state.passValue() { return }
      let isEarly = EventLoop.now - gate.opened < ValueGate.pauseInterval
      gate.handle(.value(by: number, isEarly: isEarly))
    }
  }

  typealias CatchUp = @EventLoop (_ done: @escaping @EventLoop () -> Void) -> Void

  /// Adds a connection, for as long as its side lives.
  func side(catchUp: @escaping CatchUp) -> Side {
    entries = entries.filter { $0.value.side != nil }
    lastNumber += 1
    let side = Side(self, lastNumber, catchUp: catchUp)
    entries[lastNumber] = Entry(side: side)
    return side
  }
}
