import EventLoop

/// How long bluetoothd waits for the answer to a read or write request.
///
/// Then it sends the central Unlikely Error (0x0E) and ignores a later answer (bluez 5.66 to 5.87:
/// src/shared/gatt-db.c, `ATTRIBUTE_TIMEOUT`). It does not report this on the bus, so only the elapsed time shows
/// it.
enum RequestPatience {
  static let limit = Duration.seconds(5)
  /// How often the loop looks for requests while a central is connected. This keeps the measured time accurate even
  /// after the process was stopped.
  static let precision = Duration.seconds(1)

  /// How long after the request an answer given now comes, microseconds; nil: it is in time.
  ///
  /// - Parameter cameAfter: an instant before the request arrived, on the clock of ``EventLoop/now``.
  @EventLoop
  static func delay(since cameAfter: Int64) -> Int64? {
    let delay = EventLoop.now - cameAfter
    return delay > limit.microseconds ? delay : nil
  }

  /// The warning for an answer that came so late.
  static func problem(with attribute: String, after delay: Int64) -> String {
    let (seconds, tenths) = (delay / 1_000_000, delay / 100_000 % 10)
    return
      "BlueZ gave up waiting: blemu answered a request for '\(attribute)' after \(seconds).\(tenths) s. BlueZ waits "
      + "5 s, then sends the central Unlikely Error (0x0E). Check what delayed blemu or this machine"
  }
}
