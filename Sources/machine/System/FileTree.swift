import EventLoop
import Glibc

/// The files of a machine below a root folder, which tests make.
package struct FileTree: Sendable {
  /// Ends with a slash.
  package let root: String

  package init(root: String = "/") { self.root = root }

  /// The longest text that is read, bytes: files in /proc have no size of their own.
  private static let mostBytes = 1 << 22

  /// - Returns: the text, or the `errno` for which it cannot be read.
  package func read(_ path: String) -> Result<String, SystemError> {
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
  package func text(_ path: String) -> String? { try? read(path).get() }

  /// The first line of a file, without its end.
  package func line(_ path: String) -> String? {
    text(path).map { String($0.prefix { $0 != "\n" }) }
  }

  package func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// The target of a link; nil: it is none, or may not be seen.
  package func target(_ path: String) -> String? { SymbolicLink.target(of: root + path) }

  /// When a file was changed, seconds since 1970; nil: there is none.
  package func changed(_ path: String) -> Int? {
    var status = stat()
    return stat(root + path, &status) == 0 ? status.st_mtim.tv_sec : nil
  }
}

/// An `errno`.
package struct SystemError: Error {
  package var code: Int32

  package var message: String { String(cString: strerror(code)) }
}
