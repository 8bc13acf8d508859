/// The program `blemu run` has not started, or has not ended well.
public struct ProcessFailure: Error, Hashable, Sendable {
  /// What happened, and the exit status.
  public var message: String
  /// What blemu has written to standard error.
  public var output: String
}

extension ProcessFailure: CustomStringConvertible {
  public var description: String { output.isEmpty ? message : "\(message):\n\(output)" }
}
