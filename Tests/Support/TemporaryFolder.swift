import Glibc

/// A folder on the disk that is removed after the test.
package final class TemporaryFolder: Sendable {
  /// Ends with a slash.
  package let path: String

  /// - Parameter files: texts by name. A name may include folders.
  package init(_ files: [String: String] = [:]) {
    var template = Array("/tmp/blemu-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { preconditionFailure("no folder can be made in /tmp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/"
    for (name, text) in files { write(text, to: name) }
  }

  deinit { remove(String(path.dropLast())) }

  package func write(_ text: String, to name: String) {
    for slash in name.indices where name[slash] == "/" { mkdir(path + name[..<slash], 0o755) }
    precondition(Repository.write(text, to: path + name), "\(path + name) cannot be written")
  }

  /// The text of a file; nil if there is none.
  package func read(_ name: String) -> String? {
    Repository.bytes(ofFile: path + name).map { String(decoding: $0, as: UTF8.self) }
  }

  /// What is in it, in order.
  package var entries: [String] { Self.entries(of: path) }

  package func permissions(of name: String) -> UInt32? {
    var status = stat()
    return stat(path + name, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  private func remove(_ path: String) {
    // Removes a link, but not its target.
    guard unlink(path) != 0 else { return }
    for name in Self.entries(of: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }

  private static func entries(of path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }
}
