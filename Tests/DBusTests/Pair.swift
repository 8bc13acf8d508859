import BusSupport
import DBus
import EventLoop

/// Two connections to a private bus: `service` answers, `client` calls.
@EventLoop
struct Pair {
  let bus: PrivateBus
  let service: DBusConnection
  let client: DBusConnection

  init() async throws {
    bus = try PrivateBus()
    service = try await bus.connect()
    client = try await bus.connect()
  }

  /// Calls the service.
  func call(
    _ member: String, _ arguments: [DBusValue] = [], path: ObjectPath = "/test",
    interface: String = "test.Interface", timeout: Duration = .seconds(60)
  ) async throws(DBusError) -> [DBusValue] {
    try await client.call(
      destination: service.uniqueName, path: path, interface: interface, member: member, arguments,
      timeout: timeout)
  }

  func close() {
    service.close()
    client.close()
  }
}
