import Glibc

/// The folder of a definition and its other files. blemu reads no file outside it.
package protocol DefinitionFolder {
  /// The names of its files.
  var names: [String] { get }
  /// The text of a file in the folder.
  func read(_ name: String) throws(FileError) -> String
  /// The file's name as diagnostics print it.
  func displayName(of name: String) -> String
}

/// Why a file cannot be read.
package struct FileError: Error, Hashable, Sendable {
  package var message: String
  package var hint: String?
  /// The place at which a readable file has bytes that are not text.
  package var badText: BadText?

  package init(message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}

/// A folder on the disk.
package struct DiskFolder: DefinitionFolder {
  /// The path as a person would write it, up to its last slash; empty for the current folder.
  private let path: String

  /// The folder that a file is in.
  package init(of file: String) {
    path = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
  }

  package var names: [String] { FileSystem.entries(of: path.isEmpty ? "." : path) }

  package func displayName(of name: String) -> String { path + name }

  package func read(_ name: String) throws(FileError) -> String {
    guard !name.contains("/"), name != "..", !name.isEmpty else { throw FileError(.notInFolder(name)) }
    return try TextFile.read(displayName(of: name), flags: O_NOFOLLOW)
  }
}

/// Files of text.
package enum TextFile {
  /// The largest file that blemu reads, bytes.
  package static let maximumSize = 8 << 20

  /// The text of a regular file.
  ///
  /// - Parameters:
  ///   - most: the largest file, bytes.
  ///   - flags: added to `open`'s.
  package static func read(
    _ path: String, atMost most: Int = maximumSize, flags: Int32 = 0
  ) throws(FileError) -> String {
    try text(of: readBytes(path, atMost: most, flags: flags), path)
  }

  /// The bytes of a regular file, text or not.
  package static func readBytes(
    _ path: String, atMost most: Int = maximumSize, flags: Int32 = 0
  ) throws(FileError) -> ArraySlice<UInt8> {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags)
    guard file >= 0 else { throw FileError(.unreadable(path, code: errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileError(.unreadable(path, code: errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(.notFile(path)) }
    guard status.st_size <= most else {
      throw FileError(.tooLargeFile(path, size: status.st_size, most: most))
    }
    return try bytes(file, path, atMost: Int(status.st_size) + 1)
  }

  /// The text of the standard input.
  ///
  /// - Parameter name: the name in messages.
  package static func readStandardInput(as name: String) throws(FileError) -> String {
    let bytes = try bytes(STDIN_FILENO, name, atMost: maximumSize + 1)
    guard bytes.count <= maximumSize else {
      throw FileError(.tooLargeFile(name, size: bytes.count, most: maximumSize))
    }
    return try text(of: bytes, name)
  }

  private static func bytes(_ file: Int32, _ path: String, atMost most: Int) throws(FileError) -> ArraySlice<
    UInt8
  > {
    var bytes = [UInt8](repeating: 0, count: most)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + count, $0.count - count) }
      if got < 0 { throw FileError(.unreadable(path, code: errno)) }
      if got == 0 { break }
      count += got
    }
    return bytes[..<count]
  }

  private static func text(of bytes: ArraySlice<UInt8>, _ path: String) throws(FileError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let bad = BadText(bytes)
      var error = FileError(.notText(path, bad))
      error.badText = bad
      throw error
    }
    return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
  }
}
