/// An event of an attachment.
package enum WireEvent: Hashable, Sendable {
  /// A peer has connected, or a program has opened the terminal (nil). The name is as in `127.0.0.1:51234`.
  case opened(by: String?)
  case closed(by: String?)
  /// A peer was refused because another one is connected.
  case refused(String)
  /// The other side has set its speed, bits per second.
  case baudRate(Int)
  case started(program: String, process: Int32)
  /// A program has ended. It restarts after this time; nil if it does not.
  case ended(program: String, ProgramEnd, restart: Duration?)
  /// A line of a program's standard error.
  case said(program: String, String)
}

/// How a program ended.
package enum ProgramEnd: Hashable, Sendable {
  case status(Int32)
  case signal(Int32)
}
