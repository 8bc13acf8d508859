import Glibc

/// Writes files completely or not at all, even if the machine loses its power meanwhile.
package enum AtomicFile {
  /// Writes a text to a temporary file in the same folder, and renames it to `path` once it is complete.
  ///
  /// The text is on the disk when it returns. It writes directly to a device or a pipe. A file that it replaces passes its permissions on to the new one.
  ///
  /// - Parameters:
  ///   - isLocked: whether to lock the file before it is renamed.
  ///   - isPrivate: whether only this user may read it, from its first byte on.
  /// - Returns: the file, still open.
  @discardableResult
  package static func write(
    _ text: String, to path: String, isLocked: Bool = false, isPrivate: Bool = false
  ) throws(UnwritableFile) -> FileDescriptor {
    var old = stat()
    let exists = stat(path, &old) == 0
    if exists, old.st_mode & S_IFMT != S_IFREG { return try fill(path, O_WRONLY, text, named: path) }
    let (folder, name) = split(path)
    let temporary = isLocked ? temporaryOfLocked(path) : "\(folder).\(name).\(getpid())"
    unlink(temporary)  // of a process that was killed
    do throws(UnwritableFile) {
      let file = try fill(temporary, O_WRONLY | O_CREAT | O_EXCL, text, named: path, isPrivate)
      if exists { fchmod(file.rawValue, old.st_mode & (isPrivate ? 0o700 : 0o777)) }
      if isLocked { flock(file.rawValue, LOCK_EX | LOCK_NB) }
      guard fsync(file.rawValue) == 0, rename(temporary, path) == 0,
        syncNames(of: folder.isEmpty ? "." : String(folder))
      else { throw UnwritableFile(path, errno) }
      return file
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// The temporary file while the file at `path` is written by the only process that may do so. A process that is killed
  /// meanwhile leaves it.
  static func temporaryOfLocked(_ path: String) -> String {
    let (folder, name) = split(path)
    return "\(folder).\(name).new"
  }

  /// The folder, with its last slash or empty, and the name in it.
  private static func split(_ path: String) -> (folder: Substring, name: Substring) {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return (folder, path.dropFirst(folder.count))
  }

  /// Writes the names in a folder to the disk, unless it may not be read or its file system cannot do that.
  ///
  /// - Returns: whether that succeeded; otherwise `errno` says why not.
  private static func syncNames(of folder: String) -> Bool {
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return true }
    return withExtendedLifetime(FileDescriptor(owning: number)) { fsync(number) == 0 || errno == EINVAL }
  }

  private static func fill(
    _ path: String, _ flags: Int32, _ text: String, named name: String, _ isPrivate: Bool = false
  ) throws(UnwritableFile) -> FileDescriptor {
    let number = open(path, flags | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
    guard number >= 0 else { throw UnwritableFile(name, errno) }
    let file = FileDescriptor(owning: number)
    guard file.write(text) else { throw UnwritableFile(name, errno) }
    return file
  }
}

/// Why a file cannot be written.
package struct UnwritableFile: Error, Hashable, Sendable {
  package var path: String
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// - Parameter code: an `errno`.
  package init(_ path: String, _ code: Int32) {
    self.init(path: path, reason: String(cString: strerror(code)))
  }
}
