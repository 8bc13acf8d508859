import Glibc

/// Why an HCI socket cannot be opened.
package enum HCISocketError: Error, Hashable, Sendable {
  /// The program may not open this socket: it needs `CAP_NET_RAW`.
  case notPermitted
  /// The controller is off or was removed.
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

extension HCISocketError: CustomStringConvertible {
  /// The error as a clause.
  package var description: String {
    switch self {
    case .notPermitted: "the kernel does not allow this program to hear controllers"
    case .closed: "the controller is off"
    case .failed(let code): "the HCI socket failed: \(String(cString: strerror(code)))"
    }
  }
}
