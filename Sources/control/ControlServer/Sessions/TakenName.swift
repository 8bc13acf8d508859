import BlemuControl
import Synchronization

/// A name of a device in the folder of sockets, taken before the device runs: it listens already, so that no other device takes
/// the name meanwhile. Programs that connect early wait for the device.
package final class TakenName: Sendable {
  package let name: String
  private let socket: Mutex<ControlSocket?>

  /// Takes the first of `NAME`, `NAME-2`, `NAME-3`, … that is free.
  package init(_ standard: String) throws(ControlSocketError) {
    var (name, number) = (standard, 1)
    while true {
      do throws(ControlSocketError) {
        socket = Mutex(try ControlSocket(at: ControlFolder.socket(of: name)))
        self.name = name
        return
      } catch .inUse {
        number += 1
        name = "\(standard)-\(number)"
      }
    }
  }

  /// The socket, which from now on belongs to the caller; a new one if the device runs for the second time.
  func takeSocket() throws(ControlSocketError) -> ControlSocket {
    if let socket = socket.withLock({ $0.take() }) { return socket }
    return try ControlSocket(at: ControlFolder.socket(of: name))
  }
}
