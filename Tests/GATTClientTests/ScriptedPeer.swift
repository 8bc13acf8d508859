import Bluetooth
import EventLoop
import Kernel
import TestSupport
import Testing

@testable import GATTClient

/// A server that follows a transcript, at the other end of a pair of sockets.
///
///     > 0A 21 00     # a PDU that the client must send now
///     < 0B 34 15     # a PDU that is sent to it, as soon as all before has happened
///     end            # the server ends the link
@EventLoop
final class ScriptedPeer {
  private enum Line: Equatable {
    case expect([UInt8])
    case send([UInt8])
    case end
  }

  let channel: L2CAPChannel
  private var lines: [Line]
  private var complaint: String?
  private let finished = Promise<Void>()

  init(_ channel: L2CAPChannel, _ script: String) {
    self.channel = channel
    lines = script.split(separator: "\n").compactMap { Self.line(String($0)) }
    channel.onReceive = { [weak self] in self?.receive($0) }
    advance()
  }

  private static func line(_ text: String) -> Line? {
    let words = text.prefix { $0 != "#" }.split(separator: " ")
    guard let sign = words.first else { return nil }
    let bytes = words.dropFirst().map { UInt8($0, radix: 16)! }
    switch sign {
    case ">": return .expect(bytes)
    case "<": return .send(bytes)
    case "end": return .end
    default: preconditionFailure("no line of a script: \(text)")
    }
  }

  private func receive(_ packet: [UInt8]) {
    guard lines.first == .expect(packet) else { return complain(packet) }
    lines.removeFirst()
    advance()
  }

  private func advance() {
    while let line = lines.first {
      switch line {
      case .expect: return
      case .send(let packet): channel.send(packet)
      case .end: channel.close()
      }
      lines.removeFirst()
    }
    finished.fulfil()
  }

  /// Ends the link, so that no task waits any longer.
  private func complain(_ packet: [UInt8]) {
    if complaint == nil { complaint = "\(hexadecimal(packet)) came instead of \(lines.first as Any)" }
    channel.close()
    finished.fulfil()
  }

  /// Waits until the script has ended.
  func finish(_ sourceLocation: SourceLocation = #_sourceLocation) async {
    let limit = EventLoop.after(.seconds(60)) { [weak self] in
      self?.complaint = "a minute later the script still waits"
      self?.finished.fulfil()
    }
    await finished.value()
    limit.cancel()
    #expect(complaint == nil, "the script is not followed", sourceLocation: sourceLocation)
  }
}

/// A client whose server follows a script.
@EventLoop
func client(
  mtu: Int = 23, timeLimit: Duration = GATTClient.transactionTimeLimit, _ script: String
) -> (GATTClient, ScriptedPeer) {
  let (ours, theirs) = pairOfChannels()
  let peer = ScriptedPeer(theirs, script)
  return (GATTClient(over: ours, mtu: mtu, timeLimit: timeLimit), peer)
}
