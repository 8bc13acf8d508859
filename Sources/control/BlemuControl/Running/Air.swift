import Synchronization

/// The devices in memory that a client of this program can find.
package final class Air: Sendable {
  /// That of the body of ``withRunningDevice(_:on:settings:seed:state:faults:wire:log:arguments:program:isolation:_:)``.
  @TaskLocal package static var current: Air?

  private static let whole = Air()
  /// The sockets of its devices, in the order in which they got on the air.
  private let sockets = Mutex<[String]>([])

  /// The sockets of the devices of a body as long as there are any, or else of all that this program and this user run.
  package static func sockets(for air: Air?) -> [String] {
    if let own = air?.sockets.withLock(\.self), !own.isEmpty { return own }
    return whole.sockets.withLock(\.self) + DeviceSocket.running.map(ControlFolder.socket)
  }

  static func add(_ socket: String, to air: Air?) {
    for air in [whole, air] { air?.sockets.withLock { $0.append(socket) } }
  }

  static func remove(_ socket: String, from air: Air?) {
    for air in [whole, air] { air?.sockets.withLock { $0.removeAll { $0 == socket } } }
  }
}
