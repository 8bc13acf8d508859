import Glibc

/// What tests read of this repository.
package enum Repository {
  /// Its folder, up to the last slash.
  package static let path = String(#filePath.dropLast("Tests/Support/Repository.swift".count))

  /// The folder of the bundled definitions, without a slash.
  package static let peripherals = path + "Peripherals"

  /// The names in a folder, in order, but for those that begin with a dot; none where there is no folder.
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
  /// What is in a file; nil when it cannot be read.
  package static func bytes(ofFile path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }

  /// Puts a text into a file, in place of what is there; false when it cannot be written.
  static func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    let count = fputs(text, file)
    return fclose(file) == 0 && count >= 0
  }
}
