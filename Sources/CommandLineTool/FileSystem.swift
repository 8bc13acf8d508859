import Glibc

/// What is where on the disk.
enum FileSystem {
  static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }
  static func isFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

  static func exists(_ path: String) -> Bool { kind(of: path) != nil }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// What is in a folder, in order; nothing where there is no folder, and no name that begins with a dot.
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

/// A path, as a person writes it: its folder up to the last slash, and the name behind.
struct FilePath {
  /// With its slash; empty for the current one.
  let folder: String
  let name: String

  init(_ path: String) {
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    name = String(path.dropFirst(folder.count))
  }

  /// The name without `.yaml` or what else stands behind its last dot.
  var baseName: String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }
}
