/// A fact about a controller that keeps the program from using it, or ends its use.
///
/// The cases carry facts; ``ControllerFinding/sentences`` has the words. A `reason` is the message of the kernel or the library.
package enum ControllerFinding: Error, Hashable, Sendable {
  // MARK: TCP

  case unknownHost(String, reason: String)
  /// Nothing listens at the port.
  case nothingListens(ControllerPlace)
  case unreachable(ControllerPlace, reason: String)
  /// The host has not accepted the connection in time.
  case doesNotAnswer(ControllerPlace, seconds: Int)

  // MARK: A serial port

  case noSerialPort(path: String)
  case notASerialPort(path: String)
  case mayNotOpen(path: String)
  /// Another program has the port for itself.
  case portInUse(path: String)
  case badSpeed(path: String, speed: Int)
  case cannotOpen(path: String, reason: String)

  // MARK: An adapter of the kernel

  case noAdapter(ControllerPlace)
  /// The adapter is on, because the kernel uses it, or another program has it for itself.
  case adapterIsOn(ControllerPlace)
  /// rfkill(8) has turned its radio off.
  case adapterIsBlocked(ControllerPlace)
  /// The program lacks `CAP_NET_ADMIN`.
  case mayNotTakeAdapter(ControllerPlace)
  case cannotTakeAdapter(ControllerPlace, reason: String)

  // MARK: While it is in use

  /// The other end has closed, or the board or the adapter has been removed.
  case gone(ControllerPlace)
  case failed(ControllerPlace, reason: String)
  /// A packet began with a byte that is no type of H4.
  case notHCI(ControllerPlace, firstWrongByte: UInt8)
  /// A packet had more bytes than that of any controller.
  case packetTooLong(ControllerPlace, length: Int)
}
