import Definitions
import Glibc

/// The files of a machine below a root folder, which tests make.
package struct FileTree: Sendable {
  /// Ends with a slash.
  let root: String

  package init(root: String = "/") { self.root = root }

  /// The longest text that is read, bytes: files in /proc have no size of their own.
  private static let mostBytes = 1 << 20

  /// - Returns: the text, or the `errno` for which it cannot be read.
  func read(_ path: String) -> Result<String, SystemError> {
    let descriptor = open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return .failure(SystemError(code: errno)) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while bytes.count < Self.mostBytes {
      let count = Glibc.read(descriptor, &block, block.count)
      if count < 0 { return .failure(SystemError(code: errno)) }
      guard count > 0 else { break }
      bytes += block[..<count]
    }
    return .success(String(decoding: bytes, as: UTF8.self))
  }

  /// nil: it cannot be read.
  func text(_ path: String) -> String? { try? read(path).get() }

  /// The first line of a file, without its end.
  func line(_ path: String) -> String? {
    text(path).map { String($0.prefix { $0 != "\n" }) }
  }

  func exists(_ path: String) -> Bool { FileSystem.exists(root + path) }

  func names(in folder: String) -> [String] { FileSystem.entries(of: root + folder) }

  /// The target of a link; nil: it is none, or may not be seen.
  func target(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = buffer.withUnsafeMutableBytes {
      readlink(root + path, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// When a file was changed, seconds since 1970; nil: there is none.
  func changed(_ path: String) -> Int? {
    var status = stat()
    return stat(root + path, &status) == 0 ? status.st_mtim.tv_sec : nil
  }
}

/// An `errno`.
struct SystemError: Error {
  var code: Int32

  var message: String { String(cString: strerror(code)) }
}
