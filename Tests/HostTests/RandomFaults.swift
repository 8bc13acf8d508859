import Framing
import TestSupport

/// Loses, repeats, damages and delays packets from controllers to hosts.
struct RandomFaults {
  private struct Late {
    var due: Instant
    var host: Int
    var packet: [UInt8]
  }

  private var random: SplitMix64
  /// One packet of so many meets with a fault.
  private let rarity: Int
  private var late: [Late] = []
  /// Whether faults still happen.
  var isOver = false

  init(seed: UInt64, rarity: Int) { (random, self.rarity) = (SplitMix64(seed: seed), rarity) }

  /// When a delayed packet arrives.
  var deadline: Instant? { late.map(\.due).min() }

  mutating func number(_ end: Int) -> Int { Int(random.next() % UInt64(end)) }

  /// Changes what arrives at a host now.
  mutating func pass(_ packets: inout [[UInt8]], to host: Int, at now: Instant) {
    packets = packets.flatMap { fate(of: $0, to: host, at: now) }
    packets += late.filter { $0.host == host && $0.due <= now }.map(\.packet)
    late.removeAll { $0.host == host && $0.due <= now }
  }

  private mutating func fate(of packet: [UInt8], to host: Int, at now: Instant) -> [[UInt8]] {
    guard !isOver, number(rarity) == 0 else { return [packet] }
    switch number(4) {
    case 0: return []
    case 1: return [packet, packet]
    case 2: return [damaged(packet)]
    default:
      late.append(
        Late(due: now.advanced(by: .milliseconds(Int64(1 + number(400)))), host: host, packet: packet))
      return []
    }
  }

  private mutating func damaged(_ packet: [UInt8]) -> [UInt8] {
    var packet = packet
    if number(3) == 0 { return Array(packet.prefix(1 + number(packet.count))) }
    for _ in 0...number(3) { packet[number(packet.count)] = UInt8(truncatingIfNeeded: random.next()) }
    return packet
  }
}
