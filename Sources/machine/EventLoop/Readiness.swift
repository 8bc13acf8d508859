import CGLib

extension EventLoop {
  /// The readiness of a file descriptor; the values are those of poll(2) and epoll(7).
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

    // Not as literals where they are used: Swift would create each anew every time, in 2,000 instructions.
    package static let readableOrWritable: Readiness = [.readable, .writable]
    /// The conditions that are always reported.
    static let always: Readiness = [.hangUp, .error]

    /// Whether the other end has closed or the descriptor is broken.
    package var hasEnded: Bool { rawValue & Self.always.rawValue != 0 }
  }
}
