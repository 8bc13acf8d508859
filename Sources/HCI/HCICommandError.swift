import Bluetooth
import Glibc
import HCIPackets

/// Why an HCI command failed.
package enum HCICommandError: Error, Hashable, Sendable {
  /// The program may not open a raw HCI socket: it needs `CAP_NET_RAW`.
  case notPermitted
  case refused(HCIOpcode, HCIError)
  case noAnswer(HCIOpcode)
  /// The socket is closed, or the controller is off or was removed.
  case closed
  /// Any other error; the number is the kernel's `errno`.
  case failed(Int32)

  /// The error of a call to the kernel.
  init(code: Int32) {
    self =
      switch code {
      case EPERM, EACCES: .notPermitted
      case ENETDOWN, ENODEV, EPIPE, EBADFD: .closed
      default: .failed(code)
      }
  }
}

extension HCICommandError: CustomStringConvertible {
  /// The error as a clause.
  package var description: String {
    switch self {
    case .notPermitted: "the kernel does not allow this program to send HCI commands"
    case .refused(let opcode, let status): "the controller refused \(opcode): \(status)"
    case .noAnswer(let opcode): "the controller did not answer \(opcode)"
    case .closed: "the controller is off"
    case .failed(let code): "the HCI socket failed: \(String(cString: strerror(code)))"
    }
  }
}
