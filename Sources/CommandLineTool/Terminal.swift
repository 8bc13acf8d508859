import Glibc

/// What goes to the person who typed the command.
enum Terminal {
  static func print(_ text: String) { write(text, to: 1) }

  static func printError(_ text: String) { write(text, to: 2) }

  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      bytes = bytes.dropFirst(max(0, count))
    }
  }
}
