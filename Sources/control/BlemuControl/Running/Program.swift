import Glibc

/// Where the program blemu is.
package enum Program {
  /// The one given, that of the environment variable, the one on the `PATH`, or in a debug build that of the repository which this
  /// file is in.
  static func path(_ given: String?) -> String {
    given ?? variable("BLEMU") ?? onPath ?? built ?? "blemu"
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  private static var onPath: String? {
    variable("PATH")?.split(separator: ":").map { "\($0)/blemu" }.first { access($0, X_OK) == 0 }
  }

  private static var built: String? {
    #if DEBUG  // A release holds no path of the folder where it was built.
      let repository = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
      let path = repository.joined(separator: "/") + "/.build/release/blemu"
      return access(path, X_OK) == 0 ? path : nil
    #else
      return nil
    #endif
  }

  /// A new private folder for the files of a run. The path of a socket in it is short enough.
  package static func makeFolder() throws(ProcessFailure) -> String {
    let parent = variable("TMPDIR").flatMap { $0.utf8.count < 70 ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/blemu-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ProcessFailure(
        message: "cannot make a folder in \(parent): \(String(cString: strerror(errno)))", output: "")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension Program {
  /// Runs a program to its end, without input. If the task is cancelled, the program ends.
  ///
  /// - Parameters:
  ///   - words: the path of the program and its arguments.
  ///   - output: the path of a new file for what it prints, to standard output and to standard error.
  /// - Returns: whether it has exited with status 0.
  package static func run(_ words: [String], output: String) async throws -> Bool {
    guard let child = Child(words, output: output, errors: nil) else {
      throw ProcessFailure(
        message: "cannot run '\(words[0])': \(String(cString: strerror(errno)))", output: "")
    }
    let end = try await withTaskCancellationHandler {
      try await onThread { child.wait(for: .seconds(86_400)) }
    } onCancel: {
      child.signal(SIGTERM)
    }
    return end == .exited(0)
  }
}
