import Bluetooth
import TestSupport

extension FuzzTarget {
  /// Any packets from a central to the ATT server, and any answers and values of the device (``ServerStep``).
  static let server = FuzzTarget(
    name: "server",
    run: { bytes in
      var input = FuzzInput(bytes)
      var harness = try ServerHarness()
      while let step = input.serverStep(), !harness.hasEnded { try harness.take(step) }
      try harness.finish()
    },
    describe: { bytes in
      var input = FuzzInput(bytes)
      var lines: [String] = []
      while let step = input.serverStep() { lines.append(step.description) }
      return lines.joined(separator: "\n")
    })
}

/// What happens to an ATT server.
enum ServerStep: CustomStringConvertible {
  /// The central sends a packet.
  case packet([UInt8])
  /// The device, which answers at once at first, lets its requests wait from now on, or no longer does.
  case waits(Bool)
  /// The device answers a request as it does by itself.
  case answers
  /// It answers with any value or error.
  case answersValue([UInt8])
  case answersError(ATTError)
  /// It sends a value with this many bytes from a characteristic.
  case sends(Int, characteristic: Int)
  /// It sends such a value from each of these, in one event.
  case sendsTogether(Int, characteristics: [Int])
  /// The link has another protection: 0 to 3.
  case secures(Int)
  /// The time for a confirmation is over.
  case timesOut
  /// The link turns out to be that of a bonded central with these features, which knows the attributes or others.
  case bonds(features: UInt8, knowsAttributes: Bool)

  var description: String {
    switch self {
    case .packet(let packet): "> \((try? AttributePDU(packet)).map { "\($0)" } ?? "\(packet)")"
    case .waits(let waits): waits ? "the device waits" : "the device answers at once"
    case .answers: "the device answers"
    case .answersValue(let value): "the device answers \(value)"
    case .answersError(let error): "the device answers \(error)"
    case .sends(let count, let index): "the device sends \(count) bytes from \(index)"
    case .sendsTogether(let count, let indices): "the device sends \(count) bytes from each of \(indices)"
    case .secures(let level): "the link has security \(level)"
    case .timesOut: "no confirmation comes"
    case .bonds(let features, let knows):
      "the central is bonded, has features \(features) and knows \(knows ? "the" : "other") attributes"
    }
  }
}

extension FuzzInput {
  /// Reads a step: `>`, a count and as many bytes are a packet, `h` is a packet for a handle, `w` and `i` let the device wait
  /// and answer at once, `a`, `v` and `e` answer, `n` sends, `m` sends several values, `l` secures the link, `t` lets time pass,
  /// `b` restores a bond. Any other byte also selects one of these, except for `b`. nil: the input is used up.
  mutating func serverStep() -> ServerStep? { byte().map { serverStep(of: $0) } }

  private mutating func serverStep(of kind: UInt8) -> ServerStep {
    switch kind {
    case UInt8(ascii: ">"): .packet(bytes(number(below: 64)))
    case UInt8(ascii: "h"): .packet(requestForHandle())
    case UInt8(ascii: "w"): .waits(true)
    case UInt8(ascii: "i"): .waits(false)
    case UInt8(ascii: "a"): .answers
    case UInt8(ascii: "v"): .answersValue([UInt8](repeating: 0x76, count: 2 * number(below: 256)))
    case UInt8(ascii: "e"): .answersError(ATTError(rawValue: byte() ?? 0))
    case UInt8(ascii: "n"): .sends(2 * number(below: 256), characteristic: number(below: 8))
    case UInt8(ascii: "m"):
      .sendsTogether(
        number(below: 64), characteristics: (0..<number(below: 8)).map { _ in number(below: 8) })
    case UInt8(ascii: "l"): .secures(number(below: 4))
    case UInt8(ascii: "t"): .timesOut
    case UInt8(ascii: "b"): .bonds(features: UInt8(number(below: 8)), knowsAttributes: number(below: 2) == 1)
    default: serverStep(of: Self.serverKinds[Int(kind) % Self.serverKinds.count])
    }
  }

  private static let serverKinds = Array("h>hnhwaihvhelhn>hahnhthm".utf8)

  /// A packet that is likely to be understood: an opcode, a handle, and parameters.
  private mutating func requestForHandle() -> [UInt8] {
    let opcodes: [UInt8] = [
      0x0A, 0x12, 0x52, 0x0C, 0x16, 0x18, 0x04, 0x08, 0x10, 0x06, 0x0E, 0x20, 0x1E, 0x02, 0xD2, 0x12,
    ]
    let opcode = element(of: opcodes) ?? 0
    let handle = UInt8(number(below: 48))
    let number = UInt8(number(below: 64))
    switch opcode {
    case 0x0A: return [opcode, handle, 0]
    case 0x0C: return [opcode, handle, 0, number, 0]
    case 0x12: return [opcode, handle, 0, number & 3, 0]
    case 0x52: return [opcode, handle, 0] + Array(repeating: number, count: Int(number))
    case 0x16: return [opcode, handle, 0, number & 7, 0] + Array(repeating: number, count: Int(number & 31))
    case 0x18: return [opcode, number & 1]
    case 0x04: return [opcode, handle, 0, 0xFF, 0xFF]
    case 0x08: return [opcode, handle, 0, 0xFF, 0xFF] + (number < 32 ? [number & 3, 0x28] : [0xE1, 0xFF])
    case 0x10: return [opcode, handle, 0, 0xFF, 0xFF, number & 3, 0x28]
    case 0x06: return [opcode, handle, 0, 0xFF, 0xFF, 0xE1, 0xFF] + Array(repeating: number, count: 1)
    case 0x0E, 0x20: return [opcode, handle, 0, number & 31, 0]
    case 0x1E: return [opcode]
    case 0x02: return [opcode, number, number & 1]
    default: return [opcode, handle, 0] + bytes(Int(number))
    }
  }
}
