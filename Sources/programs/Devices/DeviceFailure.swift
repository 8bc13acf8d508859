import ControlServer
import EventLoop
import Peripheral
import System
import Wire

/// Why a device cannot start, or has ended.
package enum DeviceFailure: Error, Hashable, Sendable {
  case transport(TransportError)
  case wire(WireError)
  /// The file of kept settings.
  case state(StateFileError)
  case control(ControlSocketError)
  case capture(CaptureFailure)
  /// A failure of the program itself.
  case other(String)
}

/// Why the file of kept settings cannot be used.
package enum StateFileError: Error, Hashable, Sendable {
  case notAFile(path: String)
  case unreadable(path: String, reason: String)
  /// - Parameters:
  ///   - device: the name of the definition.
  ///   - report: every mistake, with its place.
  case mistakes(path: String, device: String, report: String)
  case inUse(path: String)
  case unwritable(UnwritableFile)

  /// The message, and a hint at what to do next.
  package var sentences: (message: String, hint: String?) {
    switch self {
    case .notAFile(let path): ("'\(path)' is not a file", Self.hint(for: path))
    case .unreadable(let path, let reason): (reason, Self.hint(for: path))
    case .mistakes(let path, let device, _):
      ("'\(path)' does not hold the settings of \(device)", Self.hint(for: path))
    case .inUse(let path):
      ("'\(path)' is in use by another blemu", "stop the other one, or choose another file with --state")
    case .unwritable(let file):
      ("cannot write '\(file.path)': \(file.reason)", "choose a file in a folder that you can write to")
    }
  }

  private static func hint(for path: String) -> String {
    "'\(path)' is unchanged; correct it, remove it, or choose another file with --state"
  }
}

/// Why a device cannot be recorded.
package enum CaptureFailure: Error, Hashable, Sendable {
  case exists(path: String)
  case unwritable(UnwritableFile)
  /// Linux does not let this program hear what an adapter hears and says.
  case notPermitted(adapter: String, path: String)
  case failed(adapter: String, reason: String)

  /// The message, and a hint at what to do next.
  package var sentences: (message: String, hint: String?) {
    switch self {
    case .exists(let path): ("'\(path)' exists", "choose another file, or remove it")
    case .unwritable(let file):
      ("cannot write '\(file.path)': \(file.reason)", "choose a file in a folder that you can write to")
    case .notPermitted(let adapter, let path):
      (
        "--capture needs the capability CAP_NET_RAW to record \(adapter)",
        Self.permission(.ofThisMachine, path)
      )
    case .failed(let adapter, let reason): ("cannot record \(adapter): \(reason)", nil)
    }
  }

  private static func permission(_ tools: MachineTools, _ path: String) -> String {
    "grant it (\(tools.granting("cap_net_raw"))), \(tools.runAsRoot), or let btmon record: "
      + tools.asRoot("btmon -w \(path)", from: "bluez")
  }
}
