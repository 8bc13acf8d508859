import EventLoop
import Glibc

/// A Unix socket that receives datagrams, as that of a service manager or of the journal.
package struct DatagramListener {
  package let path: String
  private let descriptor: FileDescriptor
  private let folder = TemporaryFolder()

  /// - Parameter isAbstract: whether its name belongs to no file.
  package init(isAbstract: Bool = false) {
    path = isAbstract ? "@blemu-test-\(getpid())" : folder.path + "socket"
    descriptor = FileDescriptor(
      owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    if isAbstract { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count)
    let code = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor.rawValue, $0, size) }
    }
    precondition(code == 0, "cannot bind \(path)")
  }

  /// The next datagram that has arrived; nil: there is none.
  package func next() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor.rawValue, &buffer, buffer.count, 0)
    return count < 0 ? nil : Array(buffer[..<count])
  }

  /// All that have arrived, as texts.
  package func texts() -> [String] {
    var texts: [String] = []
    while let bytes = next() { texts.append(String(decoding: bytes, as: UTF8.self)) }
    return texts
  }

  /// Waits for a datagram, for a minute at most.
  @EventLoop package func text() async throws -> String {
    let end = Promise<Void>()
    let watch = EventLoop.DescriptorWatch(descriptor.rawValue, for: .readable) { _ in end.fulfil() }
    let limit = EventLoop.after(.seconds(60)) { end.fulfil() }
    await end.value()
    limit.cancel()
    watch.end()
    guard let bytes = next() else { throw NoDatagram(path: path) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// None came within a minute.
private struct NoDatagram: Error {
  var path: String
}
