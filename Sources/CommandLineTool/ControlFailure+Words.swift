import BlemuControl
import ControlServer
import Definitions

extension ControlFailure {
  var status: ExitStatus {
    switch self {
    case .refused(let error):
      switch error.code {
      case .badParameters: .usage
      case .notMet, .notPossible, .givenUp: .failed
      case .notJSON, .notRequest, .unknownMethod: .bug
      }
    case .noDevice, .noConnection, .foreignFolder, .ended, .noAnswer: .unavailable
    case .longPath: .usage
    case .notUnderstood: .bug
    }
  }

  /// What happened to a device of this name, and what to do next.
  func sentences(of name: String) -> (message: String, hint: String?) {
    switch self {
    case .noDevice(let name, let running):
      (
        "no device '\(name)' runs",
        running.isEmpty
          ? "no device is running; 'blemu run DEFINITION' starts one"
          : Suggestion.hint(for: name, in: running)
      )
    case .longPath(let path):
      ("the path of the socket is too long: '\(path)'", "a Unix socket's path has at most 107 bytes")
    case .noConnection(let path, let reason):
      (
        "cannot connect to '\(path)': \(reason)",
        "a device accepts connections only from its own user and root"
      )
    case .foreignFolder(let folder):
      (
        "other users can write to '\(folder)', so its sockets may be theirs",
        "remove the folder, or name the path of a socket in place of a device"
      )
    case .ended: ("'\(name)' has ended", "'blemu ps' lists the running devices")
    case .noAnswer: ("'\(name)' does not answer", "its process may be suspended; 'kill -CONT' resumes it")
    case .notUnderstood(let text): ("blemu does not understand the answer of '\(name)': \(text)", nil)
    case .refused(let error):
      ("\(name): \(error.message)" + (error.comparison.map { "\n\n\($0)" } ?? ""), error.hint)
    }
  }
}

extension ControlSocketError {
  var sentences: (message: String, hint: String?) {
    switch self {
    case .inUse(let path):
      (
        "another device listens at '\(path)'",
        "choose another name, with --name or in the stand; 'blemu ps' lists the running devices"
      )
    case .longPath(let path):
      ("the path of the socket is too long: '\(path)'", "a Unix socket's path has at most 107 bytes")
    case .notSocket(let path):
      ("'\(path)' exists and is not a socket", "choose another path with --control")
    case .foreignFolder(let folder):
      (
        "other users can write to '\(folder)', and could control the device",
        "remove the folder, or choose another path with --control"
      )
    case .notFolder(let path):
      ("'\(path)' is a file, not a folder for sockets", "remove it, or choose another path with --control")
    case .unusable(let path, let reason):
      ("cannot listen at '\(path)': \(reason)", "choose a path in a folder of your own with --control")
    case .tooManyFiles:
      (
        "blemu has as many files open as the system lets it",
        "raise the hard limit: 'ulimit -n' as root, or LimitNOFILE= in the unit"
      )
    }
  }
}
