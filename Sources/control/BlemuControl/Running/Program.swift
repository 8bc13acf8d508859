import Glibc

/// Where the program blemu is.
enum Program {
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

  /// A new folder for the files of a run. The path of a socket in it is short enough.
  static func makeFolder() throws(ProcessFailure) -> String {
    let parent = variable("TMPDIR").flatMap { $0.utf8.count < 70 ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/blemu-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ProcessFailure(
        message: "cannot make a folder in \(parent): \(String(cString: strerror(errno)))", output: "")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
