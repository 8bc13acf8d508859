import Glibc

/// A folder in which only this user may write, so that nobody else can place files in it.
package enum PrivateFolder {
  package enum Problem: Error, Hashable, Sendable {
    /// It belongs to another user, or others may write there.
    case foreign
    /// The path is something else, such as a file, or a symbolic link, which may lead anywhere.
    case notFolder
    /// There is none, or it cannot be created; with an `errno`.
    case unusable(Int32)
  }

  /// Checks a folder. Nobody else can replace it afterwards, because its parent belongs to this user or is sticky, as /tmp is.
  package static func check(_ path: String) throws(Problem) {
    var file = stat()
    guard lstat(path, &file) == 0 else { throw .unusable(errno) }
    guard file.st_mode & S_IFMT == S_IFDIR else { throw .notFolder }
    guard file.st_uid == geteuid(), file.st_mode & (S_IWGRP | S_IWOTH) == 0 else { throw .foreign }
  }

  /// Creates the folder if there is none, for this user only, and checks it.
  package static func make(_ path: String) throws(Problem) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unusable(errno) }
    try check(path)
  }
}
