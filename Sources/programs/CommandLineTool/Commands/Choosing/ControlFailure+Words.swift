import BlemuControl
import BlemuJSON
import ControlServer
import Definitions

extension CommandError {
  /// A running device does not do what was asked of it.
  static func device(_ failure: ControlFailure, name: String) -> Self {
    var error = failure.error(of: name)
    error.refusal = failure
    return error
  }

  /// What `--json` prints of it: the error of the control protocol, without a code if no device has answered; nil if it
  /// says nothing.
  var value: JSONValue? {
    if case .refused(let error)? = refusal { return error.value }
    return message.map { message in
      (["message": .string(message)] as JSONValue).adding(["data": hint.map { ["hint": .string($0)] }])
    }
  }
}

extension ControlFailure {
  fileprivate func error(of name: String) -> CommandError {
    switch self {
    case .noDevice(let name, let running):
      CommandError(
        .unavailable, "no device '\(name)' runs",
        running.isEmpty
          ? "no device is running; 'blemu run DEFINITION' starts one"
          : Suggestion.hint(for: name, in: running))
    case .longPath(let path):
      CommandError(
        .usage, "the path of the socket is too long: '\(path)'", "a Unix socket's path has at most 107 bytes")
    case .noConnection(let path, let reason):
      CommandError(
        .unavailable, "cannot connect to '\(path)': \(reason)",
        "a device accepts connections only from its own user and root")
    case .foreignFolder(let folder):
      CommandError(
        .unavailable, "other users can write to '\(folder)', so its sockets may be theirs",
        "remove the folder, or name the path of a socket in place of a device")
    case .ended:
      CommandError(.unavailable, "'\(name)' has ended", "'blemu ps' lists the running devices")
    case .noAnswer:
      CommandError(
        .unavailable, "'\(name)' does not answer", "its process may be suspended; 'kill -CONT' resumes it")
    case .notUnderstood(let text):
      CommandError(.bug, "blemu does not understand the answer of '\(name)': \(text)")
    case .refused(let error):
      CommandError(
        error.code.status, "\(name): \(error.message)" + (error.comparison.map { "\n\n\($0)" } ?? ""),
        error.hint)
    }
  }
}

extension ControlError.Code {
  fileprivate var status: ExitStatus {
    switch self {
    case .badParameters: .usage
    case .notMet, .notPossible, .givenUp: .failed
    case .notJSON, .notRequest, .unknownMethod: .bug
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
