/// The marks of the log's lines, plain or in the colours of a terminal: cyan for incoming bytes, green for outgoing ones.
struct LogMarks: Sendable {
  var none: StaticString = " "
  var connected: StaticString = "+"
  var disconnected: StaticString = "-"
  var read: StaticString = "?"
  var write: StaticString = ">"
  var send: StaticString = "<"
  var wireIn: StaticString = "]"
  var wireOut: StaticString = "["
  /// The decoded form of encoded bytes.
  var decoded: StaticString = "="
  var encoded: StaticString = "="
  var message: StaticString = "*"
  var warning: StaticString = "!"
  /// An event from the control side.
  var control: StaticString = "^"
  /// A fault that was applied.
  var fault: StaticString = "~"

  static let plain = LogMarks()

  static let colored = LogMarks(
    connected: "\u{1B}[1m+\u{1B}[0m", disconnected: "\u{1B}[1m-\u{1B}[0m", read: "\u{1B}[36m?\u{1B}[0m",
    write: "\u{1B}[36m>\u{1B}[0m", send: "\u{1B}[32m<\u{1B}[0m", wireIn: "\u{1B}[36m]\u{1B}[0m",
    wireOut: "\u{1B}[32m[\u{1B}[0m", decoded: "\u{1B}[36m=\u{1B}[0m", encoded: "\u{1B}[32m=\u{1B}[0m",
    message: "\u{1B}[1m*\u{1B}[0m", warning: "\u{1B}[1;31m!\u{1B}[0m",
    control: "\u{1B}[1;36m^\u{1B}[0m", fault: "\u{1B}[35m~\u{1B}[0m")
}
