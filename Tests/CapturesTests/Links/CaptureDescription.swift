import HCIPackets
import Bluetooth
import Captures
import Framing
import TestSupport

/// A capture of packets that a test has written by hand.
///
/// Each line is a packet: `>` from the host to its controller, `<` from the controller, or `-` without a direction; the type of the
/// packet and the packet. Packet n comes after n ms. `2>` is of adapter 2; `…` at the end: the recorder left out the rest.
func capture(_ packets: [String], capacity: Int = 1000) -> Capture {
  var tracker = LinkTracker(format: "by hand", capacity: capacity)
  for (number, line) in packets.enumerated() where !tracker.isFull {
    let (head, text) = (line.prefix { $0 != " " }, line.drop { $0 != " " })
    let direction: HCIDirection? = head.hasSuffix(">") ? .toController : head.hasSuffix("<") ? .toHost : nil
    let isCut = text.hasSuffix("…")
    let packet = bytes(String(text))
    tracker.take(
      CapturedPacket(
        time: .milliseconds(Int64(number)),
        layer: .hci(type: packet[0], adapter: head.first?.wholeNumberValue ?? 0, direction),
        bytes: Array(packet.dropFirst()), omitted: isCut ? 9 : 0, offset: number))
  }
  return tracker.finish()
}

extension Capture {
  /// The devices, with their advertisements and links.
  var lines: [String] {
    devices.flatMap { device in
      [device.address.map { "\($0)" } ?? "unknown"] + device.advertisements.map { "\($0)" }
        + device.connections.flatMap(\.lines)
    } + notes.map { "\($0.kind) at \($0.offset ?? -1)" }
  }
}

extension CapturedConnection {
  var lines: [String] {
    let head = "link of \(central.map { "\($0)" } ?? "?") from \(start.map { "\($0.milliseconds)" } ?? "?")"
    return [head] + events.map { "\($0)" }
      + (end.map { end in
        ["end \(end.time.milliseconds) \(end.reason?.name ?? "?") by \(end.by.map { "\($0)" } ?? "?")"]
      } ?? [])
  }
}

extension CapturedEvent: CustomStringConvertible {
  public var description: String {
    let text =
      switch kind {
      case .attribute(let bytes, let sender): "\(sender.arrow) \(hexadecimal(bytes))"
      case .security(let bytes, let sender): "\(sender.arrow) SMP \(hexadecimal(bytes))"
      case .signalling(let bytes, let sender): "\(sender.arrow) signal \(hexadecimal(bytes))"
      case .parameters(let now): "parameters \(now.interval) \(now.latency) \(now.supervisionTimeout)"
      case .encryption(let isOn): isOn ? "encrypted" : "not encrypted"
      case .gap: "gap"
      }
    return "\(time.milliseconds) \(text)"
  }

}

extension CapturedAdvertisement: CustomStringConvertible {
  public var description: String {
    let kind =
      switch kind {
      case .extended(let isConnectable, let isScannable, let isDirected):
        "extended" + (isConnectable ? " connectable" : "") + (isScannable ? " scannable" : "")
          + (isDirected ? " directed" : "")
      default: "\(kind)"
      }
    return "\(time.milliseconds) \(kind)" + (set.map { " set \($0)" } ?? "")
      + (rssi.map { " \($0) dBm" } ?? "") + (channel.map { " channel \($0)" } ?? "")
      + (interval.map { " \($0.lowerBound.units)-\($0.upperBound.units)" } ?? "")
      + (data.map { ": \(hexadecimal($0))" } ?? "")
  }
}

extension LinkRole {
  fileprivate var arrow: String { self == .central ? ">" : "<" }
}
