import EventLoop
import Glibc

/// Files that are there whole or not at all.
enum AtomicFile {
  /// Writes a text under a name of its own beside `path`, and gives it the right name when all of it is there.
  ///
  /// What is no file of its own (a device, a pipe) is written to as it is. Who may read a file that is replaced may read
  /// the new one.
  ///
  /// - Parameter isLocked: whether to lock the file before it has its name.
  /// - Returns: the file, still open.
  @discardableResult
  static func write(
    _ text: String, to path: String, isLocked: Bool = false
  ) throws(CommandError) -> FileDescriptor {
    if FileSystem.exists(path), !FileSystem.isFile(path) {
      return try fill(path, O_WRONLY, text, named: path)
    }
    let place = FilePath(path)
    let temporary = "\(place.folder).\(place.name).\(getpid())"
    do throws(CommandError) {
      let file = try fill(temporary, O_WRONLY | O_CREAT | O_EXCL, text, named: path)
      if let permissions = FileSystem.permissions(of: path) { fchmod(file.rawValue, permissions) }
      if isLocked { flock(file.rawValue, LOCK_EX | LOCK_NB) }
      guard rename(temporary, path) == 0 else { throw cannotWrite(path) }
      return file
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func fill(
    _ path: String, _ flags: Int32, _ text: String, named name: String
  ) throws(CommandError) -> FileDescriptor {
    let number = open(path, flags | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw cannotWrite(name) }
    let file = FileDescriptor(owning: number)
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(file.rawValue, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw cannotWrite(name) }
      bytes = bytes.dropFirst(max(0, count))
    }
    return file
  }

  private static func cannotWrite(_ path: String) -> CommandError {
    .unwritable(path: path, reason: String(cString: strerror(errno)))
  }
}
