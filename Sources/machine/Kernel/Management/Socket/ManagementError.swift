import Bluetooth
import Glibc

/// Why a command of the management interface failed.
package enum ManagementError: Error, Hashable, Sendable {
  /// The kernel has no Bluetooth sockets.
  case noBluetooth
  /// The program may not open a management socket.
  case notPermitted
  case refused(ManagementOpcode, ManagementStatus)
  case noAnswer(ManagementOpcode)
  /// The command succeeded with return parameters that are not as documented.
  case unexpectedAnswer(ManagementOpcode, [UInt8])
  /// The socket is closed.
  case closed
  /// Any other error; the number is the kernel's `errno`.
  case failed(Int32)

  /// The error of socket(2) or bind(2).
  init(opening code: Int32) {
    self =
      switch code {
      case EAFNOSUPPORT, EPROTONOSUPPORT: .noBluetooth
      case EPERM, EACCES: .notPermitted
      default: .failed(code)
      }
  }

  /// Whether the program lacks the right to do this: `CAP_NET_ADMIN` for most commands.
  ///
  /// Without it the kernel opens the socket but refuses most commands (`hci_mgmt_cmd` of its
  /// net/bluetooth/hci_sock.c).
  package var isPermission: Bool {
    switch self {
    case .notPermitted, .refused(_, .permissionDenied): true
    default: false
    }
  }
}

extension ManagementError: CustomStringConvertible {
  /// What has happened, as a clause.
  package var message: String {
    switch self {
    case .noBluetooth: "this kernel has no Bluetooth sockets"
    case .notPermitted: "the kernel does not allow this program to manage Bluetooth adapters"
    case .refused(let opcode, let status): "the kernel refused \(opcode): \(status)"
    case .noAnswer(let opcode): "the kernel did not answer \(opcode)"
    case .unexpectedAnswer(let opcode, let bytes):
      "the kernel answered \(opcode) with unexpected data: '\(Self.text(bytes))'"
    case .closed: "the management socket is closed"
    case .failed(let code): "the management socket failed: \(String(cString: strerror(code)))"
    }
  }

  package var description: String { message }

  private static func text(_ bytes: [UInt8]) -> String {
    bytes.map { $0.hexadecimal(digits: 2) }.joined(separator: " ")
  }
}
