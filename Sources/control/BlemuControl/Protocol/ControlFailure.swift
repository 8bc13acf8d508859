/// Why a request to a device failed.
public enum ControlFailure: Error, Hashable, Sendable {
  /// No device has this name. With the names of those that run.
  case noDevice(String, running: [String])
  /// The socket's path has more bytes than a Unix socket may have, 107.
  case longPath(String)
  /// There is no connection to the socket at this path. With the kernel's reason, as in `Permission denied`.
  case noConnection(String, reason: String)
  /// Others may put sockets into the folder of the sockets.
  case foreignFolder(String)
  /// The device has ended, or has closed the connection.
  case ended
  /// The device has not answered in time: its process may be suspended.
  case noAnswer
  /// The answer does not follow the protocol. With its beginning.
  case notUnderstood(String)
  /// The device refuses a request.
  case refused(ControlError)
}

extension ControlFailure: CustomStringConvertible {
  /// What happened, and on a further line what to do next.
  public var description: String {
    switch self {
    case .noDevice(let name, let running):
      "no device '\(name)' runs\n  "
        + (running.isEmpty ? "'blemu run' starts one" : "running: \(running.joined(separator: ", "))")
    case .longPath(let path):
      "the path of the socket is too long: '\(path)'\n  a Unix socket's path has at most 107 bytes"
    case .noConnection(let path, let reason):
      "cannot connect to '\(path)': \(reason)\n  a device accepts connections only from its own user and root"
    case .foreignFolder(let folder):
      "other users can write to '\(folder)', so its sockets may be theirs\n  remove the folder, or name the path of a socket"
    case .ended: "the device has ended\n  its log says why"
    case .noAnswer: "the device does not answer\n  its process may be suspended"
    case .notUnderstood(let text):
      "this is no answer of a device: \(text)\n  is it the socket of another program?"
    case .refused(let error): error.description
    }
  }
}
