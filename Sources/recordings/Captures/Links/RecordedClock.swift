import Framing

/// Keeps the times of a recording in the order of its packets. A phone may set its clock while it records, and a recorder may give
/// a single packet a time of its own.
struct RecordedClock {
  /// The time of the packet before, as it counts.
  private var last: Instant?
  /// What the times are behind since the clock was set back.
  private var lag = Duration.zero
  private var settings = NotedPackets()
  private var strays = NotedPackets()
  private var pauses = NotedPackets()
  private var longestPause = Duration.zero

  /// Packets are often out of order by less.
  private static let tolerance = Duration.seconds(1)
  /// After a longer time without a packet, the clock was set, or the recorder was off.
  private static let longPause = Duration.seconds(24 * 3600)

  /// - Parameter next: the time of the packet after it.
  mutating func correct(_ packet: inout CapturedPacket, before next: Instant?) {
    // A recorder's own notes may be older than its packets.
    guard packet.layer != .remark else { return }
    packet.time = packet.time.advanced(by: lag)
    let next = next?.advanced(by: lag)
    guard let last else { return last = packet.time }
    let isBack = Self.isBack(packet.time, after: last)
    if let next, !Self.isBack(next, after: last), isBack || Self.isBack(next, after: packet.time) {
      strays.add(at: packet.offset)
      packet.time = last
    } else if isBack {
      settings.add(at: packet.offset)
      lag += packet.time.duration(to: last)
      packet.time = last
    } else if last.duration(to: packet.time) > Self.longPause {
      pauses.add(at: packet.offset)
      longestPause = max(longestPause, last.duration(to: packet.time))
    }
    self.last = max(last, packet.time)
  }

  private static func isBack(_ time: Instant, after earlier: Instant) -> Bool {
    time.duration(to: earlier) > tolerance
  }

  var notes: [CaptureNote] {
    [
      strays.note(
        "The times of \(strays.packets) do not fit between those of the packets around: the time of the packet before counts."
      ),
      settings.note(
        "The recorder's clock was set back \(settings.times): how much time passed there is not known, and later times count from there on."
      ),
      pauses.note(
        "The recorder's clock was set ahead, or nothing was recorded for more than a day, \(pauses.times): for \(longestPause.rough) at most."
      ),
    ].compactMap(\.self)
  }
}

extension Duration {
  /// In whole units, for people: `7 days`, `3 h`, `5 min`.
  package var rough: String {
    let minutes = components.seconds / 60
    switch minutes {
    case ..<120: return "\(minutes) min"
    case ..<2880: return "\(minutes / 60) h"
    case ..<1_051_200: return "\(minutes / 1440) days"
    default: return "\(minutes / 525_600) years"
    }
  }
}
