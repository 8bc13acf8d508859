import Glibc

/// A program that was built with the tests.
package struct BuiltProgram {
  package let name: String

  package init(name: String) { self.name = name }

  /// It is next to the program of the tests.
  package var path: String {
    let test = realpath("/proc/self/exe", nil)!
    defer { free(test) }
    let path = String(cString: test)
    return path[..<path.lastIndex(of: "/")!] + "/" + name
  }

  /// Runs it to its end.
  ///
  /// - Returns: its output, also that of its errors, and its wait status.
  package func run(_ arguments: [String]) -> (output: String, status: Int32) {
    let words = [path] + arguments
    guard let pipe = popen(words.map { "'\($0)'" }.joined(separator: " ") + " 2>&1", "r") else {
      return ("", -1)
    }
    let output = Repository.bytes(of: pipe)
    return (String(decoding: output, as: UTF8.self), pclose(pipe))
  }
}
