import Framing

@testable import Host

extension FuzzTarget {
  /// Any frames on the signalling channel, requests of the caller and time: each answer is a command with the request's
  /// identifier that needs no answer, and a request of the caller has one end.
  static let signalling = FuzzTarget(
    name: "signalling",
    run: { bytes in
      var (input, channel, now) = (FuzzInput(bytes), SignallingChannel(), Instant())
      let isCentral = input.number(below: 2) == 1
      while let kind = input.byte() {
        switch kind {
        case UInt8(ascii: "k"):
          let request = channel.ask(for: .init(interval: 6...6, latency: 0, supervisionTimeout: 10), at: now)
          try guarantee(channel.deadline != nil && request.count == 12, "a request has a time")
        case UInt8(ascii: "w"):
          now = now.advanced(by: .milliseconds(500 * input.number(below: 256)))
          _ = channel.expire(at: now)
          if let deadline = channel.deadline {
            try guarantee(deadline > now, "\(deadline) is over at \(now)")
          }
        default:
          let frame = input.bytes(input.number(below: 40))
          try check(channel.receive(frame, isCentral: isCentral), after: frame, isCentral)
        }
      }
    },
    describe: { "\(SignallingPacket.read($0).map { "\($0)" } ?? "not one command")" })

  private static func check(
    _ actions: [SignallingChannel.Action], after frame: [UInt8], _ isCentral: Bool
  ) throws {
    for case .send(let answer) in actions {
      guard let (identifier, packet) = SignallingPacket.read(answer) else {
        throw BrokenGuarantee(description: "\(answer) is no command")
      }
      try guarantee(identifier == frame[1] && answer.count <= 23, "\(packet) does not answer \(frame)")
      var peer = SignallingChannel()
      let next = peer.receive(answer, isCentral: !isCentral)
      let isAnswered = next.contains { if case .channel(.reject, _) = $0 { false } else { true } }
      try guarantee(!isAnswered, "\(packet) needs an answer, \(next)")
    }
    for case .update(let wanted) in actions { try guarantee(isCentral && wanted.isPossible, "\(wanted)") }
  }
}
