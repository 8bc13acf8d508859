import CCapabilities
import Glibc

/// The capabilities with which a program manages Bluetooth adapters: those of its file (tools/install --exact), or root's. They
/// are in effect only during the kernel calls that need them, and only if a device needs them.
///
/// Each belongs to a thread. A new thread has those of the thread that starts it.
package enum Privileges {
  /// `CAP_NET_ADMIN` (12) and `CAP_NET_RAW` (13).
  private static let mask: UInt32 = 1 << 12 | 1 << 13

  /// Keeps the capabilities out of effect until ``raised(_:)``.
  package static func lower() { blemu_change_capabilities(mask, 1, 0) }

  /// Gives up the capabilities permanently.
  package static func drop() { blemu_change_capabilities(mask, 0, 0) }

  /// Runs `body` with those capabilities that the program has. `errno` remains as `body` leaves it.
  package static func raised<Result>(_ body: () -> Result) -> Result {
    blemu_change_capabilities(mask, 1, 1)
    return thenLowered(body)
  }

  /// Runs `body`, which starts a process of this same program. That one has the capabilities, too, also those of a service.
  package static func lent<Result>(_ body: () -> Result) -> Result {
    blemu_lend_capabilities(mask)
    return thenLowered(body)
  }

  private static func thenLowered<Result>(_ body: () -> Result) -> Result {
    let result = body()
    let code = errno
    lower()
    errno = code
    return result
  }
}
