import EventLoop

/// Holds values back so that bluetoothd reads the messages that were sent before them.
///
/// bluetoothd reads messages only when it is idle, and reads values as long as there are any (bluez 5.66 to 5.87:
/// gdbus/mainloop.c dispatches messages from an idle source). While a device streams as fast as the machine can,
/// bluetoothd would see no answer before the end of the stream, and it gives up on each after 5 s.
@EventLoop
final class ValueGate {
  /// bluetoothd soon reads this many values; only a longer stream delays messages.
  private static let valuesAfterMessage = 8

  /// Whether bluetoothd has not read all values.
  private let hasUnread: @EventLoop () -> Bool
  private let hold: @EventLoop (Bool) -> Void
  /// Returns when bluetoothd has read the messages.
  private let catchUp: @EventLoop () async -> Void

  /// Waits until bluetoothd has read its messages; values are held until then.
  private var passing: Task<Void, Never>?
  private var hasSentMessage = false
  /// How many more values may follow a message before bluetoothd must have read it.
  private var valuesUntilPassing: Int?

  init(
    hasUnread: @escaping @EventLoop () -> Bool, hold: @escaping @EventLoop (Bool) -> Void,
    catchUp: @escaping @EventLoop () async -> Void
  ) {
    (self.hasUnread, self.hold, self.catchUp) = (hasUnread, hold, catchUp)
  }

  var isHolding: Bool { passing != nil }

  /// Makes bluetoothd read the messages sent so far before it reads many more values.
  ///
  /// If no value is unread now, bluetoothd may still be reading as fast as the device sends, so the next values
  /// count, too.
  func letMessagesPass() {
    if isHolding {
      hasSentMessage = true
    } else if hasUnread() {
      holdUntilMessagesHavePassed()
    } else {
      valuesUntilPassing = Self.valuesAfterMessage
    }
  }

  /// To be called before each value.
  func countValue() {
    guard let left = valuesUntilPassing else { return }
    valuesUntilPassing = left - 1
    if left == 1 { holdUntilMessagesHavePassed() }
  }

  private func holdUntilMessagesHavePassed() {
    valuesUntilPassing = nil
    hold(true)
    passing = EventLoop.start { [weak self, catchUp] in
      // Once more for messages sent in the meantime; then values go on even if more messages follow.
      for _ in 0..<2 {
        self?.hasSentMessage = false
        await catchUp()
        guard self?.hasSentMessage == true else { break }
      }
      self?.haveMessagesPassed()
    }
  }

  private func haveMessagesPassed() {
    passing = nil
    hold(false)
    guard hasSentMessage else { return }
    hasSentMessage = false
    letMessagesPass()
  }
}
