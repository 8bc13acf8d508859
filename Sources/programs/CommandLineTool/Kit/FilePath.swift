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
