import CGLib

extension EventLoop {
  /// What a file descriptor is ready for; the values are those of poll(2).
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: G_IO_IN.rawValue)
    package static let writable = Readiness(rawValue: G_IO_OUT.rawValue)
    /// The other end has closed; always reported.
    package static let hangUp = Readiness(rawValue: G_IO_HUP.rawValue)
    /// The other end of a socket has stopped writing (POLLRDHUP of poll(2)); there may still be bytes to read.
    package static let peerHangUp = Readiness(rawValue: 0x2000)
    /// The descriptor is broken or not open; always reported.
    package static let error = Readiness(rawValue: G_IO_ERR.rawValue | G_IO_NVAL.rawValue)
  }
}
