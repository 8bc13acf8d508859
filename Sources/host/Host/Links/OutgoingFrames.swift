import Bluetooth
import HCIPackets

/// The frames that a link has to send, cut into data packets for its controller.
struct OutgoingFrames: Hashable {
  private var waiting: ArraySlice<L2CAPFrame> = []
  /// How many bytes of the first frame have gone, with its head.
  private var sent = 0
  /// How many of them answer the peer.
  private var answers = 0

  var isEmpty: Bool { waiting.isEmpty }

  /// Whether nothing waits but a K-frame that is on its way: one comes only after everything else.
  var isDrained: Bool {
    waiting.isEmpty || waiting.count == 1 && waiting.first!.channel >= LinkChannels.identifiers.lowerBound
  }

  /// Whether the peer makes this side answer, and does not take the answers.
  var hasTooManyAnswers: Bool { answers > PeerFault.mostAnswers }

  mutating func append(_ frame: L2CAPFrame) {
    waiting.append(frame)
    if frame.isAnswer { answers += 1 }
  }

  /// Appends the next packet of the first frame to a batch.
  ///
  /// - Parameter size: the most bytes of a packet.
  mutating func sendPart(of handle: LinkHandle, size: Int, to batch: inout PacketBatch) {
    guard let frame = waiting.first else { return }
    let start = sent
    let end = min(start + size, 4 + frame.payload.count)
    batch.appendData(handle, isFirst: start == 0, count: end - start) { bytes in
      if start < 4 {
        let length = frame.payload.count
        let head = [
          UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8),
          UInt8(truncatingIfNeeded: frame.channel), UInt8(truncatingIfNeeded: frame.channel >> 8),
        ]
        bytes += head[start..<min(4, end)]
      }
      if end > 4 { bytes += frame.payload[max(0, start - 4)..<end - 4] }
    }
    sent = end
    if sent == 4 + frame.payload.count { finishFirst() }
  }

  private mutating func finishFirst() {
    sent = 0
    if waiting.removeFirst().isAnswer { answers -= 1 }
    if waiting.isEmpty { waiting = [] }  // an empty slice would keep its memory
  }
}

extension L2CAPFrame {
  /// Whether the peer has caused the frame: all do but notifications and the K-frames of channels, as only the peer can cause
  /// any number of them.
  fileprivate var isAnswer: Bool {
    guard channel == Self.attributeChannel else { return channel < LinkChannels.identifiers.lowerBound }
    return payload.first.map(AttributeOpcode.init)?.kind != .notification
  }
}
