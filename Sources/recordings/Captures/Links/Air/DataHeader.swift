/// The first byte of a data PDU (Core Specification, Vol 6 Part B 2.4).
struct DataHeader {
  /// The LLID.
  enum Kind {
    case reserved
    /// Goes on with a frame of L2CAP, or is empty.
    case continuation
    case start
    case control
  }

  let kind: Kind
  /// SN, which tells a new packet from the one before it.
  let sequence: Bool

  init(_ byte: UInt8) {
    kind = [.reserved, .continuation, .start, .control][Int(byte & 3)]
    sequence = byte & 0x08 != 0
  }
}
