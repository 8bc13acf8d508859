import Framing

/// Tells who has sent a packet on a link.
///
/// The central begins each connection event, and the ends then take turns, each 150 µs after the other's packet (Core
/// Specification, Vol 6 Part B 4.5.1, 4.1.1). That is more reliable than what a sniffer notes, which counts packets. A recording
/// with coarse times has only the sniffer's note, or else a guess.
struct SenderGuess: Sendable {
  private var previous: (time: Instant, length: Int, sender: LinkRole)?

  /// Returns the sender of the next packet.
  /// - Parameter meaning: who usually sends such a packet, if it tells. It counts if the rest is in doubt.
  mutating func sender(
    at time: Instant, length: Int, _ reception: LinkLayerReception, meaning: LinkRole?
  ) -> LinkRole {
    let (guess, isCertain) = judge(time, reception)
    let sender = isCertain ? guess : meaning ?? guess
    previous = (time, length, sender)
    return sender
  }

  private func judge(_ time: Instant, _ reception: LinkLayerReception) -> (LinkRole, isCertain: Bool) {
    guard let previous else { return (reception.sender ?? .central, reception.sender != nil) }
    let gap = time.microseconds.subtractingReportingOverflow(previous.time.microseconds).partialValue
    if Self.isTurn(after: previous.length, gap) {
      return (previous.sender.other, reception.sender != previous.sender)
    }
    if let sender = reception.sender { return (sender, true) }
    // One packet between them was missed, or more.
    let isSameEvent = gap > 0 && gap < 4000
    return (isSameEvent ? previous.sender : .central, false)
  }

  /// Whether the times of the two beginnings are those of a packet and of the answer to it: preamble, access address, header, payload,
  /// CRC, and 150 µs, of LE 1M or LE 2M. A decrypted packet had a MIC of four bytes more.
  private static func isTurn(after length: Int, _ gap: Int64) -> Bool {
    guard (0..<10_000).contains(gap) else { return false }
    let (slow, fast) = (Int64(1 + 4 + 2 + length + 3) * 8, Int64(2 + 4 + 2 + length + 3) * 4)
    return [slow, fast, slow + 32, fast + 16].contains { abs(gap - $0 - 150) <= 24 }
  }
}
