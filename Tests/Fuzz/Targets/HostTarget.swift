import Bluetooth
import HCIPackets

extension FuzzTarget {
  /// Any packets of a controller to its host, any answers to its commands, and whatever the caller asks of it (``HostStep``).
  static let host = FuzzTarget(
    name: "host",
    run: { bytes in
      var input = FuzzInput(bytes)
      var harness = try HostHarness(kind: input.number(below: 4))
      while let step = input.hostStep() { try harness.take(step) }
      try harness.finish()
    },
    describe: { bytes in
      var input = FuzzInput(bytes)
      var lines = ["a controller of kind \(input.number(below: 4))"]
      while let step = input.hostStep() { lines.append("\(step)") }
      return lines.joined(separator: "\n")
    })
}

/// What happens to a host.
enum HostStep {
  /// The controller sends a packet, with its type.
  case hears([UInt8])
  /// It answers the command that it has, and lets the host send so many others.
  case answers(status: UInt8, allowed: UInt8)
  case waits(milliseconds: Int64)

  // What the caller does.
  case sends(Int, LinkHandle)
  case disconnects(LinkHandle)
  case asksForParameters(LinkHandle)
  case measures(LinkHandle)
  /// Gives the link a Security Manager, and begins to pair.
  case pairs(LinkHandle)
  /// Wants to advertise, scan, initiate and use the accept list, or not: a bit for each.
  case wants(Int)
}

extension FuzzInput {
  /// Reads a step: `c` to `v` are packets (``controllerPacket(of:)``); `x` damages the packet that follows; `a` answers a command,
  /// `s` with an error and a number of commands; `w` lets time pass; `S`, `D`, `K`, `M`, `P` act on a link, `W` on the radio.
  /// Any other byte also selects one of these. nil: the input is used up.
  mutating func hostStep() -> HostStep? { byte().map { hostStep(of: $0) } }

  private mutating func hostStep(of kind: UInt8) -> HostStep {
    switch kind {
    case UInt8(ascii: "a"): .answers(status: 0, allowed: 1)
    case UInt8(ascii: "s"): .answers(status: byte() ?? 0, allowed: UInt8(number(below: 3)))
    case UInt8(ascii: "w"):
      .waits(milliseconds: [0, 1, 100, 499, 500, 1000, 9999, 10_000, 30_000, 60_000][number(below: 10)])
    case UInt8(ascii: "S"): .sends(5 * number(below: 64), handle())
    case UInt8(ascii: "D"): .disconnects(handle())
    case UInt8(ascii: "K"): .asksForParameters(handle())
    case UInt8(ascii: "M"): .measures(handle())
    case UInt8(ascii: "P"): .pairs(handle())
    case UInt8(ascii: "W"): .wants(number(below: 256))
    case UInt8(ascii: "x"): .hears(damagedPacket())
    case UInt8(ascii: "c")...UInt8(ascii: "v"): .hears(controllerPacket(of: kind) ?? [kind])
    default: hostStep(of: Self.hostKinds[Int(kind) % Self.hostKinds.count])
    }
  }

  private static let hostKinds = Array("actaftlanfaSnSwDKMPWxlofaequrvskaa".utf8)

  private mutating func damagedPacket() -> [UInt8] {
    var packet = byte().flatMap { controllerPacket(of: $0) } ?? []
    switch number(below: 3) {
    case 0: packet.removeLast(min(packet.count, number(below: 16)))
    case 1 where !packet.isEmpty: packet[number(below: packet.count)] ^= byte() ?? 1
    default: packet += bytes(number(below: 8))
    }
    return packet
  }
}

// MARK: Packets of a controller

extension FuzzInput {
  /// One of four handles.
  fileprivate mutating func handle() -> LinkHandle { 0x40 + LinkHandle(number(below: 4)) }

  /// Reads a packet: `c` a link begins, `t` an advertising set ends because of it, `d` the link ends, `n` packets of it are
  /// completed, `f` a frame of L2CAP on one of its channels, `o` a part of a frame, `k` a request for a key, `e` encryption, `u`
  /// new parameters, `q` a request for parameters, `p` PHYs, `l` an LE Meta event, `v` any event, `r` any bytes, `g` room for
  /// commands. nil: another letter.
  fileprivate mutating func controllerPacket(of kind: UInt8) -> [UInt8]? {
    switch kind {
    case UInt8(ascii: "c"):
      // success, handle, role, type of the peer's address, address, 30 ms, latency, 420 ms, accuracy
      lowEnergy(
        [0x01, 0] + handleBytes() + [UInt8(number(below: 2)), 0, 9, 0, 0, 0, 0, 0, 24, 0, 0, 0, 42, 0, 0])
    case UInt8(ascii: "t"): lowEnergy([0x12, 0, UInt8(number(below: 2))] + handleBytes() + [0])
    case UInt8(ascii: "d"): event(0x05, [0] + handleBytes() + [0x13])
    case UInt8(ascii: "n"): event(0x13, [1] + handleBytes() + [UInt8(number(below: 8)), 0])
    case UInt8(ascii: "f"): frame()
    case UInt8(ascii: "o"): data(UInt8(number(below: 4)), bytes(number(below: 32)))
    case UInt8(ascii: "k"):
      lowEnergy([0x05] + handleBytes() + [UInt8](repeating: UInt8(number(below: 2)), count: 10))
    case UInt8(ascii: "e"):
      event(0x08, [element(of: [0, 0, 0x06]) ?? 0] + handleBytes() + [UInt8(number(below: 2))])
    case UInt8(ascii: "u"):
      lowEnergy([0x03, UInt8(number(below: 2))] + handleBytes() + [24, 0, 0, 0, 42, 0])
    case UInt8(ascii: "q"): lowEnergy([0x06] + handleBytes() + [24, 0, 40, 0, 0, 0, 42, 0])
    case UInt8(ascii: "p"): lowEnergy([0x0C, 0] + handleBytes() + [UInt8(number(below: 4)), 2])
    case UInt8(ascii: "l"): lowEnergy([UInt8(number(below: 0x30))] + bytes(number(below: 32)))
    case UInt8(ascii: "v"): event(byte() ?? 0, bytes(number(below: 32)))
    case UInt8(ascii: "r"): bytes(number(below: 64))
    case UInt8(ascii: "g"): event(0x0E, [UInt8(number(below: 3)), 0, 0])
    default: nil
    }
  }

  private mutating func handleBytes() -> [UInt8] { handle().littleEndianBytes }

  private func event(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
    [0x04, code, UInt8(parameters.count)] + parameters
  }

  private func lowEnergy(_ parameters: [UInt8]) -> [UInt8] { event(0x3E, parameters) }

  /// - Parameter boundary: 2 for the beginning of a frame, 1 for the rest.
  private mutating func data(_ boundary: UInt8, _ part: [UInt8]) -> [UInt8] {
    [0x02] + (handle() | UInt16(boundary) << 12).littleEndianBytes + UInt16(part.count).littleEndianBytes
      + part
  }

  /// A frame of ATT, of signalling, of the Security Manager or of none of them.
  private mutating func frame() -> [UInt8] {
    let channel = element(of: [4, 5, 6, 6, 9] as [UInt8]) ?? 4
    var payload = bytes(number(below: 66))
    if channel == 5 {
      // The length of the command is right.
      payload = payload.prefix(2) + UInt16(max(0, payload.count - 2)).littleEndianBytes + payload.dropFirst(2)
    }
    return data(2, UInt16(payload.count).littleEndianBytes + [channel, 0] + payload)
  }
}
