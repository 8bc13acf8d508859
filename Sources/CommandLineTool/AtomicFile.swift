import Glibc

/// Files that are there whole or not at all.
enum AtomicFile {
  /// Writes a text under a name of its own beside `path`, and gives it the right name when all of it is there.
  ///
  /// What is no file of its own (a device, a pipe) is written to as it is.
  static func write(_ text: String, to path: String) throws(CommandError) {
    if FileSystem.exists(path), !FileSystem.isFile(path) {
      return try fill(path, O_WRONLY, text, named: path)
    }
    let place = FilePath(path)
    let temporary = "\(place.folder).\(place.name).\(getpid())"
    do throws(CommandError) {
      try fill(temporary, O_WRONLY | O_CREAT | O_EXCL, text, named: path)
      guard rename(temporary, path) == 0 else { throw cannotWrite(path) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func fill(
    _ path: String, _ flags: Int32, _ text: String, named name: String
  ) throws(CommandError) {
    let file = open(path, flags | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw cannotWrite(name) }
    defer { close(file) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw cannotWrite(name) }
      bytes = bytes.dropFirst(max(0, count))
    }
  }

  private static func cannotWrite(_ path: String) -> CommandError {
    .unwritable(path: path, reason: String(cString: strerror(errno)))
  }
}
