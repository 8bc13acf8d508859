import EventLoop

/// How long bluetoothd waits for the answer to a read or write request.
///
/// Then it tells the central Unlikely Error (0x0E) by itself, and ignores the answer that still comes (bluez 5.66 to
/// 5.87: src/shared/gatt-db.c, `ATTRIBUTE_TIMEOUT`). It tells nobody on the bus, so only the time shows it.
enum RequestPatience {
  static let limit = Duration.seconds(5)
  /// How often the loop looks for requests while centrals are there, so that the time is known well enough also
  /// after the process was stopped.
  static let precision = Duration.seconds(1)

  /// How late an answer comes that is given now, microseconds; nil: it is in time.
  ///
  /// - Parameter cameAfter: when the request had not come yet, on the clock of ``EventLoop/now``.
  @EventLoop
  static func delay(since cameAfter: Int64) -> Int64? {
    let delay = EventLoop.now - cameAfter
    return delay > limit.microseconds ? delay : nil
  }

  /// What to say of an answer that came so late.
  static func problem(with attribute: String, after delay: Int64) -> String {
    let (seconds, tenths) = (delay / 1_000_000, delay / 100_000 % 10)
    return
      "BlueZ gave up waiting: answered after \(seconds).\(tenths) s, a request for '\(attribute)'. BlueZ waits 5 s, "
      + "then tells the central Unlikely Error (0x0E); see what kept blemu, or this machine, from answering"
  }
}
