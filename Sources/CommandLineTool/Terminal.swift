import EventLoop

/// What goes to the person who typed the command.
enum Terminal {
  static func print(_ text: String) { FileDescriptor.write(text, to: 1) }

  static func printError(_ text: String) { FileDescriptor.write(text, to: 2) }
}
