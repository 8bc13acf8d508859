import Glibc

/// A file that this process has locked, for as long as the value lives.
package struct LockedFile {
  package enum Failure: Error, Hashable, Sendable {
    /// Another process has locked it.
    case inUse
    case unwritable(UnwritableFile)
  }

  private let path: String
  private let isPrivate: Bool
  /// The file that currently has the name.
  private var file: FileDescriptor

  /// Opens the file, creates it if necessary, and locks it.
  ///
  /// - Parameters:
  ///   - isPrivate: whether only this user may read it.
  ///   - followsLink: false: a symbolic link is an error; true: it is one if another user may have put it there.
  package init(_ path: String, isPrivate: Bool = false, followsLink: Bool = true) throws(Failure) {
    while true {
      let path = followsLink ? try Self.target(of: path) : path
      let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
      let number = open(path, flags, isPrivate ? 0o600 : 0o666)
      guard number >= 0 else { throw .unwritable(UnwritableFile(path, errno)) }
      file = FileDescriptor(owning: number)
      guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw .inUse }
      // Another process may have replaced or removed the file in the meantime.
      if file.isNamed(path) { break }
    }
    self.path = Self.resolved(path)
    self.isPrivate = isPrivate
    AtomicFile.removeTemporaries(of: self.path)
  }

  /// Whether a process has locked the file of this name; false if there is none.
  package static func isLocked(_ path: String) -> Bool {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { return false }
    let file = FileDescriptor(owning: number)
    return withExtendedLifetime(file) { flock(number, LOCK_SH | LOCK_NB) != 0 }
  }

  /// Its first bytes as text.
  package func read(atMost size: Int) -> String {
    var bytes = [UInt8](repeating: 0, count: size)
    let count = bytes.withUnsafeMutableBytes { pread(file.rawValue, $0.baseAddress, $0.count, 0) }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Replaces the file with one that contains this text.
  package mutating func write(_ text: String) throws(UnwritableFile) {
    file = try AtomicFile.write(text, to: path, isLocked: true, isPrivate: isPrivate)
  }

  package func remove() { unlink(path) }

  private static func target(of path: String) throws(Failure) -> String {
    do { return try AtomicFile.target(of: path) } catch { throw .unwritable(error) }
  }

  /// The path without symbolic links.
  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension FileDescriptor {
  fileprivate func isNamed(_ path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    guard fstat(rawValue, &opened) == 0, stat(path, &named) == 0 else { return false }
    return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }
}
