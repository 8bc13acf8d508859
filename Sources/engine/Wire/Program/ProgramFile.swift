import Glibc

/// Finds programs like a shell.
enum ProgramFile {
  /// Finds the file of a program. A name with a slash is a path; any other name is searched in the folders of `PATH`.
  static func find(_ name: String) throws(WireError) -> String {
    if name.contains("/") {
      guard isExecutable(name) else { throw missing(name) }
      return name
    }
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    for folder in folders.split(separator: ":", omittingEmptySubsequences: false) {
      let path = (folder.isEmpty ? "." : folder) + "/" + name
      if isExecutable(path) { return path }
    }
    throw missing(name)
  }

  private static func isExecutable(_ path: String) -> Bool {
    var kind = stat()
    return stat(path, &kind) == 0 && kind.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  private static func missing(_ name: String) -> WireError {
    WireError(
      message: "there is no program '\(name)'",
      hint: name.contains("/")
        ? "check that the file exists and is executable"
        : "give the path of a file of your own, as in ./\(name)")
  }
}
