import EventLoop
import Glibc
import Peripheral

/// Connects the wire side to standard input and output.
@EventLoop
package final class StandardStreams: DescriptorAttachment {
  let port: DescriptorStream

  /// Uses copies of the descriptors 0 and 1.
  package init() throws(WireError) {
    port = DescriptorStream(
      input: try Self.copy(of: 0), output: try Self.copy(of: 1), name: "standard output")
    port.onEnd = { [weak port] in
      port?.host?.warn("wire side: standard input has ended; the device stays on the air")
    }
  }

  package var label: String { "standard input and output" }

  package func close() { port.close() }

  private static func copy(of descriptor: Int32) throws(WireError) -> FileDescriptor {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else {
      throw WireError(message: "standard input or output is closed", hint: "keep both open, or use --pty")
    }
    return FileDescriptor(owning: copy)
  }
}
