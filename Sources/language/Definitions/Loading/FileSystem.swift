import Glibc

/// Looks up files and folders. It follows links, and treats a path that cannot be looked up as missing.
package enum FileSystem {
  /// Whether there is a folder.
  package static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

  /// Whether there is a regular file.
  package static func isFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

  /// Whether there is anything, for example a device.
  package static func exists(_ path: String) -> Bool { kind(of: path) != nil }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// The whole path without links; nil: there is nothing.
  package static func resolved(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// The sorted names in a folder, without those that begin with a dot; empty if there is no folder.
  package static func entries(of folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The path up to its last slash, without that; `/` for the root and for a path without a slash.
  package static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
  }
}
