import Glibc

/// A file that is open for reading.
final class FileOnDisk: StoredBytes {
  private let descriptor: CInt
  let count: Int

  init(path: String) throws(CaptureFileError.Reason) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)  // a named pipe would block
    guard descriptor >= 0 else { throw Self.reason(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let reason = Self.reason(errno)
      close(descriptor)
      throw reason
    }
    count = Int(status.st_size)
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      close(descriptor)
      throw .directory
    default:
      close(descriptor)
      throw .notRegularFile
    }
  }

  deinit { close(descriptor) }

  func read(at place: Int, into memory: UnsafeMutableRawBufferPointer) -> Result<Int, CaptureDamage> {
    while true {
      let count = pread(descriptor, memory.baseAddress, memory.count, off_t(place))
      if count >= 0 { return .success(count) }
      if errno != EINTR {
        return .failure(CaptureDamage(text: "The file cannot be read any further: \(Self.text(of: errno))."))
      }
    }
  }

  private static func reason(_ error: CInt) -> CaptureFileError.Reason {
    switch error {
    case ENOENT, ENOTDIR: .missing
    case EACCES, EPERM: .noPermission
    default: .unusable(text(of: error))
    }
  }

  private static func text(of error: CInt) -> String { String(cString: strerror(error)) }
}
