import Glibc

/// Looks up files and folders.
enum FileSystem {
  static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }
  static func isFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

  static func exists(_ path: String) -> Bool { kind(of: path) != nil }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// The sorted names in a folder, without those that begin with a dot; empty if there is no folder.
  static func entries(of folder: String) -> [String] {
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

  static func parent(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
  }
}

/// A path, split at its last slash into folder and name.
struct FilePath {
  /// Ends with a slash; empty for the current folder.
  let folder: String
  let name: String

  init(_ path: String) {
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    name = String(path.dropFirst(folder.count))
  }

  /// The name without its extension.
  var baseName: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }
}
