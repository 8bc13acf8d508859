import Glibc

/// The files of this repository, for tests.
package enum Repository {
  /// The path of the repository, with a slash at its end.
  package static let path = String(#filePath.dropLast("Tests/Support/Repository.swift".count))

  /// The path of the bundled definitions, without a slash at its end.
  package static let peripherals = path + "Peripherals"

  /// The sorted names in a folder, without those that begin with a dot; empty if there is no folder.
  package static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}

extension Repository {
  /// The text of a file; nil if it cannot be read.
  package static func bytes(ofFile path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    return bytes(of: file)
  }

  /// What is left of a stream.
  static func bytes(of stream: UnsafeMutablePointer<FILE>) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 {
      bytes += buffer.prefix(count)
    }
    return bytes
  }

  /// Writes a text to a file and replaces its contents; false if it cannot be written.
  package static func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    let bytes = Array(text.utf8)
    let count = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && count == bytes.count
  }
}
