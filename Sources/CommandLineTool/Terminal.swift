import EventLoop

/// Prints to standard output and standard error.
enum Terminal {
  static func print(_ text: String) { FileDescriptor.write(text, to: 1) }

  static func printError(_ text: String) { FileDescriptor.write(text, to: 2) }
}
