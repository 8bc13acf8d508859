import BlemuControl
import BlemuFolders
import EventLoop
import Glibc

/// The Unix socket at which a device listens. Only its user may connect: the socket has the mode 0600 and its folder 0700.
struct ControlSocket: ~Copyable, Sendable {
  let descriptor: FileDescriptor
  private let path: String
  private let identity: (device: dev_t, file: ino_t)

  /// Listens. A socket that a device has left which was killed is replaced.
  init(at path: String) throws(ControlSocketError) {
    guard let address = UnixAddress(path) else { throw .longPath(path) }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    if !folder.isEmpty { try Self.makeFolder(folder) }
    // Two devices that start at once may otherwise take each other's socket, which does not answer yet, for a stale one.
    let lock = try Self.lock(folder.isEmpty ? "/" : folder)
    defer { flock(lock.rawValue, LOCK_UN) }
    try Self.removeStale(path)
    (descriptor, identity) = try Self.listen(at: address, path)
    self.path = path
  }

  /// Waits until no other device begins to listen in the folder.
  private static func lock(_ folder: String) throws(ControlSocketError) -> FileDescriptor {
    let number = open(folder, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw failure(at: folder) }
    let lock = FileDescriptor(owning: number)
    while flock(number, LOCK_EX) != 0 {
      guard errno == EINTR else { throw .unusable(folder, reason: reason) }
    }
    return lock
  }

  /// Binds a socket that only its user can connect to from the start.
  private static func listen(
    at address: UnixAddress, _ path: String
  ) throws(ControlSocketError) -> (FileDescriptor, identity: (dev_t, ino_t)) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = socket(AF_UNIX, kind, 0)
    guard number >= 0 else { throw failure(at: path) }
    let descriptor = FileDescriptor(owning: number)
    // Linux gives the socket in the file system the mode that the descriptor has when it is bound (unix_bind_bsd).
    guard fchmod(number, 0o600) == 0 else { throw .unusable(path, reason: reason) }
    guard address.use({ bind(number, $0, $1) }) == 0 else {
      throw errno == EADDRINUSE ? .inUse(path) : .unusable(path, reason: reason)
    }
    var file = stat()
    guard Glibc.listen(number, SOMAXCONN) == 0, lstat(path, &file) == 0 else {
      throw .unusable(path, reason: reason)
    }
    return (descriptor, (file.st_dev, file.st_ino))
  }

  /// Removes the socket from the file system, unless another has taken its place.
  deinit {
    var file = stat()
    guard lstat(path, &file) == 0, file.st_dev == identity.device, file.st_ino == identity.file else {
      return
    }
    unlink(path)
  }

  /// The outcome of a program's attempt to connect.
  enum Arrival {
    case accepted(FileDescriptor)
    /// It is another user's.
    case refused
    /// There is none.
    case none
    /// The process has no descriptors left, say: it waits.
    case unable
  }

  /// Accepts a connection of the same user, or of root.
  func accept() -> Arrival {
    let number = Glibc.accept(descriptor.rawValue, nil, nil)
    guard number >= 0 else { return [EAGAIN, EINTR, ECONNABORTED].contains(errno) ? .none : .unable }
    let peer = FileDescriptor(owning: number)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    let isOwn = PeerCredentials(of: number).map { $0.user == getuid() || $0.user == 0 } ?? false
    return isOwn ? .accepted(peer) : .refused
  }

  private static func makeFolder(_ folder: String) throws(ControlSocketError) {
    do throws(PrivateFolder.Problem) { try PrivateFolder.make(folder) } catch {
      if case .unusable(let code) = error {
        throw .unusable(folder, reason: String(cString: strerror(code)))
      }
      guard isFolder(folder) else { throw .notFolder(folder) }
      // Where the clients look for devices. A person who names another folder trusts it.
      if folder == ControlFolder.path { throw .foreignFolder(folder) }
    }
  }

  /// Whether there is a folder, or a symbolic link to one.
  private static func isFolder(_ path: String) -> Bool {
    var file = stat()
    return stat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFDIR
  }

  /// Removes a socket without a listener.
  private static func removeStale(_ path: String) throws(ControlSocketError) {
    var file = stat()
    guard lstat(path, &file) == 0 else { return }
    guard file.st_mode & S_IFMT == S_IFSOCK else { throw .notSocket(path) }
    if ControlConnection.isAnswering(at: path) { throw .inUse(path) }
    unlink(path)
  }

  private static func failure(at path: String) -> ControlSocketError {
    errno == EMFILE ? .tooManyFiles : .unusable(path, reason: reason)
  }

  private static var reason: String { String(cString: strerror(errno)) }
}

/// Who has connected: `struct ucred` of unix(7), which Glibc declares for C only.
struct PeerCredentials {
  private(set) var process: pid_t = 0
  private(set) var user: uid_t = 0
  private(set) var group: gid_t = 0

  init?(of socket: Int32) {
    var size = socklen_t(MemoryLayout<Self>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &self, &size) == 0 else { return nil }
  }
}

/// Why a device cannot listen for its control side.
package enum ControlSocketError: Error, Hashable, Sendable {
  /// Another device listens there.
  case inUse(String)
  /// More bytes than a Unix socket's path may have, 107.
  case longPath(String)
  /// There is something else at the path.
  case notSocket(String)
  /// The folder of the sockets belongs to another user, or others may enter it.
  case foreignFolder(String)
  /// There is a file in the place of the folder of the sockets.
  case notFolder(String)
  /// With the kernel's reason.
  case unusable(String, reason: String)
  /// The process may not open another file.
  case tooManyFiles
}
