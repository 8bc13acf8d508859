import Glibc

/// Writes files completely or not at all, even if the machine loses its power meanwhile.
package enum AtomicFile {
  /// Writes a text to a temporary file in the same folder, and renames it to `path` once it is complete.
  ///
  /// The text is on the disk when it returns. It writes directly to a device or a pipe, unless another user may have put it there. A
  /// file that it replaces passes its permissions on to the new one. Of a symbolic link, it replaces the target.
  ///
  /// - Parameters:
  ///   - isLocked: whether to lock the file before it is renamed.
  ///   - isPrivate: whether only this user may read it, from its first byte on.
  ///   - user: this user.
  /// - Returns: the file, still open.
  @discardableResult
  package static func write(
    _ text: String, to path: String, isLocked: Bool = false, isPrivate: Bool = false, user: uid_t = geteuid()
  ) throws(UnwritableFile) -> FileDescriptor {
    var old = stat()
    let exists = stat(path, &old) == 0
    if exists, old.st_mode & S_IFMT != S_IFREG {
      guard !isPlanted(path, user) else {
        throw UnwritableFile(path: path, reason: "another user has put a pipe or a device there")
      }
      return try fill(path, O_WRONLY, text, named: path)
    }
    let path = try target(of: path, user: user)
    let temporary = temporary(of: path)
    do throws(UnwritableFile) {
      let file = try fill(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, text, named: path, isPrivate)
      if exists { fchmod(file.rawValue, old.st_mode & (isPrivate ? 0o700 : 0o777)) }
      if isLocked { flock(file.rawValue, LOCK_EX | LOCK_NB) }
      guard fsync(file.rawValue) == 0, rename(temporary, path) == 0,
        syncNames(of: folder(of: path))
      else { throw UnwritableFile(path, errno) }
      return file
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// A temporary file next to the file at `path`. Nobody can guess its name, and put something else there in a folder that is not only
  /// this user's. A process that is killed meanwhile leaves it.
  static func temporary(of path: String) -> String {
    "\(folder(of: path))/\(prefix(of: path))\(String(UInt64.random(in: 0 ... .max), radix: 16))\(ending)"
  }

  /// Removes what killed processes have left, for the only process that may write the file at `path`.
  static func removeTemporaries(of path: String) {
    let (folder, prefix) = (folder(of: path), prefix(of: path))
    guard let entries = opendir(folder) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix(prefix), name.hasSuffix(ending) else { continue }
      let middle = name.dropFirst(prefix.count).dropLast(ending.count)
      if middle.allSatisfy(\.isHexDigit) { unlink("\(folder)/\(name)") }
    }
  }

  private static let ending = ".new"

  private static func prefix(of path: String) -> String {
    ".\(path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")."
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Where a file is: the target of symbolic links, which need not exist.
  ///
  /// - Throws: ``UnwritableFile`` if another user may have put a link there.
  static func target(of path: String, user: uid_t = geteuid()) throws(UnwritableFile) -> String {
    var target = path
    for _ in 0..<mostLinks {
      guard let link = SymbolicLink.target(of: target) else { return target }
      guard !isPlanted(target, user) else {
        throw UnwritableFile(path: path, reason: "another user has put a link there")
      }
      target = link.hasPrefix("/") ? link : "\(folder(of: target))/\(link)"
    }
    throw UnwritableFile(path, ELOOP)
  }

  /// As many as Linux follows (path_resolution(7)).
  private static let mostLinks = 40

  /// Whether another user may have put something there, to read or to direct what this one writes: it is not this user's, and everybody
  /// may write in the folder. (`fs.protected_fifos` and `fs.protected_symlinks` of Linux have similar rules.)
  private static func isPlanted(_ path: String, _ user: uid_t) -> Bool {
    var (file, parent) = (stat(), stat())
    return lstat(path, &file) == 0 && file.st_uid != user && stat(folder(of: path), &parent) == 0
      && parent.st_mode & S_IWOTH != 0
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
