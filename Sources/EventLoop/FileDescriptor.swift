import Glibc

/// Owns an open file descriptor and closes it with its last reference.
package final class FileDescriptor: Sendable {
  /// The number, valid while this object lives.
  package let rawValue: Int32

  /// Takes over an open descriptor, which nobody else may close.
  package init(owning rawValue: Int32) { self.rawValue = rawValue }

  deinit { close(rawValue) }
}

extension FileDescriptor: Equatable {
  package static func == (left: FileDescriptor, right: FileDescriptor) -> Bool { left === right }
}
