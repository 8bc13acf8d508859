import Glibc
import Synchronization

/// The files that a command has read, as they were then.
final class FileRecord: Sendable {
  /// What changes with a file: a new one replaces it, or it is written.
  private struct Stamp: Equatable {
    var inode: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int

    /// nil: there is no such file.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      inode = UInt64(status.st_ino)
      size = Int64(status.st_size)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  private let stamps = Mutex<[String: Stamp?]>([:])

  var isEmpty: Bool { stamps.withLock(\.isEmpty) }

  /// Adds a file, or a folder, which changes with the names in it.
  func add(_ path: String) {
    stamps.withLock { stamps in
      if stamps[path] == nil { stamps[path] = .some(Stamp(path)) }
    }
  }

  /// The same files as they are now.
  var renewed: FileRecord {
    let new = FileRecord()
    for path in stamps.withLock({ Array($0.keys) }) { new.add(path) }
    return new
  }

  /// The paths that have changed since they were added, in order.
  var changes: [String] {
    stamps.withLock { $0 }.filter { Stamp($0.key) != $0.value }.keys.sorted()
  }
}
