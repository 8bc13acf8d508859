import BlemuControl
import BlemuJSON
import EventLoop
import Glibc

/// The face of a device: an SVG next to its definition.
enum FaceFile {
  struct TooLarge: Error {
    var size: Int
  }

  /// The whole path that a device gives; nil: it has no face.
  static func path(in description: JSONValue) -> String? {
    guard let path = description["face"]?.text, path.hasPrefix("/"), path.hasSuffix(".svg") else {
      return nil
    }
    return path
  }

  /// Returns the bytes of the file; nil if it is no regular file, or cannot be read.
  static func read(_ path: String) throws(TooLarge) -> [UInt8]? {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard status.st_size <= FaceLimit.size else { throw TooLarge(size: Int(status.st_size)) }
    return bytes(of: file, atMost: Int(status.st_size))
  }

  private static func bytes(of file: FileDescriptor, atMost size: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: size)
    var taken = 0
    while taken < size {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(file.rawValue, $0.baseAddress! + taken, $0.count - taken)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      taken += count
    }
    return Array(bytes.prefix(taken))
  }
}
