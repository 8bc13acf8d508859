import Glibc

/// A folder on the disk that is gone with the test.
final class TemporaryFolder: Sendable {
  /// With a slash at its end.
  let path: String

  /// - Parameter files: texts by name; a name may have a folder before it.
  init(_ files: [String: String] = [:]) {
    var template = Array("/tmp/blemu-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { preconditionFailure("no folder can be made in /tmp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/"
    for (name, text) in files { write(text, to: name) }
  }

  deinit { remove(String(path.dropLast())) }

  private func write(_ text: String, to name: String) {
    if let slash = name.lastIndex(of: "/") { mkdir(path + name[..<slash], 0o755) }
    let file = fopen(path + name, "w")
    fputs(text, file)
    fclose(file)
  }

  /// The text of a file in it; nil where there is none.
  func read(_ name: String) -> String? {
    guard let file = fopen(path + name, "r") else { return nil }
    defer { fclose(file) }
    var text = ""
    while case let byte = fgetc(file), byte != EOF { text.unicodeScalars.append(Unicode.Scalar(UInt8(byte))) }
    return text
  }

  private func remove(_ path: String) {
    if let folder = opendir(path) {
      defer { closedir(folder) }
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { remove("\(path)/\(name)") }
      }
    }
    _ = Glibc.remove(path)
  }
}
